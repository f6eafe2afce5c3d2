"""Dice notation, by the parser of the rules and by the one that reads recorded rolls."""

from __future__ import annotations

from combatlog.rules.engine.dice.dice_notation import MAX_DICE, _parse
from ledger.errors import Problem
from projections.battle import dice

SEEDS = (b"1d20+5", b"4d6kh3", b"2d20kl1", b"1d6+1d8-2", b"4dF", b"4dF+", b"2d{0,0,1,2}", b"3d{-1,blank,2/1/0}")


def target(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    dice.read_notation(text)
    try:
        parsed = _parse(text)
    except Problem as problem:
        assert problem.code == "dice/notation"
        return
    assert 0 <= parsed.count <= MAX_DICE
    lowest = tuple(die.faces[0] for die in parsed.dice)
    assert parsed.fits(lowest) or not parsed.count
    assert len(parsed.kept(lowest)) <= len(lowest)
