"""Event payloads: the first byte picks the stored name, the others are what is stored."""

from __future__ import annotations

from pathlib import Path

from combatlog.rules.content.limits import check_stored
from ledger.errors import Problem
from ledger.registry import KINDS, decode, encode, stored_names

_NAMES = sorted(stored_names(KINDS.values()))
_SAMPLES = Path(__file__).parents[2] / "samples"
SEEDS = tuple(
    bytes([number]) + (_SAMPLES / f"{name if '.' in name else f'{name}.1'}.json").read_bytes().strip()
    for number, name in enumerate(_NAMES)
)


def target(data: bytes) -> None:
    name = _NAMES[data[0] % len(_NAMES)] if data else "nothing"
    try:
        event = decode(name, data[1:])
        check_stored(event.model_dump())
    except Problem:
        return
    assert decode(*encode(event)) == event
