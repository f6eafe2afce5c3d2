"""The phrases of printed stat blocks, for what formats say with fields only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from combatlog.rules.statblocks.block import ABILITIES


@dataclass(frozen=True, slots=True)
class Amount:
    """Dice of damage, and its type."""

    dice: str
    type: str


@dataclass(frozen=True, slots=True)
class Strike:
    """An attack in numbers."""

    to_hit: int
    damage: tuple[Amount, ...] = ()
    ways: tuple[str, ...] = ("melee",)
    """`melee`, `ranged` or both."""
    by_spell: bool = False
    reach: int = 5
    range: tuple[int, int] | None = None

    @property
    def phrase(self) -> str:
        """`Melee Weapon Attack: +5 to hit, reach 5 ft., one target`"""
        spans = [f"reach {self.reach} ft."] if "melee" in self.ways else []
        if self.range is not None:
            near, far = self.range
            spans.append(f"range {near}/{far} ft." if far != near else f"range {near} ft.")
        way, means = " or ".join(self.ways).capitalize(), "Spell" if self.by_spell else "Weapon"
        return f"{way} {means} Attack: {self.to_hit:+d} to hit, {' or '.join(spans) or 'reach 5 ft.'}, one target"

    @property
    def sentences(self) -> str:
        hit = f" Hit: {damage_phrase(self.damage)} damage." if self.damage else ""
        return f"{self.phrase}.{hit}"


@dataclass(frozen=True, slots=True)
class Ordeal:
    """Something to save against, in numbers."""

    ability: str
    dc: int
    damage: tuple[Amount, ...] = ()
    halved: bool = True
    area: str = ""
    """A shape and its size in feet, such as `30-foot cone`."""
    range: int | None = None
    conditions: tuple[str, ...] = ()

    @property
    def phrase(self) -> str:
        return f"DC {self.dc} {ABILITIES.get(self.ability, 'dexterity').capitalize()}"

    def sentence(self, *, follows_a_hit: bool = False) -> str:
        """`Each creature in a 30-foot cone must make a DC 13 Dexterity saving throw, taking ...`"""
        away = f" within {self.range} feet" if self.range else ""
        one = "The target" if follows_a_hit else f"One target{away}"
        where = f"Each creature in a {self.area}" if self.area else one
        suffers = " and ".join(f"be {condition}" for condition in self.conditions)
        if self.damage and self.halved:
            harm = f"taking {damage_phrase(self.damage)} damage on a failed save"
            made = (
                f"{where} must make a {self.phrase} saving throw, {harm}, or half as much damage on a successful one."
            )
            return f"{made} On a failed save, it must also {suffers} for 1 minute." if suffers else made
        harm = f"take {damage_phrase(self.damage)} damage" if self.damage else ""
        then = " and ".join(filter(None, [harm, f"{suffers} for 1 minute" if suffers else ""])) or "suffer the effect"
        return f"{where} must succeed on a {self.phrase} saving throw or {then}."


def damage_phrase(amounts: Sequence[Amount]) -> str:
    """`7 (2d6) fire damage plus ...`, without the last `damage`."""
    return " damage plus ".join(f"{averaged(amount.dice)} {amount.type}".strip() for amount in amounts)


def averaged(dice: str) -> str:
    """`13 (2d8 + 4)`"""
    found = re.fullmatch(r"(\d+)d(\d+)([+-]\d+)?", dice)
    if found is None:
        return dice
    average = int(found[1]) * (int(found[2]) + 1) // 2 + int(found[3] or 0)
    bonus = f" {found[3][0]} {found[3][1:]}" if found[3] else ""
    return f"{max(average, 1)} ({found[1]}d{found[2]}{bonus})"
