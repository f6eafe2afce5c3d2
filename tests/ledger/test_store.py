"""The store, on the embedded PostgreSQL and on a server alike."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import uuid4

import psycopg
import pytest

from ledger.errors import Conflict, DatabaseProblem, Problem
from ledger.events import ChainModified, Change, ChangeOp, EncounterOpened, Event, Ruled
from ledger.registry import GENESIS, chained_hash, encode
from ledger.store.ledger import LedgerStore, encounter_id
from tests.attacks.damage import plant

NOW = datetime(2026, 1, 7, 20, 15, 30, 250_000, tzinfo=UTC)


NEWEST = ("embedded", "tcp_server")


@pytest.fixture
def url(database: str) -> str:
    return database


@pytest.fixture
def ledger(url: str) -> Iterator[LedgerStore]:
    with LedgerStore.open(url) as ledger:
        yield ledger


def opened(name: str) -> EncounterOpened:
    return EncounterOpened(
        encounter=encounter_id(name),
        seq=1,
        recorded_at=NOW,
        declaration=1,
        command=uuid4(),
        name=name,
        ruleset="dnd5e",
        ruleset_version="1",
        dice="random",
    )


def modifier(name: str, seq: int) -> ChainModified:
    return ChainModified(
        encounter=encounter_id(name),
        seq=seq,
        recorded_at=NOW,
        declaration=1,
        cause=1,
        chain="attack",
        stage="features",
        source="dnd5e:feature:protection",
        owner="osric",
        reason="Protection",
        change=Change(op=ChangeOp.DISADVANTAGE),
    )


def recorded(ledger: LedgerStore, name: str, count: int = 5) -> list[Event]:
    events: list[Event] = [opened(name), *(modifier(name, seq) for seq in range(2, count + 1))]
    ledger.append(events)
    return events


def test_what_is_appended_is_read_back_unchanged(ledger: LedgerStore) -> None:
    events = recorded(ledger, "bridge")
    stream = ledger.find("bridge")
    assert stream.events == events
    assert ledger.find(str(encounter_id("bridge"))).events == events


def test_a_part_of_a_stream_can_be_read(ledger: LedgerStore) -> None:
    events = recorded(ledger, "bridge")
    assert ledger.read(encounter_id("bridge"), upto=3).events == events[:3]


def test_hashes_form_a_chain_from_genesis(ledger: LedgerStore, url: str) -> None:
    events = recorded(ledger, "bridge")
    head = GENESIS
    for event in events:
        head = chained_hash(head, event.encounter, event.seq, *encode(event))
    assert ledger.find("bridge").head == head


def test_two_writers_on_one_head_only_one_wins(ledger: LedgerStore) -> None:
    recorded(ledger, "bridge", 2)
    head = ledger.find("bridge").head
    ledger.append([modifier("bridge", 3)], head)
    with pytest.raises(Conflict):
        ledger.append([modifier("bridge", 3), modifier("bridge", 4)], head)
    assert len(ledger.find("bridge").events) == 3


def test_an_append_is_all_or_nothing(ledger: LedgerStore) -> None:
    recorded(ledger, "bridge", 3)
    head = ledger.find("bridge").head
    plant(ledger.url, "bridge", *encode(modifier("bridge", 5)), gap=1)
    with pytest.raises(Conflict):
        ledger.append([modifier("bridge", 4), modifier("bridge", 5)], head)
    assert [event.seq for event in ledger.find("bridge").events] == [1, 2, 3, 5]


def test_events_that_do_not_follow_each_other_are_not_appended(ledger: LedgerStore) -> None:
    recorded(ledger, "bridge", 3)
    with pytest.raises(ValueError, match="event 6 cannot follow event 4"):
        ledger.append([modifier("bridge", 4), modifier("bridge", 6)], ledger.find("bridge").head)
    assert len(ledger.find("bridge").events) == 3


def test_an_unknown_encounter_is_a_problem_with_a_code(ledger: LedgerStore) -> None:
    with pytest.raises(Problem) as caught:
        ledger.find("nowhere")
    assert caught.value.code == "ledger/unknown-encounter"


def test_encounters_are_listed_in_the_order_they_were_opened(ledger: LedgerStore) -> None:
    recorded(ledger, "first", 4)
    recorded(ledger, "second", 2)
    assert [(entry.name, entry.events) for entry in ledger.list_encounters()] == [("first", 4), ("second", 2)]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE combatlog.ledger_events SET topic = 'ruled'",
        "DELETE FROM combatlog.ledger_events",
        "TRUNCATE combatlog.ledger_events",
        "TRUNCATE combatlog.ledger_events CASCADE",
    ],
)
@pytest.mark.parametrize("role", ["origin", "replica"])
def test_the_owner_of_the_table_cannot_change_it_either(
    ledger: LedgerStore, url: str, statement: str, role: str
) -> None:
    events = recorded(ledger, "bridge")
    with psycopg.connect(url) as conn:
        conn.execute(f"SET session_replication_role = {role}")  # type: ignore[call-overload]
        with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
            conn.execute(statement)  # type: ignore[call-overload]
    assert ledger.find("bridge").events == events


def test_a_change_of_no_row_is_refused_too(ledger: LedgerStore, url: str) -> None:
    with psycopg.connect(url) as conn, pytest.raises(psycopg.errors.RaiseException, match="append-only"):
        conn.execute("UPDATE combatlog.ledger_events SET topic = 'ruled' WHERE false")


def test_opening_twice_installs_once(empty_database: str) -> None:
    with LedgerStore.open(empty_database) as one, LedgerStore.open(empty_database) as other:
        recorded(one, "bridge")
        assert len(other.find("bridge").events) == 5


def test_a_ledger_of_a_newer_schema_is_refused(ledger: LedgerStore, url: str) -> None:
    with psycopg.connect(url) as conn:
        conn.execute("INSERT INTO combatlog.schema_version (version) VALUES (99)")
    with pytest.raises(Problem) as caught:
        LedgerStore.open(url)
    assert caught.value.code == "database/newer-schema"


def test_the_notification_log_has_every_event_in_the_order_of_commits(ledger: LedgerStore) -> None:
    first = recorded(ledger, "first", 3)
    second = recorded(ledger, "second", 2)
    notifications = ledger.notification_log.select(start=1, limit=10)
    assert [ledger.mapper.to_domain_event(notification) for notification in notifications] == first + second


def test_strings_of_users_come_back_as_they_were(ledger: LedgerStore) -> None:
    strange = "O'Brien \"; DROP TABLE x; -- \u202e\N{DRAGON}\n\x1b[31m \\ {}"
    recorded(ledger, "bridge", 1)
    ruled = Ruled(
        encounter=encounter_id("bridge"), seq=2, recorded_at=NOW, declaration=1, ruling=strange, reason=strange
    )
    ledger.append([ruled], ledger.find("bridge").head)
    assert ledger.find("bridge").events[1] == ruled


def test_a_server_without_room_for_locks_is_named(ledger: LedgerStore) -> None:
    """Whoever can connect can fill the server's table of locks."""
    with pytest.raises(DatabaseProblem) as caught, ledger.recorder.hold() as conn, conn.transaction():
        conn.execute("SELECT pg_advisory_xact_lock(key) FROM generate_series(1, 1000000) AS key")
    assert caught.value.code == "database/no-memory"
    assert ledger.facts()["encounters"] == 0
