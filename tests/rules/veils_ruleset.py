"""A ruleset of a third party in which combatants veil themselves and plot: two conditions of its own that conceal."""

from __future__ import annotations

from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset import Enlistment, Recruit
from ledger.events import Controller, Data, Declared, Gauge
from projections.battle.combatant import Combatant
from projections.views.visibility import Concealing
from tests.rules.tiny_ruleset import Tiny

VEILED, PLOTTING = "veils:condition:veiled", "veils:condition:plotting"


class Veils(Tiny):
    name = "veils"
    concealing = Concealing(unseen=frozenset({VEILED}), unnoticed=frozenset({PLOTTING}))

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
