"""Damage that a figure has to suffer when the round ends."""

from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.conditions.held import add_entry, entries
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.sheet import figures_in_play
from combatlog.rules.skirmish.vitality import suffer
from ledger.events import DamagePart
from projections.combatant import Combatant

DEBTS = "skirmish:condition:debts"


@piece
class Debts(Condition):
    """The figure suffers damage at the end of the round."""

    name = "debts"


def owe(table: Table, figure: Combatant, source: str, damage: int) -> None:
    add_entry(table, figure, DEBTS, {"source": source, "damage": damage})


def pay_debts(table: Table) -> None:
    for figure in figures_in_play(table.battle):
        owed = [DamagePart(source=debt["source"], amount=debt["damage"]) for debt in entries(figure, DEBTS)]
        if owed:
            table.remove_condition(figure, DEBTS, "the round ends")
            suffer(table, figure, owed, figure.id)
