"""What character sheets leave unsaid about classes."""

from __future__ import annotations

from collections.abc import Mapping

HIT_DICE = {
    "barbarian": 12, "fighter": 10, "paladin": 10, "ranger": 10, "bard": 8, "cleric": 8, "druid": 8, "monk": 8,
    "rogue": 8, "warlock": 8, "artificer": 8, "sorcerer": 6, "wizard": 6,
}  # fmt: skip
SPELL_ABILITIES = {
    "bard": "cha", "cleric": "wis", "druid": "wis", "paladin": "cha", "ranger": "wis", "sorcerer": "cha",
    "warlock": "cha", "wizard": "int", "artificer": "int",
}  # fmt: skip


def hit_dice(classes: Mapping[str, int]) -> str:
    """As many dice as levels, of the class with the most levels: a sheet has one kind of them."""
    if not classes:
        return "1d8"
    main = max(classes, key=lambda name: classes[name])
    return f"{sum(classes.values())}d{HIT_DICE.get(main.lower(), 8)}"


def proficiency(level: int) -> int:
    return 2 + (max(1, level) - 1) // 4
