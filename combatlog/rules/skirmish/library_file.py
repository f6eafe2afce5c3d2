"""Reading a library file entry by entry: broken entries are reported and left out, and the rest is used."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from combatlog.rules.content.ability_library import Finding
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.skirmish.ability import AbilityType, ability_from
from combatlog.rules.skirmish.library import LEFT_OUT, shipped_library
from combatlog.rules.skirmish.library_checks import beyond_limits, check_entry
from ledger.events import Data

MOST_CHARACTERS = 400
"""How much of each problem it lists; an entry may have a name of any length."""
MOST_LISTED = 20
"""The most problems that a refusal lists; a file may have thousands."""

_FILE = "the file"
_KEYS = ("source", "abilities", LEFT_OUT)


class Sifted(NamedTuple):
    """What can be used of a library, and what is wrong with the rest."""

    usable: Data | None
    """None: the library cannot be used at all."""
    findings: list[Finding]


class _Object(dict[str, Any]):
    """A JSON object that remembers which of its keys were given twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.twice = [name for name, times in Counter(name for name, _ in pairs).items() if times > 1]


def parse_library(text: str) -> Data:
    """The usable entries of a library file, or a refusal that lists what is wrong with it."""
    return usable(examine(text))


def usable(sifted: Sifted) -> Data:
    if sifted.usable is None:
        raise refusal_of(sifted.findings)
    return sifted.usable


def refusal_of(findings: list[Finding]) -> Refusal:
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
    """An entry among the cards of a pack need not say that it is a card."""
    return {"type": AbilityType.CC_EFFECT.value, **entry}


def examine(text: str) -> Sifted:
    """What can be used of the content of a library file."""
    try:
        data = json.loads(text, object_pairs_hook=_Object)
    except (ValueError, RecursionError) as error:
        where = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        return Sifted(None, [Finding(_FILE, None, f"is not valid JSON{where}")])
    return sift(data)


def sift(data: Any) -> Sifted:
    """Take a library entry by entry. It cannot be used at all if no entry can."""
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
        return Sifted(None, [Finding(_FILE, None, f"cannot be recorded. {beyond}")])
    return Sifted(kept, listed)


def _broken(abilities: Data) -> Iterator[tuple[str, list[Finding]]]:
    twice = _given_twice(abilities)
    for name, entry in abilities.items():
        if name in twice:
            yield name, [Finding(name, None, "is defined twice")]
        elif fields := _given_twice(entry):
            yield name, [Finding(name, field, "is given twice") for field in fields]
        elif found := check_entry(name, entry):
            yield name, found


def _indistinct(abilities: Data) -> dict[str, list[Finding]]:
    """Entries whose ids differ from an earlier or a shipped one only in spelling: a fight could not tell them apart."""
    shipped = {ability_from(name, entry).ref: name for name, entry in shipped_library()["abilities"].items()}
    found, owners = {}, shipped
    for name, entry in abilities.items():
        first = owners.setdefault(ability_from(name, entry).ref, name)
        if first != name:
            found[name] = [Finding(name, None, f"cannot be told apart from {first}")]
    return found


def _file_problems(data: Any) -> Iterator[Finding]:
    """What is wrong with a library as a whole."""
    if not isinstance(data, dict) or not isinstance(data.get("abilities"), dict):
        yield Finding(_FILE, None, 'has no "abilities", by id')
        return
    yield from (Finding(_FILE, key, "is given twice") for key in _given_twice(data))
    unknown = [key for key in data if key not in _KEYS]
    yield from (Finding(_FILE, str(key), "is unknown; a library has source and abilities") for key in unknown)
    if not isinstance(data.get("source", ""), str):
        yield Finding(_FILE, "source", "is not text")
    left_out = data.get(LEFT_OUT, [])
    if not isinstance(left_out, list) or not all(isinstance(name, str) for name in left_out):
        yield Finding(_FILE, LEFT_OUT, "is not a list of ids")


def _given_twice(data: Any) -> list[str]:
    return data.twice if isinstance(data, _Object) else []
