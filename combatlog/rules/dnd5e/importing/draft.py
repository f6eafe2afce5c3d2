"""A sheet in the making, and what became of each paragraph of its stat block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from combatlog.rules.dnd5e.archetype_registry import ARCHETYPES
from combatlog.rules.dnd5e.importing.grammar import slug
from combatlog.rules.dnd5e.loadout import check_name
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.statblocks.block import Paragraph, StatBlock
from ledger.events import Data


class Kind(StrEnum):
    """What is counted separately."""

    ATTACK = "attacks"
    ABILITY = "traits and actions"
    SPELL = "combat spells"


class Fate(StrEnum):
    """What became of something that a stat block says."""

    MAPPED = "mapped"
    IN_PART = "in part"
    """The rules carry out what matters most, and the GM is asked about the rest."""
    LEFT = "left to the GM"
    NO_BEARING = "no bearing on a fight"
    """Nothing that a fight under these rules could show, such as breathing under water."""


@dataclass(frozen=True, slots=True)
class Entry:
    kind: Kind
    owner: str
    name: str
    fate: Fate


@dataclass(slots=True)
class Draft:
    block: StatBlock
    sheet: dict[str, Any] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    find: Callable[[str], Data | str | None] = lambda name: None
    """The entry of a spell by its name."""
    taken: set[str] = field(default_factory=set)
    """Names of pieces that the sheet has."""

    def count(self, kind: Kind, name: str, fate: Fate) -> None:
        self.entries.append(Entry(kind, self.block.name, name, fate))

    def add(self, section: str, entry: str | Data) -> None:
        self.sheet.setdefault(section, []).append(entry)
        if section in ("features", "actions", "spells"):
            self.taken.add(entry if isinstance(entry, str) else entry["name"])

    def add_piece(self, section: str, piece: Data) -> bool:
        """Add a definition, unless the rules refuse it. Returns whether it was added."""
        if not self.is_sound(section, piece):
            return False
        self.add(section, piece)
        return True

    def is_sound(self, section: str, piece: Data) -> bool:
        try:
            ARCHETYPES.made_from(section, piece["name"], {key: piece[key] for key in piece if key != "name"})
        except Refusal:
            return False
        return True

    def note(self, paragraph: Paragraph, text: str | None = None) -> None:
        name, said = paragraph.name[:80], (text or paragraph.text)[:4000]
        if not any(note["name"] == name for note in self.sheet.get("notes", ())):
            self.add("notes", {"name": name, "text": said})

    def named(self, name: str) -> str:
        """A free name for a piece."""
        wanted = slug(name)
        number, free = 1, wanted
        while free in self.taken or _is_reserved(free):
            number += 1
            free = f"{wanted[:36]}_{number}"
        return free

    def weapon(self, name: str) -> Data | None:
        """A weapon of the sheet; those of the ruleset are there by name only."""
        return next((weapon for weapon in self.weapons if weapon["name"] == name), None)

    @property
    def weapons(self) -> list[Data]:
        return [{"name": one} if isinstance(one, str) else one for one in self.sheet.get("weapons", ())]


def _is_reserved(name: str) -> bool:
    try:
        check_name(name)
    except Refusal:
        return True
    return False
