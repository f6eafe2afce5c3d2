"""What is declared for a figure: a check that refuses, a cost, and the doing.

The checks take the battle, not the table, so that the menu asks the very same ones.
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant
from rules.engine.options import Options, Part, Said, Signature
from rules.engine.refusal import Refusal
from rules.engine.table import Table
from rules.engine.turns import require_turn
from rules.skirmish.pieces import SkirmishPiece
from rules.skirmish.sheet import is_in_play
from rules.skirmish.vitality import suffer_strain
from rules.skirmish.vocabulary import ACTIONS, ATTACKS, BLEEDING, STUNNED

Cost = dict[str, int]

OptionsModel = type[Options]
"""Named, because in a piece `type` is the type of its ref."""

IN_WORDS = {ACTIONS: "action", ATTACKS: "attack"}


class Activity(SkirmishPiece):
    type = "action"
    cost: ClassVar[Cost] = {}
    in_activation: ClassVar[bool] = True
    options: ClassVar[OptionsModel] = Options
    takes: ClassVar[frozenset[Part]] = frozenset()

    @cached_property
    def signature(self) -> Signature:
        return Signature(self.options, self.takes, (type(self).__doc__ or "").split("\n")[0])

    def check_said(self, battle: Battle, actor: Combatant, said: Said) -> None:
        """Refuse what this declaration would record without effect, where that depends on its other values."""

    def check(self, battle: Battle, actor: Combatant) -> None:
        """Refuse what cannot be done now, whatever it is aimed at. Activation and cost have been checked."""

    def aim(self, battle: Battle, actor: Combatant, declared: Declared) -> None:
        """Refuse what cannot be done with the declared target, place or option."""

    def cost_of(self, battle: Battle, actor: Combatant, declared: Declared) -> Cost:
        return self.cost

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        raise NotImplementedError(f"{self.ref} does nothing")

    def note(self, battle: Battle, actor: Combatant) -> str:
        """What helps to choose it, for the menu."""
        return ""

    def check_all(self, battle: Battle, actor: Combatant) -> None:
        """Everything that can be said before it is aimed."""
        if self.in_activation:
            check_active(battle, actor)
        require(actor, self.cost)
        self.check(battle, actor)

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.check_all(table.battle, actor)
        self.aim(table.battle, actor, declared)
        cost = self.cost_of(table.battle, actor, declared)
        require(actor, cost)
        for resource, amount in cost.items():
            table.spend(actor, resource, amount, self.name)
        self.perform(table, actor, declared)
        if ACTIONS in cost and actor.has(BLEEDING):
            suffer_strain(table, actor, 1, BLEEDING)


def check_active(battle: Battle, actor: Combatant) -> None:
    require_turn(battle, actor.id, called="activation")
    if not is_in_play(actor):
        raise Refusal("turn/cannot-act", f"{actor.id} is defeated; end its activation.")


def require(actor: Combatant, cost: Cost) -> None:
    for resource, amount in cost.items():
        left = actor.economy.left(resource)
        if left < amount:
            words = IN_WORDS.get(resource, resource)
            raise Refusal(
                f"economy/no-{resource}-left",
                f"That takes {amount} {words}{'s' if amount > 1 else ''} and {actor.id} has {left or 'none'} left; "
                "end its activation, or do something that costs less.",
            )


def check_not_stunned(actor: Combatant, what: str) -> None:
    if actor.has(STUNNED):
        raise Refusal("figure/stunned", f"{actor.id} is stunned and cannot {what}; `shake_off` removes that.")
