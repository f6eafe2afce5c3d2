"""What people type: places, faces, pairs and values, and the replies and faces of corrections."""

from __future__ import annotations

import typer

from cli import options
from ledger.errors import Problem

SEEDS = (b"4,7", b"15,8", b"hp=9", b"x=[1, 2]", b"card=Focus", b"0/2/1 1/0", b"-1 +1 0", b"a={b: c}")


def target(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for face in options.read_dice(text) or ():
        assert isinstance(face, str) or abs(face) < 10**9
    for read in (_position, _numbers, _values):
        try:
            read(text)
        except (Problem, typer.BadParameter):
            continue


def _position(text: str) -> None:
    place = options.read_position(text, "--to")
    assert place is not None
    assert all(0 <= part < 10**9 for part in place)


def _numbers(text: str) -> None:
    assert all(abs(number) < 10**9 for number in options.read_numbers([text], "--set").values())


def _values(text: str) -> None:
    options.read_values([text], "--option")
