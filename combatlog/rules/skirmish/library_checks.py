"""Reading, checking and listing a library file: the problems of an entry, and how much of it the engine carries out.

Invalid entries are reported and left out; the rest is used.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from pydantic import ValidationError

from combatlog.rules.content.bestiary import (
    AbilityLibrary,
    LibraryEntry,
    LibraryFinding,
    LibraryPart,
    LibraryReport,
    Wiring,
)
from combatlog.rules.content.limits import check_data
from combatlog.rules.engine.options_and_validation import first_complaint
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.skirmish.library import (
    ABOUT,
    CHOOSE_ONE,
    LEFT_OUT,
    AbilityCatalogue,
    AbilityType,
    LibraryAbility,
    SurgePart,
    ability_from,
    find,
    has_unknown_shape,
    library_from,
    shipped_library,
    with_own,
)
from combatlog.rules.skirmish.pieces import PROPERTIES, EffectProperty, ManualProperty, PriceProperty
from combatlog.rules.skirmish.vocabulary import ACTION_TIMINGS, PROVIDED, Need, Timing, slug
from ledger.events import Data

MAX_TEXT = 300
MOST_TIMINGS = 4
"""How many of the fitting timings a message lists."""


def status_of(ability: LibraryAbility) -> Wiring:
    """Wired: every part has an implementation; partial: some have one; unwired: none has.

    The status is derived. A label or a file is only trusted if it says that people carry out a part.
    """
    if not _carried_out(ability):
        return Wiring.UNWIRED
    asks = any(ability.questions()) or any(any(inner.questions()) for inner in ability.nested)
    return Wiring.PARTIAL if asks else Wiring.WIRED


def _carried_out(ability: LibraryAbility) -> bool:
    if ability.type is AbilityType.TRIGGERED:
        return False  # the engine never triggers an ability by itself
    own = [effect for effect in ability.effects() if not effect.nested]
    return any(own) or any(map(_carried_out, ability.nested)) or any(part.is_known for part in ability.surge_parts)


def unknown_properties(ability: LibraryAbility) -> list[str]:
    names = [name for name in ability.properties if not ability.is_known(name)]
    names += [name for inner in ability.nested for name in unknown_properties(inner)]
    return names + [part.text for part in ability.surge_parts if not part.is_known]


def check_entry(name: Any, entry: Any) -> list[LibraryFinding]:
    """Every problem with an entry. An unknown type, property or shape is not a problem."""
    if not isinstance(name, str) or not slug(name) or len(name) > MAX_TEXT:
        return [LibraryFinding(str(name)[:40] or "an entry", None, "needs a name that contains letters or digits")]
    if not isinstance(entry, dict) or not all(isinstance(key, str) for key in entry):
        return [LibraryFinding(name, None, "is not an object with fields")]
    if beyond := beyond_limits([name, entry]):
        return [LibraryFinding(name, None, f"cannot be recorded. {beyond}")]
    found = [finding for key, value in entry.items() if (finding := _check_field(name, key, value))]
    if "type" not in entry:
        found.insert(0, LibraryFinding(name, "type", f"is missing; it can be {choices(AbilityType)}"))
    return found or list(_check_whole(name, entry))


def beyond_limits(data: Any) -> str | None:
    """Why data cannot be recorded; None if it can. A library is recorded with the encounter, so the limits apply."""
    try:
        check_data(data)
    except Refusal as refusal:
        return refusal.sentence
    return None


def _check_field(name: str, key: str, value: Any) -> LibraryFinding | None:
    if key in ABOUT:
        problem = _ABOUT_CHECKS[key](value)
        return LibraryFinding(name, key, problem) if problem else None
    entry = PROPERTIES.get(key)
    if entry is None or has_unknown_shape(key, value):
        return None
    try:
        entry.value.validate_python(value)
    except ValidationError as error:
        return LibraryFinding(name, key, f"is not valid: {first_complaint(error).in_words}")
    return None


def _check_whole(name: str, entry: Data) -> Iterator[LibraryFinding]:
    """Problems that depend on several fields."""
    ability = ability_from(name, entry)
    for part in ability.surge_parts:
        if part.adds_nothing:
            yield LibraryFinding(name, None, f"contains {part.text!r}; a surge adds 1 or more")
    yield from _check_nested(name, ability)
    if ability.price and ability.when not in ACTION_TIMINGS:
        priced = next(key for key in ability.properties if isinstance(PROPERTIES.get(key), PriceProperty))
        fitting = choices(ACTION_TIMINGS)
        yield LibraryFinding(
            name, priced, f"can only be paid in an activation, not with the timing {ability.when}; use {fitting}"
        )
    for effect in ability.every_effect:
        if ability.type is not None and (problem := _MOMENT_CHECKS[ability.type](ability, effect)):
            yield LibraryFinding(name, effect.name, problem)


def _check_nested(name: str, ability: LibraryAbility) -> Iterator[LibraryFinding]:
    for key in ability.properties:
        entry = PROPERTIES.get(key)
        if entry is None or not entry.nested:
            continue
        value = ability.properties[key]
        for inner in [value] if isinstance(value, dict) else value:
            content = {"type": ability.type_name, **inner}
            if key == CHOOSE_ONE:
                content["timing"] = ability.when.value
            yield from (LibraryFinding(name, f"{key}.{one.field}", one.problem) for one in check_entry(name, content))


def _misplaced(ability: LibraryAbility, effect: EffectProperty) -> str | None:
    if effect.needs in PROVIDED[ability.when]:
        return None
    fitting = choices([timing for timing in Timing if effect.needs in PROVIDED[timing]][:MOST_TIMINGS])
    return f"needs {effect.needs}, which the timing {ability.when} does not provide; use {fitting}"


def _not_in_attacks(ability: LibraryAbility, effect: EffectProperty) -> str | None:
    fits = effect.needs in (Need.ATTACKER, Need.DEFENDER)
    return None if fits else "does not affect attacks; a passive ability applies to every attack of its figure"


def _surge_effect(ability: LibraryAbility, effect: EffectProperty) -> str | None:
    return "has no effect in a surge ability, whose id says what it does"


_MOMENT_CHECKS = {
    AbilityType.CC_EFFECT: _misplaced,
    AbilityType.SPECIAL_ACTION: _misplaced,
    AbilityType.PASSIVE: _not_in_attacks,
    AbilityType.TRIGGERED: lambda ability, effect: None,
    AbilityType.SURGE: _surge_effect,
}


def _one_of(values: type[StrEnum], value: Any) -> str | None:
    return None if value in list(values) else f"is {json.dumps(value)}; it can be {choices(values)}"


def _text(value: Any) -> str | None:
    return (
        None
        if isinstance(value, str) and 0 < len(value) <= MAX_TEXT
        else f"has to be text of 1 to {MAX_TEXT} characters"
    )


def _word(value: Any) -> str | None:
    """A type may be unknown to the engine, but it has to be a word."""
    fits = isinstance(value, str) and re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,39}", value)
    return None if fits else f"is {json.dumps(value)[:40]}; it has to be one word"


def _number(value: Any, least: int) -> str | None:
    fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= 99
    return None if fits else f"is {json.dumps(value)}; it has to be a number from {least} to 99"


_ABOUT_CHECKS: dict[str, Callable[[Any], str | None]] = {
    "type": _word,
    "label": _text,
    "timing": lambda value: _one_of(Timing, value),
    "cost": lambda value: _number(value, 0),
    "trait": _text,
    "surgeCost": lambda value: _number(value, 1),
    "wiredStatus": _text,
    "limit": lambda value: _number(value, 1),
}
assert tuple(_ABOUT_CHECKS) == ABOUT


MOST_CHARACTERS = 400
"""The length to which a refusal shortens each problem; a name may have any length."""
MOST_LISTED = 20
"""The most problems that a refusal lists; a file may have thousands."""

_FILE = "the file"
_KEYS = ("source", "abilities", LEFT_OUT)


class Sifted(NamedTuple):
    """The usable part of a library, and the problems of the rest."""

    usable: Data | None
    """None: the library cannot be used at all."""
    findings: list[LibraryFinding]


class _Object(dict[str, Any]):
    """A JSON object that remembers its duplicate keys."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.twice = [name for name, times in Counter(name for name, _ in pairs).items() if times > 1]


