"""A ledger through the public interface, and a fight in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import combatlog


@pytest.fixture
def opened(database: str) -> Iterator[combatlog.Ledger]:
    with combatlog.open(database) as ledger:
        yield ledger


@pytest.fixture
def fight(opened: combatlog.Ledger) -> combatlog.RecordedFight:
    """It is the turn of Snig the goblin, who stands next to Rurik, whom Osric the paladin can protect."""
    fight = opened.new("bridge", dice="table")
    fight.join("goblin", "Snig", (2, 1), side="foes")
    fight.join("fighter", "Rurik", (1, 1))
    fight.join("paladin", "Osric", (1, 2))
    fight.start(dice=[20, 10, 5])
    return fight
