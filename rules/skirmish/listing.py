"""What `combatlog abilities` shows: entries with their derived status, and what the engine would do with each."""

from __future__ import annotations

from dataclasses import dataclass

from rules.skirmish.checking import Finding, Status, examine, parse_library, status_of, unknown_properties
from rules.skirmish.library import Ability, AbilityType, Library, find, library_from, with_own
from rules.skirmish.registry import PROPERTIES, Manual
from rules.skirmish.surges import SurgePart


@dataclass(frozen=True, slots=True)
class Part:
    """One property or surge part of an entry, and what becomes of it."""

    name: str
    value: object
    does: str
    by_engine: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """An ability as it is shown."""

    ability: Ability
    status: Status
    parts: tuple[Part, ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What a library file would do: problems keep it from being used, entries say what the engine makes of it."""

    problems: tuple[Finding, ...]
    entries: tuple[Entry, ...]

    @property
    def unknown(self) -> list[tuple[str, str]]:
        """Every property that the engine does not know, with the entry that has it."""
        return [(entry.ability.id, name) for entry in self.entries for name in entry.unknown]


def entries_of(library: Library, status: Status | None = None) -> list[Entry]:
    """The entries of a library in its order, those of one status if asked for."""
    entries = [entry_of(ability) for ability in library.abilities.values()]
    return [entry for entry in entries if status is None or entry.status is status]


def show(library: Library, name: str) -> Entry:
    return entry_of(find(library, name))


def check(text: str) -> Report:
    """Check the text of a library file. Where a part of it is wrong, nothing of it counts as an entry."""
    data, problems = examine(text)
    library = library_from(data) if data is not None and not problems else Library("", {})
    return Report(tuple(problems), tuple(entries_of(library)))


def library_to_show(own: str | None = None) -> Library:
    """The shipped library, with the entries of one's own file where its text is given."""
    return library_from(with_own(parse_library(own) if own is not None else None))


def entry_of(ability: Ability) -> Entry:
    parts = [_property(ability, name, value) for name, value in ability.properties.items()]
    parts += [_surge(part) for part in ability.surge_parts]
    return Entry(ability, status_of(ability), tuple(parts), tuple(unknown_properties(ability)))


def _property(ability: Ability, name: str, value: object) -> Part:
    entry = PROPERTIES.get(name)
    if entry is None or not ability.is_known(name):
        return Part(name, value, "not known to the engine: people carry it out", by_engine=False)
    untriggered = ability.type is AbilityType.TRIGGERED
    does = "nothing triggers it: people carry it out" if untriggered else entry.does
    return Part(name, value, does, by_engine=not untriggered and not isinstance(entry, Manual))


def _surge(part: SurgePart) -> Part:
    does = "carried out by the engine" if part.is_known else "not known to the engine: people carry it out"
    return Part(part.text, part.amount or None, does, part.is_known)
