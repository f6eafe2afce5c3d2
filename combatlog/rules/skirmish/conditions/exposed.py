from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.attack_state import Attack
from combatlog.rules.skirmish.conditions.held import add_entry, entries
from combatlog.rules.skirmish.library import name_of
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.vocabulary import Symbol
from projections.combatant import Combatant

EXPOSED = "skirmish:condition:exposed"


@piece
class Exposed(Condition):
    """The next attack against the figure gains Pierce."""

    name = "exposed"

    def on_results(self, attack: Attack, owner: Combatant) -> None:
        if owner is attack.defender:
            for entry in entries(owner, self.ref):
                reason = name_of(attack.battle, entry["source"])
                attack.modify("cards", entry["source"], owner.id, reason, Symbol.PIERCE, entry["pierce"])

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if owner is attack.defender:
            table.remove_condition(owner, self.ref, "used for the attack")


def expose(table: Table, figure: Combatant, source: str, pierce: int) -> None:
    add_entry(table, figure, EXPOSED, {"source": source, "pierce": pierce})
