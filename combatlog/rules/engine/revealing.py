"""Keeping combatants from the players' eyes, and revealing them. By the rules, other sides do not see them either."""

from __future__ import annotations

from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import Ruleset
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant
from projections.views.secrets import UNREVEALED

REVEAL, CONCEAL = "core:time:reveal", "core:time:conceal"


def reveal(table: Table, rules: Ruleset, declared: Declared) -> None:
    for combatant in _named(table, declared):
        if not combatant.has(UNREVEALED):
            raise Refusal("reveal/known", f"{combatant.name} is not unrevealed.", who=combatant.id)
        table.remove_condition(combatant, UNREVEALED, "revealed")


def conceal(table: Table, rules: Ruleset, declared: Declared) -> None:
    for combatant in _named(table, declared):
        if combatant.has(UNREVEALED):
            raise Refusal("reveal/unrevealed", f"{combatant.name} is already unrevealed.", who=combatant.id)
        keep_unrevealed(table, combatant, CONCEAL)


def keep_unrevealed(table: Table, combatant: Combatant, source: str) -> None:
    table.apply_condition(combatant, UNREVEALED, source=source, owner="gm")


def _named(table: Table, declared: Declared) -> list[Combatant]:
    if not declared.targets:
        raise Refusal("reveal/nobody", "Somebody has to be named.")
    return [table.combatant(target) for target in declared.targets]
