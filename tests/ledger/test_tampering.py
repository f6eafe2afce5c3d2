"""What is changed behind the triggers' back is found and named."""

from __future__ import annotations

import pytest

from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.verify import verify, verify_encounters
from ledger.store.ledger import LedgerStore, encounter_id
from tests.attacks.damage import unguarded


@pytest.fixture
def fight(referee: Referee) -> str:
    referee.open(Opening(name="bridge"))
    for number in range(5):
        note = {"note": f"hour {number}", "reason": "the sun"}
        referee.declare("bridge", Declaration(actor="gm", action="core:ruling:rule", options=note))
    return "bridge"


def tamper(url: str, statement: str) -> None:
    with unguarded(url) as conn:
        conn.execute(statement, {"id": encounter_id("bridge")})  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("statement", "first_bad"),
    [
        (
            "UPDATE combatlog.ledger_events SET state = overlay(state PLACING 'hour 9'::bytea"
            " FROM position('hour 2'::bytea IN state)) WHERE originator_version = 7",
            7,
        ),
        ("UPDATE combatlog.ledger_events SET topic = 'manual' WHERE originator_version = 4", 4),
        ("DELETE FROM combatlog.ledger_events WHERE originator_version = 6", 6),
        ("DELETE FROM combatlog.ledger_events WHERE originator_version = 1", 1),
        (
            "UPDATE combatlog.ledger_events e SET state = o.state, topic = o.topic FROM combatlog.ledger_events o"
            " WHERE e.originator_id = o.originator_id"
            " AND (e.originator_version, o.originator_version) IN ((3, 5), (5, 3))",
            3,
        ),
        ("UPDATE combatlog.ledger_events SET hash = sha256('x') WHERE originator_version = 8", 8),
        (
            "INSERT INTO combatlog.ledger_events (originator_id, originator_version, topic, state, hash)"
            " SELECT originator_id, 12, topic, state, hash FROM combatlog.ledger_events WHERE originator_version = 11",
            12,
        ),
        (
            "INSERT INTO combatlog.ledger_events (originator_id, originator_version, topic, state, hash)"
            " SELECT originator_id, 14, topic, state, hash FROM combatlog.ledger_events WHERE originator_version = 11",
            12,
        ),
        (
            "WITH gone AS (DELETE FROM combatlog.ledger_events WHERE originator_version = 9 RETURNING *)"
            " INSERT INTO combatlog.ledger_events (originator_id, originator_version, topic, state, hash)"
            " SELECT gen_random_uuid(), originator_version, topic, state, hash FROM gone",
            9,
        ),
    ],
    ids=["content", "kind", "deleted", "beginning deleted", "swapped", "hash", "added", "added later", "moved away"],
)
def test_verify_names_the_first_bad_event(
    ledger: LedgerStore, database: str, fight: str, statement: str, first_bad: int
) -> None:
    assert verify(ledger, fight).findings == []
    tamper(database, statement)
    (finding,) = verify(ledger, fight).findings
    assert finding.seq == first_bad


@pytest.mark.parametrize("statement", ["DELETE", "UPDATE"], ids=["deleted", "unreadable"])
def test_verify_of_everything_finds_an_encounter_without_its_beginning(
    ledger: LedgerStore, database: str, fight: str, statement: str
) -> None:
    change = {
        "DELETE": "DELETE FROM combatlog.ledger_events WHERE originator_version = 1",
        "UPDATE": "UPDATE combatlog.ledger_events SET state = 'x' WHERE originator_version = 1",
    }
    tamper(database, change[statement])
    everything = [str(encounter) for encounter in ledger.recorder.select_encounters()]
    (report,) = verify_encounters(ledger, everything)
    assert [finding.seq for finding in report.findings] == [1]


def test_a_fork_names_the_event_that_was_changed_in_the_past_it_shares(
    ledger: LedgerStore, referee: Referee, database: str, fight: str
) -> None:
    referee.fork(fight, 5, "what if", by="gm")
    tamper(database, "UPDATE combatlog.ledger_events SET state = state || ' ' WHERE originator_version = 4")
    assert [finding.seq for finding in verify(ledger, "what if").findings] == [4]


def test_a_fork_whose_first_event_cannot_be_read_is_a_finding(
    ledger: LedgerStore, referee: Referee, database: str, fight: str
) -> None:
    referee.fork(fight, 5, "what if", by="gm")
    tamper(database, "UPDATE combatlog.ledger_events SET state = 'x' WHERE topic = 'forked'")
    assert [finding.seq for finding in verify(ledger, "what if").findings] == [6]
