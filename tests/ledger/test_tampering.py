"""What is changed behind the triggers' back is found and named."""

from __future__ import annotations

import psycopg
import pytest

from ledger.store import Ledger, encounter_id
from rules.fight import Declaration, Opening
from rules.referee import Referee
from rules.verify import verify


@pytest.fixture
def fight(referee: Referee) -> str:
    referee.open(Opening(name="bridge"))
    for number in range(5):
        note = {"note": f"hour {number}", "reason": "the sun"}
        referee.declare("bridge", Declaration(actor="gm", action="core:ruling:rule", options=note))
    return "bridge"


def tamper(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("ALTER TABLE combatlog.ledger_events DISABLE TRIGGER append_only")
        conn.execute(statement, {"id": encounter_id("bridge")})  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("statement", "first_bad"),
    [
        (
            "UPDATE combatlog.ledger_events SET state = convert_to(replace(convert_from(state, 'UTF8'),"
            " 'hour 2', 'hour 9'), 'UTF8') WHERE originator_version = 7",
            7,
        ),
        ("UPDATE combatlog.ledger_events SET topic = 'manual' WHERE originator_version = 4", 4),
        ("DELETE FROM combatlog.ledger_events WHERE originator_version = 6", 6),
        ("DELETE FROM combatlog.ledger_events WHERE originator_version = 1", 1),
        (
            "UPDATE combatlog.ledger_events e SET state = o.state, topic = o.topic FROM combatlog.ledger_events o"
            " WHERE (e.originator_version, o.originator_version) IN ((3, 5), (5, 3))",
            3,
        ),
        ("UPDATE combatlog.ledger_events SET hash = sha256('x') WHERE originator_version = 8", 8),
    ],
    ids=["content", "kind", "deleted", "beginning deleted", "swapped", "hash"],
)
def test_verify_names_the_first_bad_event(
    ledger: Ledger, database: str, fight: str, statement: str, first_bad: int
) -> None:
    assert verify(ledger, fight).findings == []
    tamper(database, statement)
    (finding,) = verify(ledger, fight).findings
    assert finding.seq == first_bad
