"""Making pieces from data. To add an archetype, write a class with `@archetype` and `@options` in `archetypes`."""

from __future__ import annotations

from combatlog.rules.content.archetypes import Archetypes, options
from combatlog.rules.content.shipped import shipped_file
from combatlog.rules.dnd5e.pieces import PIECES
from combatlog.rules.dnd5e.sheet import PACKAGE

__all__ = ["ARCHETYPES", "archetype", "options"]

ARCHETYPES = Archetypes(
    "combatlog.rules.dnd5e.archetypes", {"spells": "spell", "features": "feature", "actions": "action"}
)
archetype = ARCHETYPES.add


def load_made() -> None:
    """Make the ruleset's own pieces that are data. Call it once all conditions are loaded: the data may name them."""
    ARCHETYPES.load()
    for section in ("features", "spells"):
        for name, definition in shipped_file(PACKAGE, section).items():
            PIECES.include(ARCHETYPES.made_from(section, name, definition))
