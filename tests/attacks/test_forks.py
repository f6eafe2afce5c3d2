"""A fork corrects what happened in it, and never the past that it shares with its parent."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import combatlog
from combatlog import Amend, RecordedFight, Redo, Undo
from combatlog.rules.engine.corrections.plan import PlanVerdict
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.referee import Referee
from projections.review.difference import differences
from tests.attacks.bridge import NAME, attack, begin


@pytest.fixture
def parent(database: str, referee: Referee) -> Iterator[RecordedFight]:
    begin(referee)
    with combatlog.open(database) as opened:
        yield opened.fight(NAME)


def test_a_correction_in_the_shared_past_cannot_be_redone(parent: RecordedFight) -> None:
    parent.rule("rurik", reason="a fall", set={"hp": 3})
    parent.apply(parent.plan(Undo()))
    fork = parent.fork("fork")
    with pytest.raises(Refusal) as refused:
        fork.plan(Redo())
    assert refused.value.code == "redo/shared-past"
    assert fork.verify().findings == []


def test_a_correction_in_the_fork_can_be_redone(parent: RecordedFight) -> None:
    parent.rule("rurik", reason="a fall", set={"hp": 3})
    parent.apply(parent.plan(Undo()))
    fork = parent.fork("fork")
    fork.rule("rurik", reason="a fall", set={"hp": 5})
    fork.apply(fork.plan(Undo()))
    fork.apply(fork.plan(Redo()))
    assert fork.battle.combatants["rurik"].vitals["hp"].current == 5
    assert fork.verify().findings == []


def test_an_answer_given_in_the_fork_can_be_undone(parent: RecordedFight, referee: Referee) -> None:
    attack(referee)
    fork = parent.fork("fork")
    before = fork.state()
    fork.react("osric", "protection")
    plan = fork.plan(Undo())
    assert [(entry.declared.action, entry.verdict) for entry in plan.entries] == [
        ("dnd5e:action:strike", PlanVerdict.CHANGED)
    ]
    fork.apply(plan)
    assert fork.battle.window is not None
    assert fork.battle.window.waiting is not None
    assert differences(before, fork.state()) == []
    assert fork.react("osric", None).events
    assert fork.verify().findings == []
    assert parent.battle.window is not None


@pytest.mark.parametrize("answers", [1, 2])
def test_nothing_more_than_the_answer(parent: RecordedFight, referee: Referee, answers: int) -> None:
    """The declaration itself is the parent's, even after it was made again in the fork."""
    attack(referee)
    fork = parent.fork("fork")
    for _ in range(answers):
        fork.react("osric", "protection")
        fork.apply(fork.plan(Undo()))
    for said in (Undo(), Undo(turn=True)):
        with pytest.raises(Refusal) as refused:
            fork.plan(said)
        assert refused.value.code == "undo/nothing"
    made_again = max(event.seq for event in fork.events(kinds=["declared"]))
    for kind, how in ((Undo, {}), (Amend, {"targets": "osric"})):
        with pytest.raises(Refusal) as refused:
            fork.plan(kind(made_again, **how))
        assert refused.value.code == "undo/shared-past"


def test_what_came_after_the_answer_goes_first(parent: RecordedFight, referee: Referee) -> None:
    attack(referee)
    fork = parent.fork("fork")
    waiting = fork.state()
    answered = fork.react("osric", "protection").events[0].seq
    fork.end_turn("snig")
    with pytest.raises(Refusal) as refused:
        fork.plan(Undo(answered))
    assert refused.value.code == "undo/answered-before"
    fork.apply(fork.plan(Undo(back_to=answered - 1)))
    assert differences(waiting, fork.state()) == []
    assert fork.verify().findings == []


def test_the_undo_of_an_answer_can_be_redone(parent: RecordedFight, referee: Referee) -> None:
    attack(referee)
    fork = parent.fork("fork")
    fork.react("osric", "protection")
    answered = fork.state()
    fork.apply(fork.plan(Undo()))
    fork.apply(fork.plan(Redo()))
    assert differences(answered, fork.state()) == []
    assert fork.verify().findings == []
