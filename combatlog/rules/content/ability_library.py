"""The interface of an ability library: what each entry says, and how much of it the engine carries out.

A ruleset that has a library provides it as `Ruleset.library`; interfaces know only this.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum

from ledger.events import Data


class Wiring(StrEnum):
    """How much of an entry the engine carries out. People do the rest."""

    WIRED = "wired"
    PARTIAL = "partial"
    UNWIRED = "unwired"


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with one entry, and with which of its properties."""

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
    """An entry as it is shown."""

    id: str
    type: str
    label: str
    status: Wiring
    parts: tuple[LibraryPart, ...]
    unknown: tuple[str, ...]
    """Properties that the engine does not know."""


@dataclass(frozen=True, slots=True)
class LibraryReport:
    """The check of a library file: problems that prevent its use, what the engine does with each entry, and what is
    wrong with entries that are left out."""

    problems: tuple[Finding, ...]
    entries: tuple[LibraryEntry, ...]
    left_out: tuple[Finding, ...] = ()

    @property
    def unknown(self) -> list[tuple[str, str]]:
        """Every property that the engine does not know, with the entry that has it."""
        return [(entry.id, name) for entry in self.entries for name in entry.unknown]


class AbilityLibrary(ABC):
    """A ruleset's library. `own` is the text of a library file whose entries are added to the shipped ones."""

    @abstractmethod
    def entries(self, own: str | None = None, status: Wiring | None = None) -> list[LibraryEntry]:
        """The entries in the library's order; only those of one status, if given."""

    @abstractmethod
    def entry(self, name: str, own: str | None = None) -> LibraryEntry:
        """One entry by its id, or a refusal."""

    @abstractmethod
    def check(self, text: str) -> LibraryReport:
        """Everything that is wrong with a library file, and what the engine would do with each sound entry."""

    @abstractmethod
    def encounter_option(self, text: str) -> Data:
        """The text of a library file as the option `library` of an encounter."""
