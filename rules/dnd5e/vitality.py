"""Hit points, and what becomes of those who have none left."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import DamagePart
from projections.combatant import Combatant
from rules.dnd5e.sheet import Nature, sheet_of
from rules.table import Table

HP = "hp"
DEAD = "dnd5e:condition:dead"
UNCONSCIOUS = "dnd5e:condition:unconscious"
DYING = "dnd5e:condition:dying"
ZERO_HIT_POINTS = "dnd5e:situation:zero_hit_points"


def suffer(table: Table, target: Combatant, parts: Sequence[DamagePart], source: str) -> None:
    """Take damage; at 0 hit points characters fall, monsters die."""
    amount = max(0, sum(part.amount for part in parts))
    damaged = table.damage(target, HP, amount, parts, source)
    if damaged.left == 0 and not is_down(target):
        with table.because_of(damaged):
            _fall(table, target, damaged.overkill, source)


def _fall(table: Table, target: Combatant, overkill: int, source: str) -> None:
    outright = overkill >= (target.vitals[HP].maximum or 0)
    if sheet_of(target).nature is Nature.MONSTER or outright:
        table.apply_condition(target, DEAD, source=ZERO_HIT_POINTS, owner=source)
        return
    for condition in (UNCONSCIOUS, DYING):
        table.apply_condition(target, condition, source=ZERO_HIT_POINTS, owner=source)


def is_down(combatant: Combatant) -> bool:
    return any(combatant.has(condition) for condition in (DEAD, UNCONSCIOUS, DYING))


def can_act(combatant: Combatant) -> bool:
    return combatant.present and not is_down(combatant)


def is_hostile(one: Combatant, other: Combatant) -> bool:
    return one.side != other.side