def parse_library(text: str) -> Data:
    """The usable entries of a library file. Refuses a file without any and lists its problems."""
    return usable(examine(text))


def usable(sifted: Sifted) -> Data:
    if sifted.usable is None:
        raise refusal_of(sifted.findings)
    return sifted.usable


def refusal_of(findings: list[LibraryFinding]) -> Refusal:
    named = [finding.sentence[:MOST_CHARACTERS] for finding in findings[:MOST_LISTED]]
    more = f"; and {len(findings) - MOST_LISTED} more" if len(findings) > MOST_LISTED else ""
    return Refusal(
        "library/invalid",
        f"The library cannot be used: {'; '.join(named)}{more}.",
        problems=named,
        count=len(findings),
    )


def require_sound(name: str, entry: Data) -> None:
    """Refuse an entry of a pack that cannot be used."""
    if findings := sift({"abilities": {name: entry}}).findings:
        raise refusal_of(findings)


def require_sound_card(name: str, entry: Data) -> None:
    require_sound(name, as_card(entry))


def as_card(entry: Data) -> Data:
    """Complete an entry of a pack's cards, which may omit the type."""
    return {"type": AbilityType.CC_EFFECT.value, **entry}


def examine(text: str) -> Sifted:
    """Sift the text of a library file."""
    try:
        data = json.loads(text, object_pairs_hook=_Object)
    except (ValueError, RecursionError) as error:
        where = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        return Sifted(None, [LibraryFinding(_FILE, None, f"is not valid JSON{where}")])
    return sift(data)


