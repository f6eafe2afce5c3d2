"""Writers that do not wait for each other, and followers that miss nothing all the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from eventsourcing.persistence import Notification
from eventsourcing.postgres import PostgresApplicationRecorder
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import Conflict
from ledger.registry import GENESIS, chained_hash
from ledger.store.appending import BlobArray, ChainedEvent, EventBatch, TextArray
from ledger.store.ledger import LedgerStore
from tests.effort import examples

Connection = psycopg.Connection[Any]
Select = Callable[[int], Sequence[Notification]]
DAWDLER, PAUSED = "dawdler", 77
APPEND = "SELECT combatlog.append_events(%b, %b::bigint, %b, %b, %b)"


def chain(encounter: UUID, events: int, topic: str = "x") -> EventBatch:
    """The first events of an encounter; `topic` is the kind of all but its beginning."""
    batch, head = EventBatch(encounter, 1, TextArray(), BlobArray(), BlobArray()), GENESIS
    for seq in range(1, events + 1):
        name = "encounter_opened" if seq == 1 else topic
        state = json.dumps({"encounter": str(encounter), "seq": seq}).encode()
        head = chained_hash(head, encounter, seq, name, state)
        batch.names.append(name)
        batch.states.append(state)
        batch.hashes.append(head)
    return batch


def append(conn: Connection, events: int = 1, topic: str = "x") -> None:
    """Some events of an encounter of their own: followers look at the order only."""
    conn.execute(APPEND, chain(uuid4(), events, topic))


def recorded(url: str) -> list[int]:
    with psycopg.connect(url) as conn:
        query = "SELECT notification_id FROM combatlog.ledger_events ORDER BY notification_id"
        return [row[0] for row in conn.execute(query)]


class Follower:
    """Goes on from the last event that it has seen."""

    def __init__(self, select: Select) -> None:
        self._select = select
        self.seen: list[int] = []

    def read(self) -> None:
        self.seen += [found.id for found in self._select(self.seen[-1] + 1 if self.seen else 1)]


def careful(ledger: LedgerStore) -> Follower:
    return Follower(lambda start: ledger.recorder.select_notifications(start, 1000))


def naive(ledger: LedgerStore) -> Follower:
    """Goes by what it sees, as the library does on a table that is locked."""
    return Follower(
        lambda start: PostgresApplicationRecorder.select_notifications(ledger.recorder, start=start, limit=1000)
    )


# Schedules: what several writers do, in turns, and when a follower looks


Step = tuple[str, int]
LATE_COMMIT: list[Step] = [("append", 0), ("append", 1), ("commit", 1), ("look", 0), ("commit", 0)]
WRITERS = 4


def follow(url: str, follower: Follower, schedule: Sequence[Step]) -> list[int]:
    """What a follower has seen when all is done; every step that does not fit the writer's state is left out."""
    with ExitStack() as stack:
        writers = [stack.enter_context(psycopg.connect(url)) for _ in range(WRITERS)]
        for writer in writers:
            writer.execute("SET lock_timeout = '10s'")
            writer.commit()
        for step, number in schedule:
            match step:
                case "append":
                    append(writers[number])
                case "commit":
                    writers[number].commit()
                case "abort":
                    writers[number].rollback()
                case _:
                    follower.read()
        for writer in writers:
            writer.commit()
    follower.read()
    return follower.seen


def test_a_writer_does_not_wait_for_one_that_has_not_committed(ledger: LedgerStore, database: str) -> None:
    with psycopg.connect(database) as slow, psycopg.connect(database, autocommit=True) as quick:
        append(slow)
        quick.execute("SET lock_timeout = '1ms'")
        append(quick)
        slow.commit()
    assert recorded(database) == [1, 2]


def test_an_event_that_commits_late_is_not_passed_over(ledger: LedgerStore, database: str) -> None:
    assert follow(database, careful(ledger), LATE_COMMIT) == [1, 2]


