"""Chance from the operating system: fair, and never the same twice."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from combatlog.rules.engine.dice import dice_sources


@pytest.mark.parametrize("limit", [1, 2, 6, 20, 1000])
def test_every_number_comes_up_and_none_beyond(limit: int) -> None:
    drawn = Counter(dice_sources.below(limit) for _ in range(30 * limit))
    assert set(drawn) <= set(range(limit))
    assert len(drawn) > 0.99 * limit - 1


def test_what_would_favour_low_numbers_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """65,536 is 3,276 times 20 and 16 over: from 65,520 on, only faces 1 to 16 could follow."""
    monkeypatch.setattr(dice_sources, "_next", iter([65_535, 65_520, 65_519]).__next__)
    assert dice_sources.below(20) == 19


def test_a_child_process_rolls_its_own() -> None:
    dice_sources.below(20)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, repr([dice_sources.below(1000) for _ in range(50)]).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(write)
    with os.fdopen(read) as told:
        assert told.read() != repr([dice_sources.below(1000) for _ in range(50)])
