"""An event that nobody can read costs its own encounter what follows it, and no other encounter anything."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import combatlog
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.verify import verify
from ledger.store.ledger import LedgerStore, encounter_id
from projections.readmodels.catalogue import TABLES
from projections.readmodels.rebuild import rebuild
from projections.readmodels.runner import ReadModelFollower
from projections.readmodels.session import catch_up, status_of
from tests.attacks.damage import NOTE, plant, play, tamper
from tests.cli.conftest import run as run
from tests.projections.readmodels.support import dump


def like_the_last(ledger: LedgerStore, name: str, **changes: object) -> bytes:
    """The content of the last event, renumbered as the next one, with changes."""
    row = ledger.recorder.select_rows(encounter_id(name))[-1]
    return json.dumps({**json.loads(row.state), "seq": row.seq + 1, **changes}).encode()


PLANTED: dict[str, Callable[[LedgerStore], tuple[str, bytes]]] = {
    "unknown kind": lambda ledger: ("poison", b"{}"),
    "no JSON": lambda ledger: ("ruled", b"\xff\xfe"),
    "missing fields": lambda ledger: ("ruled", b"{}"),
    "of another place": lambda ledger: ("ruled", like_the_last(ledger, "bad", seq=77)),
    "cannot be folded": lambda ledger: (
        "moved",
        json.dumps(
            {
                **{name: json.loads(like_the_last(ledger, "bad"))[name] for name in ("encounter", "seq")},
                "recorded_at": "2026-01-01T00:00:00Z",
                "declaration": 4,
                "round": 0,
                "by": "gm",
                "kind": "moved",
                "mover": "nobody",
                "to": [1, 1],
                "cost": 5,
                "forced": False,
            }
        ).encode(),
    ),
    "NUL in a text": lambda ledger: ("ruled", like_the_last(ledger, "bad", reason="a\0b")),
}


@pytest.mark.slow
@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED)
def test_statistics_go_on_over_everything_else(
    ledger: LedgerStore, referee: Referee, database: str, planted: Callable[[LedgerStore], tuple[str, bytes]]
) -> None:
    play(referee, "bad", "good")
    encounter, seq = plant(database, "bad", *planted(ledger))
    referee.declare("good", NOTE)
    catch_up(ledger)
    (aside,) = status_of(ledger).set_aside
    assert (aside.encounter, aside.seq, aside.events) == (encounter, seq, 1)
    kept = dump(database)
    columns = [column.name for column in TABLES["encounters"].columns]
    last = columns.index("seq")
    assert {(row[1], row[last]) for row in kept["encounters"]} == {("bad", 3), ("good", 5)}
    assert status_of(ledger).lag.events == 0
    rebuild(database)
    assert dump(database) == kept
    assert [finding.seq for finding in verify(ledger, "bad").findings] == [seq]


def test_what_follows_an_unreadable_event_is_left_out_whenever_it_comes(
    ledger: LedgerStore, referee: Referee, database: str
) -> None:
    play(referee, "bad")
    _, seq = plant(database, "bad", "poison", b"{}")
    catch_up(ledger)
    plant(database, "bad", "ruled", like_the_last_readable(ledger))
    catch_up(ledger)
    assert [(aside.seq, aside.events) for aside in status_of(ledger).set_aside] == [(seq, 2)]
    kept = dump(database)
    rebuild(database)
    assert dump(database) == kept


def like_the_last_readable(ledger: LedgerStore) -> bytes:
    row = ledger.recorder.select_rows(encounter_id("bad"))[2]
    return json.dumps({**json.loads(row.state), "seq": 5}).encode()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE combatlog.ledger_events SET state = 'x' WHERE topic = 'forked'",
        "DELETE FROM combatlog.ledger_events WHERE originator_version = 2",
        "UPDATE combatlog.ledger_events SET state = 'x' WHERE originator_version = 1",
        "DELETE FROM combatlog.ledger_events WHERE originator_version < 4",
    ],
    ids=["beginning of the fork", "gap in the parent", "beginning of the parent", "no parent"],
)
def test_a_fork_of_what_cannot_be_read_is_set_aside(
    ledger: LedgerStore, referee: Referee, database: str, statement: str
) -> None:
    play(referee, "bridge")
    referee.fork("bridge", 3, "what if", by="gm")
    tamper(database, statement)
    play(referee, "good")
    catch_up(ledger)
    kept = dump(database)
    assert encounter_id("what if") in {aside.encounter for aside in status_of(ledger).set_aside}
    assert "good" in {row[1] for row in kept["encounters"]}
    rebuild(database)
    assert dump(database) == kept


def test_a_follower_passes_an_unreadable_event(ledger: LedgerStore, referee: Referee, database: str) -> None:
    play(referee, "bad", "good")
    with ReadModelFollower(database) as follower:
        plant(database, "bad", "poison", b"{}")
        referee.declare("good", NOTE)
        follower.wait_for(ledger.recorder.head(), timeout=60)
    assert [aside.seq for aside in status_of(ledger).set_aside] == [4]


def test_a_program_that_follows_the_ledger_gets_the_events_after_it(database: str, referee: Referee) -> None:
    play(referee, "bad", "good")
    with combatlog.open(database) as opened, opened.follow() as following:
        plant(database, "bad", "poison", b"{}")
        referee.declare("good", NOTE)
        assert next(following).encounter == encounter_id("good")
        assert [(place, seq) for place, seq, _ in following.passed_over] == [(encounter_id("bad"), 4)]


def test_the_commands_name_what_they_leave_out(
    run: Callable[..., object], ledger: LedgerStore, referee: Referee, database: str
) -> None:
    play(referee, "bridge")
    referee.fork("bridge", 3, "what if", by="gm")
    tamper(database, "DELETE FROM combatlog.ledger_events WHERE originator_version < 4")
    play(referee, "good")
    plant(database, "good", "poison", b"{}")
    assert run("stats", "hits").status == 0  # type: ignore[attr-defined]
    status = run("projections", "status").out  # type: ignore[attr-defined]
    assert f"Encounter {encounter_id('good')}: 1 event from event 4 on left out" in status
    assert f"what if: The encounter it was forked from, {encounter_id('bridge')}" in run("list").out  # type: ignore[attr-defined]