def test_a_follower_that_goes_by_what_it_sees_passes_over_it(ledger: LedgerStore, database: str) -> None:
    assert follow(database, naive(ledger), LATE_COMMIT) == [2]


def test_a_writer_that_gives_up_holds_nobody_up(ledger: LedgerStore, database: str) -> None:
    schedule: list[Step] = [("append", 0), ("append", 1), ("commit", 1), ("look", 0), ("abort", 0)]
    assert follow(database, careful(ledger), schedule) == [2]


steps = st.tuples(st.sampled_from(["append", "append", "commit", "abort", "look", "look"]), st.integers(0, WRITERS - 1))


@pytest.mark.slow
@examples(60)
@given(schedule=st.lists(steps, max_size=30))
def test_whatever_the_order_every_event_is_seen_once_and_in_order(
    ledger: LedgerStore, database: str, schedule: list[Step]
) -> None:
    before = recorded(database)
    follower = careful(ledger)
    follower.seen = before[-1:]
    assert follow(database, follower, schedule) == before[-1:] + recorded(database)[len(before) :]


class HeadsFollower(Follower):
    """Wants to know only in which encounters something is new, as whoever reads those itself does."""

    def __init__(self, ledger: LedgerStore) -> None:
        self._recorder = ledger.recorder
        self._position = self._recorder.settled_nodes()
        self.heads: list[tuple[UUID, int]] = []
        self.seen = []

    def read(self) -> None:
        before, self._position = self._position, self._recorder.settled_nodes()
        self.heads += self._recorder.heads_between(before, self._position)


def heads(url: str) -> set[tuple[UUID, int]]:
    with psycopg.connect(url) as conn:
        query = "SELECT originator_id, max(originator_version) FROM combatlog.ledger_events GROUP BY originator_id"
        return {(row[0], row[1]) for row in conn.execute(query)}


@examples(60)
@given(schedule=st.lists(steps, max_size=30))
def test_whatever_the_order_the_last_event_of_every_encounter_is_seen_once(
    ledger: LedgerStore, database: str, schedule: list[Step]
) -> None:
    before, follower = heads(database), HeadsFollower(ledger)
    follow(database, follower, schedule)
    assert sorted(follower.heads) == sorted(heads(database) - before)


def test_of_several_new_events_of_an_encounter_the_last_one_is_told(ledger: LedgerStore, database: str) -> None:
    follower, encounter = HeadsFollower(ledger), uuid4()
    with psycopg.connect(database) as conn:
        conn.execute(APPEND, chain(encounter, 7))
    follower.read()
    follower.read()
    assert follower.heads == [(encounter, 7)]


# Several appends in one transaction


def locks_of(conn: Connection) -> int:
    query = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
    return len(conn.execute(query).fetchall())


def test_many_appends_take_no_more_locks_than_one(ledger: LedgerStore, database: str) -> None:
    """Neither to new encounters nor to those that were there before."""
    encounters = [uuid4() for _ in range(5)]
    with psycopg.connect(database) as conn:
        for seq in (1, 2):
            append(conn)
            first = locks_of(conn)
            for encounter in encounters:
                append_next(conn, encounter, seq)
            assert locks_of(conn) == first
            conn.commit()


def test_an_event_of_a_second_append_that_commits_late_is_not_passed_over(ledger: LedgerStore, database: str) -> None:
    appends: list[Step] = [("append", 0), ("append", 1), ("append", 0), ("append", 1), ("commit", 1), ("look", 0)]
    assert follow(database, careful(ledger), [*appends, ("append", 0), ("commit", 0)]) == [1, 2, 3, 4, 5]


def announcement(number: int) -> int:
    return 0x43 << 56 | number


