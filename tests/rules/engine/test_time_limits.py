"""Time to answer: who may react and does not is passed over, on record, by whoever notices first."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import combatlog
from combatlog import Amend
from combatlog.messages.commands import SetReactions, TimeUp
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.verify import verify
from combatlog.testing import Drill, all_of, only
from ledger.errors import Problem
from ledger.events import AttackResolved, DecidedBy, ReactionChosen, ReactionDeclined
from projections.battle.consent import answer_until

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def asked(clock: Clock, **options: Any) -> Drill:
    """Snig strikes Rurik, and Osric, who can protect him, has 30 seconds to answer."""
    made = Drill(options={"reaction_time": 30, **options})
    made.fight.now = clock
    made.join("goblin", "Snig", (2, 1), side="foes")
    made.join("fighter", "Rurik", (1, 1))
    made.join("paladin", "Osric", (1, 2))
    made.start(dice=[20, 10, 5])
    made.do("snig", "attack")
    made.do("snig", "strike", target="rurik")
    return made


def code(made: Drill, **given: Any) -> str:
    with pytest.raises(Problem) as refused:
        made.send(TimeUp(**given))
    return refused.value.code


def test_until_when_follows_from_the_record() -> None:
    clock = Clock()
    made = asked(clock)
    assert answer_until(made.battle) == NOON + timedelta(seconds=30)
    clock.wait(10)
    made.rule(note="it rains", reason="mood")
    assert answer_until(made.battle) == NOON + timedelta(seconds=30)


def test_the_time_has_to_be_up() -> None:
    clock = Clock()
    made = asked(clock)
    clock.wait(29)
    assert code(made) == "reaction/time-left"
    clock.wait(1)
    made.send(TimeUp(dice=[2]))
    assert code(made) == "reaction/no-window"


def test_without_a_limit_nobody_is_hurried() -> None:
    clock = Clock()
    made = asked(clock, reaction_time=None)
    clock.wait(10**6)
    assert (answer_until(made.battle), code(made)) == (None, "reaction/no-limit")


def test_whoever_does_not_answer_lets_it_pass_and_that_is_on_record() -> None:
    clock = Clock()
    made = asked(clock)
    clock.wait(31)
    outcome = made.send(TimeUp(dice=[2]))
    declined = only(outcome, ReactionDeclined)
    assert (declined.reactor, declined.decided_by, declined.by) == ("osric", DecidedBy.TIME, "system")
    assert only(outcome, AttackResolved).hit is False
    assert made["waiting"] is None


def test_an_encounter_can_have_what_is_useful_done_instead() -> None:
    clock = Clock()
    made = asked(clock, time_up="when useful")
    clock.wait(31)
    outcome = made.send(TimeUp(dice=[19, 3]))
    chosen = only(outcome, ReactionChosen)
    assert (chosen.reaction, chosen.decided_by) == ("dnd5e:feature:protection", DecidedBy.TIME)
    assert made["osric.reaction"] == 0


def test_what_its_policy_forbids_is_not_done() -> None:
    """Uses of a policy that is changed while the question is open."""
    clock = Clock()
    made = asked(clock, time_up="when useful")
    made.send(SetReactions("osric", {"protection": "never"}))
    clock.wait(31)
    assert only(made.send(TimeUp(dice=[2])), ReactionDeclined).decided_by is DecidedBy.TIME


def test_dice_of_the_table_have_to_be_given() -> None:
    clock = Clock()
    made = asked(clock)
    clock.wait(31)
    assert code(made) == "dice/too-few"
    assert made["waiting"] == "osric"


def test_the_limit_begins_anew_for_the_next_who_is_asked() -> None:
    """Both Osric and Bera can protect Rurik."""
    clock = Clock()
    made = Drill(options={"reaction_time": 30})
    made.fight.now = clock
    made.join("goblin", "Snig", (2, 1), side="foes")
    made.join("fighter", "Rurik", (1, 1))
    made.join("paladin", "Osric", (1, 2))
    made.join("paladin", "Bera", (1, 0))
    made.start(dice=[20, 10, 5, 4])
    made.do("snig", "attack")
    made.do("snig", "strike", target="rurik")
    clock.wait(20)
    made.react("osric", None)
    assert answer_until(made.battle) == NOON + timedelta(seconds=50)


def test_a_correction_keeps_that_the_time_was_up() -> None:
    """Whatever the clock says then: the answer is on the tape."""
    clock = Clock()
    made = asked(clock)
    clock.wait(31)
    made.send(TimeUp(dice=[19, 3]))
    strike = only(made.history(), AttackResolved)
    plan = made.plan(Amend(strike.declaration, faces={strike.seq - 1: [18]}, reason="misread"))
    assert [event.decided_by for event in all_of(plan.new, ReactionDeclined)] == [DecidedBy.TIME]


# In a ledger


def opened(ledger: combatlog.Ledger, clock: Clock) -> combatlog.RecordedFight:
    ledger.referee._now = ledger.referee._sessions._now = clock
    fight = ledger.new("bridge", dice="seed:7", options={"reaction_time": 30})
    fight.join("goblin", "Snig", (2, 1), side="foes", reactions={"*": "never"})
    fight.join("fighter", "Rurik", (1, 1))
    fight.join("paladin", "Osric", (1, 2))
    fight.start()
    while fight.battle.clock.turn != "snig":
        fight.end_turn(fight.battle.clock.turn)
    fight.do("snig", "attack")
    fight.do("snig", "strike", target="rurik")
    assert fight.battle.window is not None
    return fight


def test_a_late_answer_finds_that_it_was_decided(database: str) -> None:
    clock = Clock()
    with combatlog.open(database) as ledger:
        fight = opened(ledger, clock)
        clock.wait(31)
        with pytest.raises(Problem) as refused:
            fight.react("osric", "protection")
        assert refused.value.code == "reaction/no-window"
        assert only(fight.history(), ReactionDeclined).decided_by is DecidedBy.TIME
        assert fight.verify().findings == []


def test_a_declaration_goes_on_without_whoever_is_late(database: str) -> None:
    clock = Clock()
    with combatlog.open(database) as ledger:
        fight = opened(ledger, clock)
        clock.wait(31)
        fight.end_turn("snig")
        assert len(all_of(fight.history(), ReactionDeclined)) == 1


def test_two_who_notice_at_once_record_it_once(database: str) -> None:
    """Each with a connection of its own, as two processes have."""
    clock = Clock()
    with combatlog.open(database) as ledger, combatlog.open(database) as other:
        fight = opened(ledger, clock)
        clock.wait(31)
        referees = [Referee(one.store, now=clock) for one in (ledger, other)]
        with ThreadPoolExecutor(2) as pool:
            done = [pool.submit(_notice, referee, str(fight.id)) for referee in referees]
        assert sorted(one.result() for one in done) == ["decided", "reaction/no-window"]
        assert len(all_of(fight.history(), ReactionDeclined)) == 1
        assert verify(ledger.store, str(fight.id)).findings == []


def _notice(referee: Referee, fight: str) -> str:
    try:
        referee.time_up(fight)
    except Problem as problem:
        return problem.code
    return "decided"
