"""Shields and armour: how much of a hit they absorb, and how they wear out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from combatlog.rules.action_points.checks import Attempt, check
from combatlog.rules.action_points.equipment import Harmful, Protection, Shield
from combatlog.rules.action_points.formulas import worn_rating
from combatlog.rules.action_points.tables import PROTECTION_TV
from combatlog.rules.engine.chain import Modifier
from combatlog.rules.engine.table import Table
from ledger.events import Change, ChangeOp
from projections.combatant import Combatant

ARMOUR = "armour"
"""The purpose of an armour check."""
NOTHING = -1
"""Below any success value: all of it has been absorbed."""


@dataclass(frozen=True, slots=True)
class Absorbed:
    """What a shield or a piece of armour takes off a success value, and what that costs it."""

    worn: Protection
    points: int
    wear: int

    @property
    def source(self) -> str:
        kind = "shield" if isinstance(self.worn, Shield) else "armour"
        return f"action_points:{kind}:{self.worn.name.replace(' ', '_')}"

    def modifier(self, owner: Combatant) -> Modifier:
        change = Change(op=ChangeOp.BONUS, amount=-self.points)
        return Modifier("protection", self.source, owner.id, f"{self.worn.name} absorbs it", change)


def absorb(
    table: Table, defender: Combatant, worn: Iterable[Protection], means: Harmful, success_value: int
) -> Iterator[Absorbed]:
    """What each piece absorbs in turn, the outermost first, until nothing is left."""
    left = success_value
    for one in worn:
        if left >= 0 and _protects(table, defender, one, means):
            absorbed = _absorbed(defender, one, means, left)
            left = left - absorbed.points or NOTHING
            yield absorbed


def _protects(table: Table, defender: Combatant, worn: Protection, means: Harmful) -> bool:
    """A raised shield has passed its check already. Armour makes its own, which is free."""
    if rating(defender, worn, means) == 0:
        return False
    return isinstance(worn, Shield) or check(table, Attempt(defender, worn.skill, ARMOUR), PROTECTION_TV).success


def _absorbed(defender: Combatant, worn: Protection, means: Harmful, success_value: int) -> Absorbed:
    """Armour of a higher class than the weapon absorbs everything, as if it were a success value of 1."""
    if worn.damage_class > means.damage_class:
        return Absorbed(worn, success_value, wear=1)
    points = min(rating(defender, worn, means), durability(defender, worn), success_value)
    return Absorbed(worn, points, wear=points)


def rating(defender: Combatant, worn: Protection, means: Harmful) -> int:
    """The success value that it would absorb in its condition."""
    rated = worn_rating(worn.rating(means.damage_type), durability(defender, worn), worn.durability)
    return max(0, rated - means.piercing)


def durability(owner: Combatant, worn: Protection) -> int:
    """What is left of it. A fight of an older version has no such pool: there it is as good as new."""
    return owner.economy.left(worn.name) if worn.name in owner.economy else worn.durability


def wear_out(table: Table, owner: Combatant, absorbed: Absorbed) -> None:
    if absorbed.wear:
        left = max(0, durability(owner, absorbed.worn) - absorbed.wear)
        table.reset(owner, absorbed.worn.name, left, "worn by what it absorbed", absorbed.source)