@pytest.mark.slow
@pytest.mark.parametrize("forged", [announcement(1000), announcement(0), 0x44 << 56, 0, -1, 2**63 - 1])
def test_whatever_a_writer_says_it_has_announced_nothing_is_passed_over(
    ledger: LedgerStore, database: str, forged: int
) -> None:
    follower = careful(ledger)
    with psycopg.connect(database) as slow, psycopg.connect(database, autocommit=True) as quick:
        slow.execute("SELECT set_config('combatlog.announced', %s, false)", (str(forged),))
        append(slow)
        append(quick)
        follower.read()
        slow.commit()
    follower.read()
    assert follower.seen == [1, 2]


def test_what_was_announced_and_taken_back_is_announced_again(ledger: LedgerStore, database: str) -> None:
    follower = careful(ledger)
    with psycopg.connect(database) as slow, psycopg.connect(database, autocommit=True) as quick, slow.transaction():
        with slow.transaction(force_rollback=True):
            append(slow)
        append(slow)
        append(quick)
        follower.read()
    follower.read()
    assert follower.seen == [2, 3]


# The moments inside an append


@contextmanager
def pausing(url: str, trigger: str) -> Iterator[Connection]:
    """The dawdler waits in a trigger of this name until the lock that this connection holds is given back."""
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(
            "CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            f" IF current_setting('application_name') = '{DAWDLER}' THEN"  # type: ignore[call-overload]
            f" PERFORM pg_advisory_xact_lock_shared({PAUSED}); END IF; RETURN NULL; END $$"
        )
        conn.execute(
            f"CREATE TRIGGER {trigger} BEFORE INSERT ON combatlog.ledger_events"  # type: ignore[call-overload]
            " FOR EACH STATEMENT EXECUTE FUNCTION pause()"
        )
        conn.execute("SELECT pg_advisory_lock(%s)", (PAUSED,))
        yield conn


def wait_until_paused(conn: Connection) -> None:
    query = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s AND NOT granted"
    while conn.execute(query, (PAUSED,)).fetchone() != (1,):
        """The writer has not come to its pause yet."""


def release(conn: Connection) -> None:
    conn.execute("SELECT pg_advisory_unlock(%s)", (PAUSED,))


def append_and_commit(url: str, who: str = "") -> None:
    with psycopg.connect(url, application_name=who) as conn:
        append(conn)


@pytest.mark.parametrize(
    ("moment", "seen_meanwhile"),
    [
        pytest.param("aaa_before_announcing", [1, 2], id="before it has announced itself"),
        pytest.param("zzz_before_drawing", [1], id="after it has announced itself and before it has drawn an id"),
    ],
)
def test_a_writer_that_dawdles_inside_an_append_is_not_passed_over(
    ledger: LedgerStore, database: str, moment: str, seen_meanwhile: list[int]
) -> None:
    """Another writer is allowed past it; its own events come after those, and a follower is in time for them."""
    append_and_commit(database)
    follower = careful(ledger)
    with ThreadPoolExecutor() as pool, pausing(database, moment) as conn:
        dawdling = pool.submit(append_and_commit, database, DAWDLER)
        wait_until_paused(conn)
        append_and_commit(database)
        follower.read()
        assert follower.seen == seen_meanwhile
        release(conn)
        dawdling.result(timeout=60)
    follower.read()
    assert follower.seen == [1, 2, 3]


# Everything at once


def write_at_random(url: str, seed: int, appends: int) -> None:
    chance = Random(seed)
    with psycopg.connect(url) as conn:
        for _ in range(appends):
            append(conn, chance.randint(1, 4))
            conn.rollback() if chance.random() < 0.2 else conn.commit()


def write_until_the_end(url: str) -> None:
    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(lambda seed: write_at_random(url, seed, 60), range(WRITERS)))
    with psycopg.connect(url) as conn:
        append(conn, 2, "end")


def test_a_subscription_gets_every_event_of_many_writers_once_and_in_order(ledger: LedgerStore, database: str) -> None:
    seen: list[int] = []
    with ThreadPoolExecutor() as pool, ledger.recorder.subscribe(gt=0) as subscription:
        writing = pool.submit(write_until_the_end, database)
        for notification in subscription:
            seen.append(notification.id)
            if notification.topic == "end":
                break
        writing.result()
    assert seen == recorded(database)


