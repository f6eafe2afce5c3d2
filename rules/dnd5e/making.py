"""Making pieces from data. To add an archetype: a class with `@options` and `@archetype` in the folder `archetypes`."""

from __future__ import annotations

from rules.archetypes import Archetypes, options

__all__ = ["ARCHETYPES", "archetype", "options"]

ARCHETYPES = Archetypes("rules.dnd5e.archetypes", {"spells": "spell", "features": "feature", "actions": "action"})
archetype = ARCHETYPES.add
