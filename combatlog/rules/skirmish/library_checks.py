"""What is wrong with an entry of a library, and how much of a sound one the engine carries out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any

from pydantic import ValidationError

from combatlog.rules.content.ability_library import Finding, Wiring
from combatlog.rules.content.limits import check_data
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.validation import first_complaint
from combatlog.rules.skirmish.ability import ABOUT, CHOOSE_ONE, Ability, AbilityType, ability_from, has_unknown_shape
from combatlog.rules.skirmish.registry import PROPERTIES, Effect, Price
from combatlog.rules.skirmish.vocabulary import ACTION_TIMINGS, PROVIDED, Need, Timing, slug
from ledger.events import Data

MAX_TEXT = 300
MOST_TIMINGS = 4
"""How many of the timings that would fit are named."""


def status_of(ability: Ability) -> Wiring:
    """Wired: every part has an implementation; partial: some do; unwired: none.

    It is derived. A label or a file is believed only if it says that people carry out a part.
    """
    if not _carried_out(ability):
        return Wiring.UNWIRED
    asks = any(ability.questions()) or any(any(inner.questions()) for inner in ability.nested)
    return Wiring.PARTIAL if asks else Wiring.WIRED


def _carried_out(ability: Ability) -> bool:
    if ability.type is AbilityType.TRIGGERED:
        return False  # nothing in the engine triggers an ability by itself
    own = [effect for effect in ability.effects() if not effect.nested]
    return any(own) or any(map(_carried_out, ability.nested)) or any(part.is_known for part in ability.surge_parts)


def unknown_properties(ability: Ability) -> list[str]:
    names = [name for name in ability.properties if not ability.is_known(name)]
    names += [name for inner in ability.nested for name in unknown_properties(inner)]
    return names + [part.text for part in ability.surge_parts if not part.is_known]


def check_entry(name: Any, entry: Any) -> list[Finding]:
    """Every problem with an entry. A type, a property or a shape that the engine does not know is none."""
    if not isinstance(name, str) or not slug(name) or len(name) > MAX_TEXT:
        return [Finding(str(name)[:40] or "an entry", None, "needs a name that contains letters or digits")]
    if not isinstance(entry, dict) or not all(isinstance(key, str) for key in entry):
        return [Finding(name, None, "is not an object with fields")]
    if beyond := beyond_limits([name, entry]):
        return [Finding(name, None, f"cannot be recorded. {beyond}")]
    found = [finding for key, value in entry.items() if (finding := _check_field(name, key, value))]
    if "type" not in entry:
        found.insert(0, Finding(name, "type", f"is missing; it can be {choices(AbilityType)}"))
    return found or list(_check_whole(name, entry))


def beyond_limits(data: Any) -> str | None:
    """A library is recorded with the encounter, so the limits for recorded data apply to it."""
    try:
        check_data(data)
    except Refusal as refusal:
        return refusal.sentence
    return None


def _check_field(name: str, key: str, value: Any) -> Finding | None:
    if key in ABOUT:
        problem = _ABOUT_CHECKS[key](value)
        return Finding(name, key, problem) if problem else None
    entry = PROPERTIES.get(key)
    if entry is None or has_unknown_shape(key, value):
        return None
    try:
        entry.value.validate_python(value)
    except ValidationError as error:
        return Finding(name, key, f"is not valid: {first_complaint(error).in_words}")
    return None


def _check_whole(name: str, entry: Data) -> Iterator[Finding]:
    """Problems that show only when the fields are looked at together."""
    ability = ability_from(name, entry)
    for part in ability.surge_parts:
        if part.adds_nothing:
            yield Finding(name, None, f"contains {part.text!r}; a surge adds 1 or more")
    yield from _check_nested(name, ability)
    if ability.price and ability.when not in ACTION_TIMINGS:
        priced = next(key for key in ability.properties if isinstance(PROPERTIES.get(key), Price))
        fitting = choices(ACTION_TIMINGS)
        yield Finding(name, priced, f"is only paid in an activation, not with the timing {ability.when}; use {fitting}")
    for effect in ability.every_effect:
        if ability.type is not None and (problem := _MOMENT_CHECKS[ability.type](ability, effect)):
            yield Finding(name, effect.name, problem)


def _check_nested(name: str, ability: Ability) -> Iterator[Finding]:
    for key in ability.properties:
        entry = PROPERTIES.get(key)
        if entry is None or not entry.nested:
            continue
        value = ability.properties[key]
        for inner in [value] if isinstance(value, dict) else value:
            content = {"type": ability.type_name, **inner}
            if key == CHOOSE_ONE:
                content["timing"] = ability.when.value
            yield from (Finding(name, f"{key}.{one.field}", one.problem) for one in check_entry(name, content))


def _misplaced(ability: Ability, effect: Effect) -> str | None:
    if effect.needs in PROVIDED[ability.when]:
        return None
    fitting = choices([timing for timing in Timing if effect.needs in PROVIDED[timing]][:MOST_TIMINGS])
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


def _word(value: Any) -> str | None:
    """A type that the engine does not know is fine, but it is still a word."""
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
