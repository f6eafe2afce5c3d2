"""A fork corrects what happened in it, and never the past that it shares with its parent."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import combatlog
from combatlog import RecordedFight
from rules.engine.referee import Referee
from rules.engine.refusal import Refusal
from tests.attacks.bridge import NAME, begin


@pytest.fixture
def parent(database: str, referee: Referee) -> Iterator[RecordedFight]:
    begin(referee)
    with combatlog.open(database) as opened:
        yield opened.fight(NAME)


def test_a_correction_in_the_shared_past_cannot_be_redone(parent: RecordedFight) -> None:
    parent.rule("rurik", reason="a fall", set={"hp": 3})
    parent.apply(parent.plan_undo())
    fork = parent.fork("fork")
    with pytest.raises(Refusal) as refused:
        fork.plan_redo()
    assert refused.value.code == "redo/shared-past"
    assert fork.verify().findings == []


def test_a_correction_in_the_fork_can_be_redone(parent: RecordedFight) -> None:
    parent.rule("rurik", reason="a fall", set={"hp": 3})
    parent.apply(parent.plan_undo())
    fork = parent.fork("fork")
    fork.rule("rurik", reason="a fall", set={"hp": 5})
    fork.apply(fork.plan_undo())
    fork.apply(fork.plan_redo())
    assert fork.battle.combatants["rurik"].vitals["hp"].current == 5
    assert fork.verify().findings == []
