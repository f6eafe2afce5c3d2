"""The interfaces of a bestiary and of an ability library, which a ruleset may provide.

A bestiary (`Ruleset.bestiary`) finds creatures by name, imports stat blocks of other tools and computes difficulty. An
ability library (`Ruleset.library`) says what each entry does and how much of it the engine carries out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer
from typing_extensions import TypedDict

from combatlog.rules.content.packs import Pack
from ledger.events import Data
from ledger.json_shapes import Documented
from projections.battle.fold import Battle

Progress = Callable[[int, int], None]
"""Called with the amount done and the total."""


@dataclass(frozen=True, slots=True)
class Creature(Documented):
    """A creature as shown in a list."""

    id: str
    name: str
    cr: float | None
    xp: int | None
    type: str
    size: str
    ac: int | None
    hp: int
    origin: str
    """Its origin in a few words: `dnd5e`, the name of a pack, or `System Reference Document 5.1`."""


@dataclass(frozen=True, slots=True)
class CardLine:
    """A named line of a stat block."""

    name: str
    text: str


class TitledLines(TypedDict):
    title: str
    lines: tuple[CardLine, ...]


def _titled(sections: tuple[tuple[str, tuple[CardLine, ...]], ...]) -> list[TitledLines]:
    return [{"title": title, "lines": lines} for title, lines in sections]


def _untitled(sections: Any) -> Any:
    return [(one["title"], one["lines"]) if isinstance(one, dict) else one for one in sections]


@dataclass(frozen=True, slots=True)
class Card(Documented):
    """A stat block for display: its figures, then its titled sections."""

    creature: Creature
    figures: tuple[CardLine, ...]
    sections: Annotated[
        tuple[tuple[str, tuple[CardLine, ...]], ...], BeforeValidator(_untitled), PlainSerializer(_titled)
    ]
    source: str | None
    """Licence and attribution."""


@dataclass(frozen=True, slots=True)
class MappingCount:
    """How much of one kind of stat block content was mapped to rules."""

    kind: str
    mapped: int
    in_part: int
    """The rules carry out the main part, and the GM is asked about the rest."""
    left: int
    no_bearing: int
    """Content that does not matter in a fight, which is not part of the share."""

    @property
    def total(self) -> int:
        return self.mapped + self.in_part + self.left

    @property
    def share(self) -> float:
        """The share that the rules carry out, in whole or in part."""
        return (self.mapped + self.in_part) / self.total if self.total else 1.0


@dataclass(frozen=True, slots=True)
class Unmapped:
    """An ability or spell that the rules do not carry out, or only in part."""

    kind: str
    name: str
    owner: str
    """The creature that has it; empty for a spell."""
    in_part: bool


@dataclass(frozen=True, slots=True)
class ImportedCreatures:
    """The result of an import."""

    pack: Pack
    source: str
    tallies: tuple[MappingCount, ...]
    unmapped: tuple[Unmapped, ...]
    unusable: tuple[CardLine, ...]
    """Creatures that cannot be used, and why."""


@dataclass(frozen=True, slots=True)
class Foe:
    name: str
    xp: int | None


@dataclass(frozen=True, slots=True)
class Difficulty(Documented):
    """How hard an encounter is for one side."""

    side: str
    levels: tuple[int, ...]
    """The levels of the characters on that side."""
    foes: tuple[Foe, ...]
    xp: int
    multiplier: float
    adjusted: int
    thresholds: dict[str, int]
    rating: str
    """`trivial`, or the highest threshold reached."""
    without_xp: tuple[str, ...]
    """Foes without XP on their sheets; they are not counted."""


class Bestiary(ABC):
    @abstractmethod
    def creatures(self, packs: Sequence[Pack] = ()) -> list[Creature]:
        """Every creature that can join by name: from the packs, the ruleset, and content installed beside it."""

    @abstractmethod
    def names(self) -> Sequence[str]:
        """The ids of the creatures that are installed beside the ruleset."""

    @abstractmethod
    def installed(self, name: str) -> Data | None:
        """The sheet of a creature that is installed beside the ruleset, in full."""

    @abstractmethod
    def card(self, sheet: Data, id: str, origin: str) -> Card:
        """A sheet as a stat block for display."""

    @abstractmethod
    def import_pack(
        self, source: str, name: str, format: str | None = None, progress: Progress | None = None
    ) -> ImportedCreatures:
        """A pack from the files of another tool, or from installed content (`srd`)."""

    @abstractmethod
    def formats(self) -> dict[str, str]:
        """The formats that can be imported, by name, with what each one reads."""

    @abstractmethod
    def difficulty(self, battle: Battle, side: str) -> Difficulty:
        """The difficulty of a fight for one side."""


class Wiring(StrEnum):
    """How much of an entry the engine carries out. People do the rest."""

    WIRED = "wired"
    PARTIAL = "partial"
    UNWIRED = "unwired"


@dataclass(frozen=True, slots=True)
class LibraryFinding:
    """A problem with an entry, and the property that has it."""

    ability: str
    field: str | None
    problem: str

    @property
    def sentence(self) -> str:
        return f"{self.ability}: {self.field + ' ' if self.field else ''}{self.problem}"


@dataclass(frozen=True, slots=True)
class LibraryPart:
    """One property or surge of an entry, and what it does."""

    name: str
    value: object
    does: str
    by_engine: bool


@dataclass(frozen=True, slots=True)
class LibraryEntry:
    """An entry for display."""

    id: str
    type: str
    label: str
    status: Wiring
    parts: tuple[LibraryPart, ...]
    unknown: tuple[str, ...]
    """Properties that the engine does not know."""


@dataclass(frozen=True, slots=True)
class LibraryReport:
    """The check of a library file: problems that prevent its use, what the engine does with each entry, and the
    problems of entries that are left out."""

    problems: tuple[LibraryFinding, ...]
    entries: tuple[LibraryEntry, ...]
    left_out: tuple[LibraryFinding, ...] = ()

    @property
    def unknown(self) -> list[tuple[str, str]]:
        """Every property unknown to the engine, with its entry."""
        return [(entry.id, name) for entry in self.entries for name in entry.unknown]


class AbilityLibrary(ABC):
    """A ruleset's library. `own` is the text of a library file whose entries are added to the shipped ones."""

    @abstractmethod
    def entries(self, own: str | None = None, status: Wiring | None = None) -> list[LibraryEntry]:
        """The entries in the library's order, or only those with a status."""

    @abstractmethod
    def entry(self, name: str, own: str | None = None) -> LibraryEntry:
        """The entry with this id. Refuses an unknown one."""

    @abstractmethod
    def check(self, text: str) -> LibraryReport:
        """The problems of a library file, and what the engine would do with each valid entry."""

    @abstractmethod
    def encounter_option(self, text: str) -> Data:
        """The text of a library file as the option `library` of an encounter."""
