"""Which special actions a figure has used in this activation: each can be used once."""

from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.pieces import Condition, piece
from projections.combatant import Combatant

USED_SPECIALS = "skirmish:condition:used_specials"


@piece
class UsedSpecials(Condition):
    """The figure has used special actions, which it cannot use again before its activation ends."""

    name = "used_specials"


def used_by(figure: Combatant) -> list[str]:
    held = figure.conditions.get(USED_SPECIALS)
    return list(held.data.get("used", ())) if held is not None else []


def note_use(table: Table, figure: Combatant, ability: str) -> None:
    used = [*used_by(figure), ability]
    table.apply_condition(figure, USED_SPECIALS, source=ability, owner=figure.id, data={"used": used})
