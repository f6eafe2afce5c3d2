"""A ruleset as a third party might write it: as little as the interface asks for, and no options declared."""

from __future__ import annotations

from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset import Enlistment, Recruit, Ruleset
from ledger.events import Controller, Data, Declared, InitiativeEntry, InitiativeSet, TurnEnded, TurnStarted
from projections.battle.combatant import Combatant


class Tiny(Ruleset):
    name = "tiny"
    version = "1"

    def sheets(self) -> dict[str, Data]:
        return {"anybody": {}}

    def recruit(self, enlistment: Enlistment) -> Recruit:
        return Recruit(name="Anybody", controller=Controller.PLAYER, sheet={}, vitals={}, resources={})

    def action_refs(self, actor: Combatant | None = None) -> dict[str, str]:
        return {"wave": "tiny:action:wave"}

    def reaction_refs(self) -> dict[str, str]:
        return {"wave_back": "tiny:reaction:wave_back"}

    def resolve(self, table: Table, declared: Declared) -> None:
        """Waving has no consequences."""

    def start(self, table: Table) -> None:
        order = tuple(InitiativeEntry(combatant=combatant.id, value=0) for combatant in table.battle.present())
        table.record(InitiativeSet, order=order)
        table.record(TurnStarted, combatant=order[0].combatant)

    def end_turn(self, table: Table, combatant: Combatant) -> None:
        table.record(TurnEnded, combatant=combatant.id)


RULESET = Tiny()
