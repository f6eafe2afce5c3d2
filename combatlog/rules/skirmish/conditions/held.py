"""Helpers for conditions that hold a list of what several cards contribute."""

from __future__ import annotations

from combatlog.rules.engine.table import Table
from ledger.events import Data, Until, UntilMoment
from projections.combatant import Combatant

UNTIL_ROUND_ENDS = Until(moment=UntilMoment.ROUND_END)


def entries(owner: Combatant, condition: str) -> list[Data]:
    held = owner.conditions.get(condition)
    return list(held.data.get("entries", ())) if held is not None else []


def hold(table: Table, owner: Combatant, condition: str, kept: list[Data], until: Until | None = None) -> None:
    """Hold these entries, each of which names its source."""
    table.apply_condition(
        owner, condition, source=kept[-1]["source"], owner=owner.id, until=until, data={"entries": kept}
    )


def add_entry(table: Table, owner: Combatant, condition: str, entry: Data, until: Until | None = None) -> None:
    hold(table, owner, condition, [*entries(owner, condition), entry], until)