# Writers of one encounter


def nth(encounter: UUID, seq: int) -> EventBatch:
    """One event of an encounter by itself."""
    _, _, topics, states, hashes = chain(encounter, seq)
    return EventBatch(encounter, seq, TextArray(topics[-1:]), BlobArray(states[-1:]), BlobArray(hashes[-1:]))


def append_next(conn: Connection, encounter: UUID, first: int) -> None:
    conn.execute(APPEND, nth(encounter, first))


def test_others_wait_while_somebody_has_its_turn(ledger: LedgerStore, database: str) -> None:
    encounter = uuid4()
    with psycopg.connect(database, autocommit=True) as other, ThreadPoolExecutor() as pool:
        with ledger.recorder.lock(encounter):
            waiting = pool.submit(append_next, other, encounter, 1)
            ledger.recorder.insert_batch(nth(encounter, 1), None)
        with pytest.raises(psycopg.errors.UniqueViolation):
            waiting.result(timeout=60)
    assert recorded(database)[0] == 1


@pytest.mark.slow
def test_somebody_who_does_not_come_back_from_its_turn_is_not_waited_for(ledger: LedgerStore, database: str) -> None:
    encounter = uuid4()
    with psycopg.connect(database, autocommit=True) as other, ledger.recorder.lock(encounter):
        append_next(other, encounter, 1)
        assert other.execute("SELECT combatlog.lock_encounter(%s)", (encounter,)).fetchone() == (False,)
    assert recorded(database) == [1]


@pytest.mark.slow
def test_somebody_who_had_its_turn_too_long_ago_is_told_that_another_was_faster(
    ledger: LedgerStore, database: str
) -> None:
    encounter = uuid4()
    with psycopg.connect(database, autocommit=True) as other, ledger.recorder.lock(encounter):
        append_next(other, encounter, 1)
        with pytest.raises(Conflict):
            ledger.recorder.insert_batch(nth(encounter, 1), None)
        ledger.recorder.insert_batch(nth(encounter, 2), None)
    assert len(recorded(database)) == 2


def test_a_turn_is_over_with_its_connection(ledger: LedgerStore, database: str) -> None:
    encounter = uuid4()
    with psycopg.connect(database, autocommit=True) as other:
        with ledger.recorder.lock(encounter):
            other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        assert other.execute("SELECT combatlog.lock_encounter(%s)", (encounter,)).fetchone() == (True,)


def test_a_turn_holds_up_every_append_of_a_transaction(ledger: LedgerStore, database: str) -> None:
    encounter = uuid4()
    with psycopg.connect(database) as other, ThreadPoolExecutor() as pool:
        append(other)
        with ledger.recorder.lock(encounter):
            waiting = pool.submit(append_next, other, encounter, 1)
            ledger.recorder.insert_batch(nth(encounter, 1), None)
        with pytest.raises(psycopg.errors.UniqueViolation):
            waiting.result(timeout=60)


def test_a_turn_in_one_encounter_holds_up_no_other(ledger: LedgerStore, database: str) -> None:
    with psycopg.connect(database, autocommit=True) as other, ledger.recorder.lock(uuid4()):
        other.execute("SET lock_timeout = '1ms'")
        append(other)


def test_several_encounters_in_one_append_are_there_all_or_none(ledger: LedgerStore, database: str) -> None:
    def event(encounter: Any, seq: int) -> ChainedEvent:
        _, _, names, states, hashes = nth(encounter, seq)
        return ChainedEvent(encounter, seq, names[0], states[0], hashes[0])

    one, two = uuid4(), uuid4()
    ledger.recorder.insert_events([event(one, 1), event(one, 2), event(two, 1)])
    assert len(recorded(database)) == 3
    with pytest.raises(ValueError, match="do not follow each other"):
        ledger.recorder.insert_events([event(one, 3), event(two, 2), event(two, 4)])
    assert len(recorded(database)) == 3
