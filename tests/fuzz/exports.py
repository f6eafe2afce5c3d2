"""Real exports of real fights, and ways to spoil them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

from ledger.registry import GENESIS, chained_hash

EXPORT = Path(__file__).parents[1] / "old_ledgers" / "v1" / "ledger.jsonl.gz"


@cache
def fights() -> dict[str, list[bytes]]:
    """The lines of an export by encounter, a past before what shares it."""
    found: dict[str, list[bytes]] = {}
    for line in gzip.decompress(EXPORT.read_bytes()).splitlines():
        found.setdefault(json.loads(line)["encounter"], []).append(line)
    return found


def some_lines(chance: Random) -> list[bytes]:
    """The export of one or several encounters, each from its beginning."""
    names = list(fights())
    wanted = {name for name in names if chance.random() < 0.4} or {chance.choice(names)}
    lines = [line for name in names if name in wanted for line in fights()[name]]
    return lines[: chance.choice([20, 60, 200, len(lines)])]


ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    1.5,
    2**31,
    2**53,
    2**63,
    2**64,
    -(2**70),
    10**400,
    1e308,
    "",
    "x",
    "1",
    "\0",
    "a\0b",
    "\ud800",
    "\u202e\x1b[31m",
    "x" * 70_000,
    [],
    {},
    [[[[[]]]]],
    {"": {"": {}}},
    "rurik",
    "00" * 32,
    "d835a60b-cc65-5524-8877-568c8b0a8334",
    "2026-01-01T00:00:00",
    "9999-12-31T23:59:59Z",
    "forked",
    "encounter_opened",
    "undone",
)

Lines = list[bytes]
Spoil = Callable[[Lines, Random], Lines]


def drop(lines: Lines, chance: Random) -> Lines:
    at = chance.randrange(len(lines))
    return lines[:at] + lines[at + chance.randrange(1, 4) :]


def duplicate(lines: Lines, chance: Random) -> Lines:
    at = chance.randrange(len(lines))
    to = chance.randrange(len(lines))
    return [*lines[:to], lines[at], *lines[to:]]


def swap(lines: Lines, chance: Random) -> Lines:
    one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return lines


def shuffle(lines: Lines, chance: Random) -> Lines:
    chance.shuffle(lines)
    return lines


def change_field(lines: Lines, chance: Random) -> Lines:
    return _changed(lines, chance, lambda data: _set(data, chance))


def rename_field(lines: Lines, chance: Random) -> Lines:
    return _changed(lines, chance, lambda data: {key.upper(): value for key, value in data.items()})


def change_state(lines: Lines, chance: Random) -> Lines:
    """Something inside the event itself; with hashes made anew, nobody can tell by them."""

    def change(data: dict[str, Any]) -> dict[str, Any]:
        state = json.loads(data["state"])
        place = state
        while (inner := [v for v in _values(place) if isinstance(v, dict | list) and v]) and chance.random() < 0.5:
            place = chance.choice(inner)
        _set(place, chance)
        return {**data, "state": json.dumps(state)}

    return _changed(lines, chance, change)


def splice_bytes(lines: Lines, chance: Random) -> Lines:
    at = chance.randrange(len(lines))
    line = lines[at]
    where = chance.randrange(len(line) + 1)
    lines[at] = line[:where] + chance.randbytes(chance.randrange(1, 6)) + line[where + chance.randrange(6) :]
    return lines


def truncate(lines: Lines, chance: Random) -> Lines:
    at = chance.randrange(len(lines))
    return [*lines[:at], lines[at][: chance.randrange(len(lines[at]) + 1)]]


def in_another_encoding(lines: Lines, chance: Random) -> Lines:
    encoding = chance.choice(["utf-16", "utf-32", "utf-8-sig", "utf-7", "cp1252"])
    text = b"\n".join(lines).decode("utf-8", "replace")
    return text.encode(encoding, "replace").split(b"\n")


def add_nonsense(lines: Lines, chance: Random) -> Lines:
    nonsense = [b"\0" * 9, b"[" * 200_000, b'{"a":' * 50_000, b"9" * 10_000, b"null", b"{}", b"\xff", b"NaN", b"x" * 99]
    lines.insert(chance.randrange(len(lines) + 1), chance.choice(nonsense))
    return lines


def mix_encounters(lines: Lines, chance: Random) -> Lines:
    """An event of one encounter under the id of another."""
    other = chance.choice(list(fights()))
    return _changed(lines, chance, lambda data: _moved(data, other))


SPOILS: tuple[Spoil, ...] = (
    drop,
    duplicate,
    swap,
    shuffle,
    change_field,
    rename_field,
    change_state,
    change_state,
    change_state,
    splice_bytes,
    truncate,
    in_another_encoding,
    add_nonsense,
    mix_encounters,
)


def forged(lines: Lines) -> Lines:
    """The same events with hashes that fit: whoever can write a file can compute them."""
    heads: dict[tuple[str, int], bytes] = {}
    return [_forge(line, heads) for line in lines]


def _forge(line: bytes, heads: dict[tuple[str, int], bytes]) -> bytes:
    try:
        data = json.loads(line)
        state = json.loads(data["state"])
        encounter, seq = state["encounter"], state["seq"]
        origin = state["parent"] if data["name"] == "forked" else encounter
        before = GENESIS if seq == 1 else heads[origin, seq - 1]
        head = chained_hash(before, UUID(encounter), seq, data["name"], data["state"].encode())
    except (ValueError, KeyError, TypeError, RecursionError, AttributeError, OverflowError):
        return line
    heads[encounter, seq] = head
    return json.dumps({**data, "encounter": encounter, "seq": seq, "hash": head.hex()}).encode()


def _changed(lines: Lines, chance: Random, change: Callable[[dict[str, Any]], Any]) -> Lines:
    at = chance.randrange(len(lines))
    try:
        lines[at] = json.dumps(change(json.loads(lines[at]))).encode()
    except (ValueError, KeyError, TypeError, RecursionError, AttributeError):
        return lines  # it was spoilt before
    return lines


def _set(place: dict[str, Any] | list[Any], chance: Random) -> Any:
    """Change one value in it, take one out, or add one."""
    value = chance.choice([*ODD_VALUES, *_values(place)])
    if isinstance(place, list):
        place[chance.randrange(len(place)) if place else 0 :] = [value]
    elif chance.random() < 0.15:
        place.pop(chance.choice(list(place)), None)
    else:
        place[chance.choice([*place, "more"])] = value
    return place


def _values(place: dict[str, Any] | list[Any]) -> Iterator[Any]:
    yield from place.values() if isinstance(place, dict) else place


def _moved(data: dict[str, Any], encounter: str) -> dict[str, Any]:
    state = {**json.loads(data["state"]), "encounter": encounter}
    return {**data, "encounter": encounter, "state": json.dumps(state)}
