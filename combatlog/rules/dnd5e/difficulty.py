"""The difficulty of an encounter: experience points of the foes against thresholds by the levels of the characters."""

from __future__ import annotations

from combatlog.rules.content.bestiary import Difficulty, Foe
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.words import Nature
from combatlog.rules.engine.refusal import Refusal, choices
from projections.battle import Battle
from projections.combatant import Combatant

RATINGS = ("easy", "medium", "hard", "deadly")
TRIVIAL = "trivial"
THRESHOLDS = {
    1: (25, 50, 75, 100),
    2: (50, 100, 150, 200),
    3: (75, 150, 225, 400),
    4: (125, 250, 375, 500),
    5: (250, 500, 750, 1100),
    6: (300, 600, 900, 1400),
    7: (350, 750, 1100, 1700),
    8: (450, 900, 1400, 2100),
    9: (550, 1100, 1600, 2400),
    10: (600, 1200, 1900, 2800),
    11: (800, 1600, 2400, 3600),
    12: (1000, 2000, 3000, 4500),
    13: (1100, 2200, 3400, 5100),
    14: (1250, 2500, 3800, 5700),
    15: (1400, 2800, 4300, 6400),
    16: (1600, 3200, 4800, 7200),
    17: (2000, 3900, 5900, 8800),
    18: (2100, 4200, 6300, 9500),
    19: (2400, 4900, 7300, 10900),
    20: (2800, 5700, 8500, 12700),
}
"""Experience points at which an encounter is easy, medium, hard or deadly for one character, by level."""
MULTIPLIERS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0)
_UP_TO = ((1, 1), (2, 2), (6, 3), (10, 4), (14, 5))
"""The most foes to which a step of MULTIPLIERS applies."""
SMALL_PARTY = 2
LARGE_PARTY = 6


def multiplier(foes: int, characters: int) -> float:
    """Many foes are worse than their sum; the more so for a small party, the less so for a large one."""
    step = next((step for most, step in _UP_TO if foes <= most), 6)
    step += (characters <= SMALL_PARTY) - (characters >= LARGE_PARTY)
    return MULTIPLIERS[max(0, step)]


def thresholds(levels: list[int]) -> dict[str, int]:
    return {name: sum(THRESHOLDS[level][at] for level in levels) for at, name in enumerate(RATINGS)}


def rating(adjusted: int, limits: dict[str, int]) -> str:
    return next((name for name in reversed(RATINGS) if adjusted >= limits[name]), TRIVIAL)


def difficulty(battle: Battle, side: str) -> Difficulty:
    heroes = [one for one in battle.present() if one.side == side and _is_character(one)]
    if not heroes:
        sides = sorted({one.side for one in battle.present() if _is_character(one)})
        told = f"; there are characters on {choices(sides)}" if sides else ""
        raise Refusal(
            "difficulty/no-characters", f"No character fights for {side!r}{told}.", side=side, available=sides
        )
    foes = [one for one in battle.present() if one.side != side]
    worth = [Foe(one.name, sheet_of(one).xp) for one in foes]
    counted = [foe for foe in worth if foe.xp is not None]
    levels = sorted(sheet_of(one).level for one in heroes)
    total = sum(foe.xp or 0 for foe in counted)
    times = multiplier(len(counted), len(levels)) if counted else 1.0
    limits, adjusted = thresholds(levels), int(total * times)
    return Difficulty(
        side=side,
        levels=tuple(levels),
        foes=tuple(worth),
        xp=total,
        multiplier=times,
        adjusted=adjusted,
        thresholds=limits,
        rating=rating(adjusted, limits),
        without_xp=tuple(foe.name for foe in worth if foe.xp is None),
    )


def _is_character(one: Combatant) -> bool:
    return sheet_of(one).nature is Nature.CHARACTER
