"""What a fight with many corrections costs: importing, verifying, projecting and auditing it take steps in proportion.

Steps are the lines of Python that run, so the numbers are the same on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any
from uuid import uuid4

import pytest

from combatlog.rules.engine.corrections.correction_events import stamped
from combatlog.rules.engine.corrections.undo import last, plan_redo, plan_undo
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.exchange.import_folding import check_folding
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill
from ledger.events import Event, Redone, Undone
from projections.battle.fold import fold
from projections.battle.timeline import retracted
from projections.readmodels.encounter_projection import EncounterProjection
from projections.review.audit import audit
from tests.cases import each

FEW = 25


def ended_and_taken_back(times: int) -> list[Event]:
    """The same turn ends over and over, and each time that is taken back."""
    drill = a_drill()
    for _ in range(times):
        drill.next_turn()
        undo_last(drill.fight)
    return drill.fight.events


def walked_back(times: int) -> list[Event]:
    """Many turns end, and are taken back from the last to the first."""
    drill = a_drill()
    for _ in range(times):
        drill.next_turn()
    for _ in range(times):
        undo_last(drill.fight)
    return drill.fight.events


def back_and_forth(times: int) -> list[Event]:
    """The end of a turn is taken back and stands again, over and over."""
    drill = a_drill()
    drill.next_turn()
    for _ in range(times):
        undo_last(drill.fight)
        drill.fight.take_in(plan_redo(drill.fight, by="gm", reason="test").new)
    return drill.fight.events


def taken_back_below_others(times: int) -> list[Event]:
    """A note is taken back from below the end of a turn, which is resolved again each time."""
    drill = a_drill()
    for _ in range(times):
        noted = drill.rule(note="a note", reason="test").events[0].seq
        drill.next_turn()
        drill.fight.take_in(plan_undo(drill.fight, {noted}, by="gm", reason="test").new)
        undo_last(drill.fight)
    return drill.fight.events


def nothing_taken_back(times: int) -> list[Event]:
    """No undo writes this, but a file can have it: corrections that change nothing."""
    drill = a_drill()
    for _ in range(times):
        drill.fight.take_in([stamped(drill.fight, Undone, retracts=(2,), reason="again", by="gm", command=uuid4())])
    return drill.fight.events


def a_drill() -> Drill:
    drill = Drill(dice="seed:1")
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.start()
    return drill


def undo_last(fight: FightEngine) -> None:
    fight.take_in(plan_undo(fight, last(fight), by="gm", reason="test").new)


STORIES = [ended_and_taken_back, walked_back, back_and_forth, taken_back_below_others, nothing_taken_back]


def project(events: Sequence[Event]) -> None:
    """As a follower does that sees every event by itself."""
    projection = EncounterProjection()
    for event in events:
        projection.feed(event)
        projection.take_changed_marks()
        list(projection.take_facts())
    list(projection.state())


def verify(events: Sequence[Event]) -> None:
    list(check_declarations(events))


def check_import(events: Sequence[Event]) -> None:
    check_folding(list(events), 0)


@pytest.mark.slow
@each("work", [project, verify, audit, check_import, fold])
@each("story", STORIES)
def test_twice_the_corrections_take_at_most_twice_the_steps(
    story: Callable[[int], list[Event]], work: Callable[[Sequence[Event]], object]
) -> None:
    few, many = story(FEW), story(2 * FEW)
    work(few)
    assert steps(work, many) <= 2.05 * steps(work, few)


def steps(work: Callable[[Sequence[Event]], object], events: Sequence[Event]) -> int:
    """How many lines run."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work(events)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("story", STORIES[:4])
def test_a_fight_with_many_corrections_verifies(story: Callable[[int], list[Event]]) -> None:
    assert list(check_declarations(story(10))) == []


def test_a_correction_cannot_take_back_a_later_one() -> None:
    """Three corrections in a circle would otherwise switch each other on and off forever."""
    drill = a_drill()
    seq = drill.fight.battle.seq
    for target in (seq + 3, seq + 1, seq + 2):
        drill.fight.events.append(stamped(drill.fight, Redone, undone=target, reason="x", by="gm", command=uuid4()))
        drill.fight.battle.seq += 1
    assert retracted(drill.fight.events) == set()
