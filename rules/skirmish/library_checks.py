"""Checking a library: every problem is reported, and a library with a problem is not used at all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from pydantic import ValidationError

from ledger.events import Data
from rules.content.ability_library import Finding, Wiring
from rules.content.limits import check_data
from rules.engine.refusal import Refusal, choices
from rules.engine.validation import first_complaint
from rules.skirmish.library import ABOUT, Ability, AbilityType, library_from
from rules.skirmish.registry import PROPERTIES, Effect
from rules.skirmish.vocabulary import PROVIDED, Need, Timing, slug

MAX_TEXT = 300
MOST_LISTED = 20
"""The most problems that a refusal lists; a file may have thousands."""


def status_of(ability: Ability) -> Wiring:
    """Wired: every part has an implementation; partial: some do; unwired: none. Derived, never read from a label."""
    by_engine = _carried_out(ability)
    if not by_engine:
        return Wiring.UNWIRED
    return Wiring.PARTIAL if any(ability.questions()) else Wiring.WIRED


def _carried_out(ability: Ability) -> bool:
    if ability.type is AbilityType.TRIGGERED:
        return False  # nothing in the engine triggers an ability by itself
    return any(ability.effects()) or any(part.is_known for part in ability.surge_parts)


def unknown_properties(ability: Ability) -> list[str]:
    names = [name for name in ability.properties if not ability.is_known(name)]
    return names + [part.text for part in ability.surge_parts if not part.is_known]


def parse_library(text: str) -> Data:
    """The data of a library file, or a refusal that lists what is wrong with it."""
    data, problems = examine(text)
    refuse_faulty(problems)
    assert data is not None
    return data


def refuse_faulty(problems: list[Finding]) -> None:
    if problems:
        named = [finding.sentence[:MAX_TEXT] for finding in problems[:MOST_LISTED]]
        more = f"; and {len(problems) - MOST_LISTED} more" if len(problems) > MOST_LISTED else ""
        raise Refusal(
            "library/invalid",
            f"The library cannot be used: {'; '.join(named)}{more}.",
            problems=named,
            count=len(problems),
        )


def check_entry(name: str, entry: Data) -> None:
    """Refuse an entry of a pack that cannot be used."""
    refuse_faulty(check_library({"abilities": {name: entry}}))


def check_card(name: str, entry: Data) -> None:
    check_entry(name, as_card(entry))


def as_card(entry: Data) -> Data:
    """An entry among the cards of a pack need not say that it is a card."""
    return {"type": AbilityType.CC_EFFECT.value, **entry}


def examine(text: str) -> tuple[Data | None, list[Finding]]:
    """The content of a library file, and every problem that keeps it from being used."""
    twice: list[str] = []
    try:
        data = json.loads(text, object_pairs_hook=lambda pairs: _object(pairs, twice))
    except (ValueError, RecursionError) as error:
        where = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        return None, [Finding("the file", None, f"is not valid JSON{where}")]
    problems = [Finding(name, None, "is defined twice") for name in twice]
    return data, problems + check_library(data)


def _object(pairs: list[tuple[str, Any]], twice: list[str]) -> Data:
    twice.extend(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
    return dict(pairs)


def check_library(data: Any) -> list[Finding]:
    """Every problem with a library's data."""
    if not isinstance(data, dict) or not isinstance(data.get("abilities"), dict):
        return [Finding("the file", None, 'has no "abilities", by id')]
    if beyond := _beyond_limits(data):
        return [Finding("the file", None, f"cannot be recorded. {beyond}")]
    found = [
        Finding("the file", key, "is unknown; a library has source and abilities")
        for key in data
        if key not in ("source", "abilities")
    ]
    if not isinstance(data.get("source", ""), str):
        found.append(Finding("the file", "source", "is not text"))
    for name, entry in data["abilities"].items():
        found += _check_entry(name, entry)
    return found or check_names(data)


def _beyond_limits(data: Data) -> str | None:
    """A library is recorded with the encounter, so the limits for recorded data apply to it."""
    try:
        check_data(data)
    except Refusal as refusal:
        return refusal.sentence
    return None


def check_names(data: Data) -> list[Finding]:
    """Refuse ids that differ only in spelling: in a fight, they could not be told apart."""
    owners: dict[str, str] = {}
    found = []
    for ability in library_from(data).abilities.values():
        first = owners.setdefault(ability.ref, ability.id)
        if first != ability.id:
            found.append(Finding(ability.id, None, f"cannot be told apart from {first}"))
    return found


def _check_entry(name: Any, entry: Any) -> list[Finding]:
    if not isinstance(name, str) or not slug(name) or len(name) > MAX_TEXT:
        return [Finding(str(name)[:40] or "an entry", None, "needs a name that contains letters or digits")]
    if not isinstance(entry, dict) or not all(isinstance(key, str) for key in entry):
        return [Finding(name, None, "is not an object with fields")]
    found = [finding for key, value in entry.items() if (finding := _check_field(name, key, value))]
    if "type" not in entry:
        found.insert(0, Finding(name, "type", f"is missing; it can be {choices(AbilityType)}"))
    return found or list(_check_whole(name, entry))


def _check_field(name: str, key: str, value: Any) -> Finding | None:
    """A property that the engine does not know is not a problem: people carry it out."""
    if key in ABOUT:
        problem = _ABOUT_CHECKS[key](value)
        return Finding(name, key, problem) if problem else None
    entry = PROPERTIES.get(key)
    if entry is None:
        return None
    try:
        entry.value.validate_python(value)
    except ValidationError as error:
        return Finding(name, key, f"is not right: {first_complaint(error).in_words}")
    return None


def _check_whole(name: str, entry: Data) -> Iterator[Finding]:
    """Problems that show only when the fields are looked at together."""
    ability = library_from({"abilities": {name: entry}}).abilities[name]
    for part in ability.surge_parts:
        if part.symbol is not None and part.amount < 1:
            yield Finding(name, None, f"contains {part.text!r}; a surge adds 1 or more")
    for effect in ability.effects():
        if problem := _MOMENT_CHECKS[ability.type](ability, effect):
            yield Finding(name, effect.name, problem)


def _misplaced(ability: Ability, effect: Effect) -> str | None:
    if effect.needs in PROVIDED[ability.when]:
        return None
    fitting = choices(timing for timing in Timing if effect.needs in PROVIDED[timing])
    return f"needs {effect.needs}, which the timing {ability.when} does not provide; use {fitting}"


def _not_in_attacks(ability: Ability, effect: Effect) -> str | None:
    fits = effect.needs in (Need.ATTACKER, Need.DEFENDER)
    return None if fits else "does not affect attacks; a passive ability applies to every attack of its figure"


def _surge_effect(ability: Ability, effect: Effect) -> str | None:
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
        else f"is not a text of 1 to {MAX_TEXT} characters"
    )


def _number(value: Any, least: int) -> str | None:
    fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= 99
    return None if fits else f"is {json.dumps(value)}; it has to be a number from {least} to 99"


_ABOUT_CHECKS = {
    "type": lambda value: _one_of(AbilityType, value),
    "label": _text,
    "timing": lambda value: _one_of(Timing, value),
    "cost": lambda value: _number(value, 0),
    "trait": _text,
    "surgeCost": lambda value: _number(value, 1),
    "wiredStatus": _text,
}
assert tuple(_ABOUT_CHECKS) == ABOUT