def sift(data: Any) -> Sifted:
    """Check a library entry by entry. If all entries are invalid, so is the library."""
    if problems := list(_file_problems(data)):
        return Sifted(None, problems)
    findings = dict(_broken(data["abilities"]))
    findings |= _indistinct({name: entry for name, entry in data["abilities"].items() if name not in findings})
    abilities = {name: entry for name, entry in data["abilities"].items() if name not in findings}
    listed = [finding for found in findings.values() for finding in found]
    if findings and not abilities:
        return Sifted(None, listed)
    kept: Data = {**data, "abilities": abilities}
    if left_out := [*data.get(LEFT_OUT, ()), *(name for name in findings if beyond_limits(name) is None)]:
        kept[LEFT_OUT] = left_out
    if beyond := beyond_limits(kept):
        return Sifted(None, [LibraryFinding(_FILE, None, f"cannot be recorded. {beyond}")])
    return Sifted(kept, listed)


def _broken(abilities: Data) -> Iterator[tuple[str, list[LibraryFinding]]]:
    twice = _given_twice(abilities)
    for name, entry in abilities.items():
        if name in twice:
            yield name, [LibraryFinding(name, None, "is defined twice")]
        elif fields := _given_twice(entry):
            yield name, [LibraryFinding(name, field, "is given twice") for field in fields]
        elif found := check_entry(name, entry):
            yield name, found


def _indistinct(abilities: Data) -> dict[str, list[LibraryFinding]]:
    """Entries whose ids differ from an earlier or a shipped one only in spelling. A fight would confuse them."""
    shipped = {ability_from(name, entry).ref: name for name, entry in shipped_library()["abilities"].items()}
    found, owners = {}, shipped
    for name, entry in abilities.items():
        first = owners.setdefault(ability_from(name, entry).ref, name)
        if first != name:
            found[name] = [LibraryFinding(name, None, f"cannot be told apart from {first}")]
    return found


def _file_problems(data: Any) -> Iterator[LibraryFinding]:
    """Problems of a library as a whole."""
    if not isinstance(data, dict) or not isinstance(data.get("abilities"), dict):
        yield LibraryFinding(_FILE, None, 'has no "abilities" object with entries by id')
        return
    yield from (LibraryFinding(_FILE, key, "is given twice") for key in _given_twice(data))
    unknown = [key for key in data if key not in _KEYS]
    yield from (LibraryFinding(_FILE, str(key), "is unknown; a library has source and abilities") for key in unknown)
    if not isinstance(data.get("source", ""), str):
        yield LibraryFinding(_FILE, "source", "is not text")
    left_out = data.get(LEFT_OUT, [])
    if not isinstance(left_out, list) or not all(isinstance(name, str) for name in left_out):
        yield LibraryFinding(_FILE, LEFT_OUT, "is not a list of ids")


def _given_twice(data: Any) -> list[str]:
    return data.twice if isinstance(data, _Object) else []


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


def _library(own: str | None) -> AbilityCatalogue:
    return library_from(with_own(parse_library(own) if own is not None else None))


def _entries(library: AbilityCatalogue) -> list[LibraryEntry]:
    return [_entry(ability) for ability in library.abilities.values()]


def _entry(ability: LibraryAbility) -> LibraryEntry:
    parts = list(_properties(ability))
    parts += [_surge(part) for part in ability.surge_parts]
    unknown = tuple(unknown_properties(ability))
    return LibraryEntry(ability.id, ability.type_name, ability.label, status_of(ability), tuple(parts), unknown)


def _properties(ability: LibraryAbility, within: str = "") -> Iterator[LibraryPart]:
    """Every property. Nested ones follow their parent, under both names."""
    for name, value in ability.properties.items():
        part = _property(ability, name, value)
        yield LibraryPart(f"{within}{name}", part.value, part.does, part.by_engine)
        entry = PROPERTIES.get(name)
        if entry is not None and entry.nested and ability.is_known(name):
            for inner in ability.inner(name):
                yield from _properties(inner, f"{within}{name}.")


def _property(ability: LibraryAbility, name: str, value: object) -> LibraryPart:
    entry = PROPERTIES.get(name)
    if entry is None or not ability.is_known(name):
        return LibraryPart(name, value, _UNKNOWN, by_engine=False)
    untriggered = ability.type is AbilityType.TRIGGERED
    does = "the engine does not trigger it; people carry it out" if untriggered else entry.does
    return LibraryPart(name, value, does, by_engine=not untriggered and not isinstance(entry, ManualProperty))


def _surge(part: SurgePart) -> LibraryPart:
    does = "the engine carries it out" if part.is_known else _UNKNOWN
    return LibraryPart(part.text, part.amount or part.points, does, part.is_known)
