"""The base of every action of a figure: checks, a cost, and what it does.

The checks take the battle, not the table, so that the menu can use them as well.
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from combatlog.rules.engine.options import Options, Part, Said, Signature
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from combatlog.rules.engine.turns import require_turn
from combatlog.rules.skirmish.conditions.this_activation import STUN_AFTER_ACTION
from combatlog.rules.skirmish.pieces import PIECES, Condition, SkirmishPiece
from combatlog.rules.skirmish.sheet import figures_in_play, is_in_play
from combatlog.rules.skirmish.vitality import make, shed, suffer_strain
from combatlog.rules.skirmish.vocabulary import ACTIONS, ATTACKS, BLEEDING, MOVEMENT, STUNNED, name_in
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import counted

Cost = dict[str, int]

OptionsModel = type[Options]
"""An alias, because inside a piece `type` is the type in its ref."""

IN_WORDS = {ACTIONS: "action", ATTACKS: "attack", MOVEMENT: "movement point"}


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
        """Refuse what cannot be done now, whatever the target. Activation and cost have been checked."""

    def aim(self, battle: Battle, actor: Combatant, declared: Declared) -> None:
        """Refuse a target, place or option that is not possible."""

    def cost_of(self, battle: Battle, actor: Combatant, declared: Declared) -> Cost:
        return self.cost

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        raise NotImplementedError(f"{self.ref} does nothing")

    def note(self, battle: Battle, actor: Combatant) -> str:
        """What the menu says about it."""
        return ""

    def check_all(self, battle: Battle, actor: Combatant) -> None:
        """Make every check that does not depend on the target."""
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
        is_last = ACTIONS in cost and actor.has(STUN_AFTER_ACTION)
        self.perform(table, actor, declared)
        if ACTIONS in cost and actor.has(BLEEDING):
            suffer_strain(table, actor, 1, BLEEDING)
        if is_last:
            _stun(table, actor)


def _stun(table: Table, actor: Combatant) -> None:
    source = actor.conditions[STUN_AFTER_ACTION].source
    shed(table, actor, STUN_AFTER_ACTION, "it has acted once more")
    make(table, actor, STUNNED, source, actor.id)


def check_active(battle: Battle, actor: Combatant) -> None:
    require_turn(battle, actor.id, called="activation")
    if not is_in_play(actor):
        raise Refusal("turn/cannot-act", f"{actor.name} is defeated and cannot act; end its activation.", who=actor.id)


def check_side_active(battle: Battle, actor: Combatant) -> None:
    """Whether it is the activation of the figure or of one on its side; or of any, for one that a card lets move."""
    turn = battle.clock.turn
    is_given = actor.economy.left(MOVEMENT) > 0
    if turn is None or not is_in_play(actor) or (battle.combatants[turn].side != actor.side and not is_given):
        check_active(battle, actor)


def require(actor: Combatant, cost: Cost) -> None:
    for resource, amount in cost.items():
        left = actor.economy.left(resource)
        if left < amount:
            words = IN_WORDS.get(resource, resource)
            raise Refusal(
                f"economy/no-{resource}-left",
                f"That takes {counted(amount, words)}, and {actor.name} has {left or 'none'} left; "
                "do something cheaper, or end its activation.",
                who=actor.id,
                resource=resource,
                needed=amount,
                available=left,
            )


def why_held(battle: Battle, actor: Combatant) -> str | None:
    """The condition that keeps a figure in its space; None if it can leave."""
    if actor.has(STUNNED):
        return STUNNED
    held = [(PIECES.get(name), owner) for owner in figures_in_play(battle) for name in owner.conditions]
    return next(
        (piece.ref for piece, owner in held if isinstance(piece, Condition) and piece.holds(battle, owner, actor)), None
    )


def check_can_leave(battle: Battle, actor: Combatant) -> None:
    check_not_stunned(actor, "leave its space")
    held = why_held(battle, actor)
    if held is not None:
        raise Refusal(
            "figure/held",
            f"{actor.name} cannot leave its space until the round ends ({name_in(held).replace('_', ' ')}).",
            who=actor.id,
            condition=held,
        )


def check_not_stunned(actor: Combatant, what: str) -> None:
    if actor.has(STUNNED):
        raise Refusal(
            "figure/stunned",
            f"{actor.name} is stunned and cannot {what}; shaking that off takes an action.",
            who=actor.id,
            condition=STUNNED,
        )
