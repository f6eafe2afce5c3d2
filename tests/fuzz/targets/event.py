"""Event payloads: the first byte picks the kind, the others are what is stored."""

from __future__ import annotations

from pathlib import Path

from ledger.errors import Problem
from ledger.registry import KINDS, decode, encode
from rules.content.limits import check_stored

_KINDS = sorted(KINDS)
_SAMPLES = Path(__file__).parents[2] / "samples"
SEEDS = tuple(
    bytes([number]) + (_SAMPLES / f"{kind}.1.json").read_bytes().strip() for number, kind in enumerate(_KINDS)
)


def target(data: bytes) -> None:
    kind = _KINDS[data[0] % len(_KINDS)] if data else "nothing"
    try:
        event = decode(kind, data[1:])
        check_stored(event.model_dump())
    except Problem:
        return
    assert decode(*encode(event)) == event
