"""The library as it is listed and checked: each entry with its status, and what the engine does with it."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.content.ability_library import AbilityLibrary, LibraryEntry, LibraryPart, LibraryReport, Wiring
from combatlog.rules.skirmish.ability import Ability, AbilityType
from combatlog.rules.skirmish.library import Library, find, library_from, with_own
from combatlog.rules.skirmish.library_checks import status_of, unknown_properties
from combatlog.rules.skirmish.library_file import examine, parse_library
from combatlog.rules.skirmish.registry import PROPERTIES, Manual
from combatlog.rules.skirmish.surges import SurgePart
from ledger.events import Data

_UNKNOWN = "the engine does not know it; people carry it out"


class SkirmishLibrary(AbilityLibrary):
    def entries(self, own: str | None = None, status: Wiring | None = None) -> list[LibraryEntry]:
        entries = _entries(_library(own))
        return [entry for entry in entries if status is None or entry.status is status]

    def entry(self, name: str, own: str | None = None) -> LibraryEntry:
        return _entry(find(_library(own), name))

    def check(self, text: str) -> LibraryReport:
        data, findings = examine(text)
        if data is None:
            return LibraryReport(tuple(findings), ())
        return LibraryReport((), tuple(_entries(library_from(data))), tuple(findings))

    def encounter_option(self, text: str) -> Data:
        return parse_library(text)


def _library(own: str | None) -> Library:
    return library_from(with_own(parse_library(own) if own is not None else None))


def _entries(library: Library) -> list[LibraryEntry]:
    return [_entry(ability) for ability in library.abilities.values()]


def _entry(ability: Ability) -> LibraryEntry:
    parts = list(_properties(ability))
    parts += [_surge(part) for part in ability.surge_parts]
    unknown = tuple(unknown_properties(ability))
    return LibraryEntry(ability.id, ability.type_name, ability.label, status_of(ability), tuple(parts), unknown)


def _properties(ability: Ability, within: str = "") -> Iterator[LibraryPart]:
    """Every property; those within another one follow it, under both names."""
    for name, value in ability.properties.items():
        part = _property(ability, name, value)
        yield LibraryPart(f"{within}{name}", part.value, part.does, part.by_engine)
        entry = PROPERTIES.get(name)
        if entry is not None and entry.nested and ability.is_known(name):
            for inner in ability.inner(name):
                yield from _properties(inner, f"{within}{name}.")


def _property(ability: Ability, name: str, value: object) -> LibraryPart:
    entry = PROPERTIES.get(name)
    if entry is None or not ability.is_known(name):
        return LibraryPart(name, value, _UNKNOWN, by_engine=False)
    untriggered = ability.type is AbilityType.TRIGGERED
    does = "the engine does not trigger it; people carry it out" if untriggered else entry.does
    return LibraryPart(name, value, does, by_engine=not untriggered and not isinstance(entry, Manual))


def _surge(part: SurgePart) -> LibraryPart:
    does = "the engine carries it out" if part.is_known else _UNKNOWN
    return LibraryPart(part.text, part.amount or part.points, does, part.is_known)
