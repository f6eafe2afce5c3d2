"""Corrections in PostgreSQL: one append, no stored row touched, and safe from sudden death."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from uuid import UUID

import psycopg
import pytest

from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.corrections.plan import Plan
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.verify import verify
from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from projections.review.difference import differences

NAME = "bridge"


@pytest.fixture(params=["embedded", "citus"])
def server(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(request.param))


@pytest.fixture
def fight(referee: Referee) -> str:
    referee.open(Opening(name=NAME))
    for number in range(8):
        note = {"note": f"hour {number}", "reason": "the sun"}
        referee.declare(NAME, Declaration(actor="gm", action="core:ruling:rule", options=note))
    return NAME


def rows(url: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as conn:
        return conn.execute("SELECT * FROM combatlog.ledger_events ORDER BY notification_id").fetchall()


def propose(referee: Referee, seq: int, command: UUID | None = None) -> Plan:
    return referee.plan(
        NAME, lambda fight: undo.plan_undo(fight, undo.one(fight, seq), by="gm", reason="test", command=command)
    )


def test_no_correction_alters_a_stored_row(referee: Referee, ledger: LedgerStore, database: str, fight: str) -> None:
    before = rows(database)
    referee.apply(propose(referee, 4))
    referee.apply(referee.plan(NAME, lambda fight: undo.plan_redo(fight, by="gm", reason="test")))
    after = rows(database)
    assert after[: len(before)] == before
    assert len(after) > len(before)
    assert verify(ledger, NAME).findings == []


def test_a_plan_records_nothing(referee: Referee, database: str, fight: str) -> None:
    before = rows(database)
    propose(referee, 4)
    assert rows(database) == before


def test_a_plan_that_the_fight_has_overtaken_is_refused(referee: Referee, ledger: LedgerStore, fight: str) -> None:
    proposal = propose(referee, 4)
    note = {"note": "late", "reason": "the moon"}
    Referee(ledger).declare(NAME, Declaration(actor="gm", action="core:ruling:rule", options=note))
    with pytest.raises(Problem) as caught:
        referee.apply(proposal)
    assert caught.value.code == "correction/moved-on"


def test_a_repeated_correction_does_nothing(referee: Referee, database: str, fight: str) -> None:
    command = UUID(int=5)
    referee.apply(propose(referee, 4, command))
    before = rows(database)
    again = referee.apply(
        referee.plan(NAME, lambda f: undo.plan_undo(f, undo.last(f), by="gm", reason="x", command=command))
    )
    assert again.repeated
    assert rows(database) == before


def test_a_fork_shares_the_past_and_plays_on_by_itself(referee: Referee, ledger: LedgerStore, fight: str) -> None:
    referee.fork(NAME, 9, "what if", by="gm")
    note = {"note": "another way", "reason": "curiosity"}
    referee.declare("what if", Declaration(actor="gm", action="core:ruling:rule", options=note))
    forked, parent = ledger.find("what if").events, ledger.find(NAME).events
    assert forked[:9] == parent[:9]
    assert [event.seq for event in forked] == list(range(1, len(forked) + 1))
    assert len(parent) == 17
    assert verify(ledger, "what if").findings == []
    assert referee.battle("what if", at=5).seq == 5


def test_a_fork_of_a_fork(referee: Referee, ledger: LedgerStore, fight: str) -> None:
    referee.fork(NAME, 9, "what if", by="gm")
    note = {"note": "another way", "reason": "curiosity"}
    referee.declare("what if", Declaration(actor="gm", action="core:ruling:rule", options=note))
    referee.fork("what if", None, "and then", by="gm")
    referee.declare("and then", Declaration(actor="gm", action="core:ruling:rule", options=note))
    assert len(ledger.find("and then").events) == 9 + 1 + 2 + 1 + 2
    assert verify(ledger, "and then").findings == []


def test_undo_does_not_reach_into_the_shared_past(referee: Referee, fight: str) -> None:
    referee.fork(NAME, 9, "what if", by="gm")
    with pytest.raises(Problem) as caught:
        referee.plan("what if", lambda fight: undo.plan_undo(fight, undo.one(fight, 4), by="gm", reason="x"))
    assert caught.value.code == "undo/shared-past"
    with pytest.raises(Problem) as caught:
        referee.plan("what if", lambda fight: undo.plan_undo(fight, undo.last(fight), by="gm", reason="x"))
    assert caught.value.code == "undo/nothing"


@pytest.mark.parametrize(
    ("at", "name", "code"),
    [
        (4, "new", "fork/mid-command"),
        (99, "new", "fork/no-event"),
        (9, NAME, "ledger/name-taken"),
        (9, "", "encounter/name"),
    ],
)
def test_what_cannot_be_forked(referee: Referee, fight: str, at: int, name: str, code: str) -> None:
    with pytest.raises(Problem) as caught:
        referee.fork(NAME, at, name, by="gm")
    assert caught.value.code == code


def test_a_name_is_taken_by_a_fork_too(referee: Referee, fight: str) -> None:
    referee.fork(NAME, 9, "what if", by="gm")
    with pytest.raises(Problem) as caught:
        referee.open(Opening(name="what if"))
    assert caught.value.code == "ledger/name-taken"


@pytest.mark.slow
@pytest.mark.parametrize("acknowledged_before_death", [1, 2, 4])
def test_killed_in_the_middle_of_an_undo_the_fight_is_as_it_was(
    ledger: LedgerStore, referee: Referee, database: str, fight: str, acknowledged_before_death: int
) -> None:
    whole = FightEngine(ledger.find(NAME).events).battle
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.ledger.worker", database, NAME, "undo and redo", "100000"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.stdin.write("go\n")
    process.stdin.flush()
    for _ in range(acknowledged_before_death):
        process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    assert verify(ledger, NAME).findings == []
    after = FightEngine(ledger.find(NAME).events)
    if after.events[-1].kind == "redone":
        assert differences(whole, after.battle) == []
