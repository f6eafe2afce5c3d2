"""The dice that a bard inspires friends with and mocks enemies with."""

from __future__ import annotations

from combatlog.rules.dnd5e.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.ruleset import RestKind
from projections.combatant import Combatant

INSPIRATION = "bardic_inspiration"
FONT_OF_INSPIRATION = 5
"""The level from which a short rest restores inspiration."""


def inspirations(sheet: Sheet) -> int:
    return max(1, sheet.modifier(AbilityScore.CHA))


def rest_for_inspiration(sheet: Sheet) -> RestKind:
    return RestKind.SHORT if sheet.level >= FONT_OF_INSPIRATION else RestKind.LONG


def inspiration_die(bard: Combatant) -> int:
    """How many sides it has."""
    level = sheet_of(bard).level
    return 6 if level < 5 else 8 if level < 10 else 10 if level < 15 else 12
