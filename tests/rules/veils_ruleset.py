"""Rulesets of third parties in which combatants veil themselves and plot: two conditions of theirs that conceal.

One is as small as it can be. The other is D&D with these two conditions in place of its own, so that every test of what
players see can be run with it: `join_unseen` begins them.
"""

from __future__ import annotations

from typing import Any

import pytest

from combatlog import Fight
from combatlog.rules.dnd5e.ruleset import Dnd5e
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset import Enlistment, Recruit, Ruleset
from ledger.events import Controller, Data, Declared, Gauge
from projections.battle.combatant import Combatant
from projections.views.visibility import Concealing
from tests.rules.tiny_ruleset import Tiny

VEILED, PLOTTING = "veils:condition:veiled", "veils:condition:plotting"
CONCEALING = Concealing(unseen=frozenset({VEILED}), unnoticed=frozenset({PLOTTING}))


class Veils(Tiny):
    name = "veils"
    concealing = CONCEALING

    def recruit(self, enlistment: Enlistment) -> Recruit:
        vitals: dict[str, Gauge] = {"hp": Gauge(current=9, maximum=9)}
        return Recruit(name="Anybody", controller=Controller.PLAYER, sheet={}, vitals=vitals, resources={})

    def sheets(self) -> dict[str, Data]:
        return {"anybody": {}}

    def action_refs(self, actor: Combatant | None = None) -> dict[str, str]:
        return {name: f"veils:action:{name}" for name in ("veil", "plot", "walk", "poke")}

    def resolve(self, table: Table, declared: Declared) -> None:
        actor = table.battle.combatants[declared.actor]
        match declared.action.rpartition(":")[2]:
            case "veil":
                table.apply_condition(actor, VEILED, source=declared.action, owner=actor.id)
            case "plot":
                table.apply_condition(actor, PLOTTING, source=declared.action, owner=actor.id)
            case "walk" if declared.destination is not None:
                table.move(actor, declared.destination, 1)
            case "poke":
                table.damage(table.battle.combatants[declared.targets[0]], "hp", 1, (), actor.id)


RULESET = Veils()


class VeiledDnd5e(Dnd5e):
    """D&D in which nobody hides: a game master's rulings begin and end what conceals."""

    name = "veiled5e"
    concealing = CONCEALING

    def condition_ref(self, name: str) -> str:
        return {"veiled": VEILED, "plotting": PLOTTING}.get(name) or super().condition_ref(name)

    def begin_condition(self, table: Table, subject: Combatant, condition: str, level: int | None) -> None:
        ruleset = Ruleset if condition in (VEILED, PLOTTING) else Dnd5e
        ruleset.begin_condition(self, table, subject, condition, level)


rulesets.use(VeiledDnd5e())

WAYS_TO_BE_UNSEEN = ("dnd5e", VeiledDnd5e.name)
"""The rulesets by which somebody is unrevealed, as the engine has it, or veiled, as a third party has it."""
by_every_ruleset = pytest.mark.parametrize("ruleset", WAYS_TO_BE_UNSEEN)


def join_unseen(fight: Fight, sheet: str | Data, name: str, square: tuple[int, int], **given: Any) -> None:
    """A foe whom players have never seen."""
    fight.join(sheet, name, square, side="foes", hidden=True, **given)
    if is_veiled(fight):
        fight.rule(name.lower(), add=["veiled"], reason=f"{name} is in the mist")
        fight.reveal(name.lower())


def is_veiled(fight: Fight) -> bool:
    return fight.battle.encounter.ruleset == VeiledDnd5e.name


def conceal(fight: Fight, name: str) -> None:
    """Somebody whom players have seen is no longer there."""
    if is_veiled(fight):
        fight.rule(name.lower(), add=["veiled"], reason=f"{name} walks into the mist")
    else:
        fight.conceal(name)


def reveal(fight: Fight, name: str) -> None:
    if is_veiled(fight):
        fight.rule(name.lower(), remove=["veiled"], reason=f"{name} walks out of the mist")
    else:
        fight.reveal(name)
