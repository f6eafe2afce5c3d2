"""The ledger: an application of the eventsourcing library whose events are pydantic models in a hash chain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from functools import lru_cache
from threading import RLock
from typing import Any, ClassVar, NamedTuple, Self, cast
from uuid import UUID, uuid5

import psycopg
from eventsourcing.application import Application
from eventsourcing.persistence import InfrastructureFactory, Mapper, PersistenceError, StoredEvent
from eventsourcing.postgres import PostgresFactory
from eventsourcing.utils import Environment
from psycopg.conninfo import conninfo_to_dict

from ledger.errors import Conflict, DatabaseProblem, Problem, Unanswered, unknown_encounter
from ledger.events import Event, Forked
from ledger.registry import GENESIS, chained_hash, decode, encode
from ledger.store import encounters as beginnings
from ledger.store.appending import BlobArray, EventBatch, TextArray
from ledger.store.connections import LedgerPool, connect, explain, settings_of, unusable
from ledger.store.encounters import ListedEncounter, Page, encounter_page
from ledger.store.recorder import LedgerRecorder, StoredRow
from ledger.store.schema import ensure_schema, is_distributed, require_utf8, usable_writer

_NAMES = UUID("5f0c3a52-8f5e-4b0e-9d5c-2b8f6f1f9a11")
MOST_NAMES = 500
"""The most names of encounters that are suggested or compared at once."""
_ALIKE = 100
_LONGEST_COMPARED = 100
_NO_END = 2**62
MAX_FORKS_DEEP = 64
"""The most nested forks: reading one means reading every encounter that it comes from."""
_TURNS = 64
"""The number of locks for writing threads. Two encounters may share one and then sometimes wait for each other."""
Stored = tuple[UUID, StoredRow]
"""A row and the encounter under which it is stored."""


@lru_cache(1024)
def encounter_id(reference: str) -> UUID:
    """The id for a name or an id. An encounter's id is derived from its name, which makes names unique."""
    try:
        return UUID(reference)
    except ValueError:
        return uuid5(_NAMES, reference.strip().encode("utf-8", "replace").decode())


def _fork_of(rows: Sequence[Stored]) -> Forked | None:
    """The fork that these rows begin with, if they do not begin with the opening of an encounter."""
    first = decode(rows[0][1].name, rows[0][1].state) if rows and rows[0][1].seq > 1 else None
    return first if isinstance(first, Forked) else None


def with_shared_past(encounter: UUID, own_rows: Callable[[UUID], list[Stored]]) -> list[Stored]:
    """The rows of an encounter, preceded by those that it shares with the encounters it was forked from."""
    own = own_rows(encounter)
    parts, seen, shared = [own], {encounter}, _NO_END
    # In a ledger that was tampered with, forks may form a cycle.
    while (fork := _fork_of(own)) is not None and fork.parent not in seen:
        seen.add(fork.parent)
        shared = min(shared, fork.at)
        own = own_rows(fork.parent)
        parts.append([(origin, row) for origin, row in own if row.seq <= shared])
    return [row for part in reversed(parts) for row in part]


class EncounterStream(NamedTuple):
    """Events of one encounter, and the hash of the last one, on which the next event builds."""

    events: list[Event]
    head: bytes


def _connect(url: str) -> tuple[psycopg.Connection[Any], str | None]:
    """A connection to a usable ledger, and the role to use, if any."""
    conn = connect(url)
    try:
        require_utf8(conn)
        ensure_schema(conn)
        return conn, usable_writer(conn)
    except BaseException:
        conn.close()
        raise


class PydanticMapper(Mapper[UUID]):
    """Maps events to rows with the registry instead of module paths."""

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        topic, state = encode(domain_event)
        return StoredEvent(domain_event.encounter, domain_event.seq, topic, state)

    def to_domain_event(self, stored_event: StoredEvent) -> Event:
        return decode(stored_event.topic, stored_event.state)


class LedgerStore(Application[UUID]):
    """Append-only store of encounters."""

    name = "ledger"
    env: ClassVar[dict[str, str]] = {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_SCHEMA": "combatlog",
        "APPLICATION_RECORDER_TOPIC": "ledger.store.recorder:LedgerRecorder",
        "CREATE_TABLE": "no",
        "POSTGRES_POOL_SIZE": "1",
    }
    recorder: LedgerRecorder

    def __init__(self, url: str, role: str | None = None, first: psycopg.Connection[Any] | None = None) -> None:
        """With a role, everything is done with that role's rights instead of the user's own, except behind a pooler.

        `first` is an existing connection.
        """
        self.url = url
        self._conninfo = settings_of(url)
        self._first = first
        self.role = role
        self._turns = [RLock() for _ in range(_TURNS)]
        try:
            super().__init__(
                {
                    "POSTGRES_DBNAME": str(self._conninfo.get("dbname", "")),
                    "POSTGRES_HOST": str(self._conninfo.get("host", "")),
                    "POSTGRES_PORT": str(self._conninfo.get("port", "")),
                    "POSTGRES_USER": str(self._conninfo.get("user", "")),
                    "POSTGRES_PASSWORD": str(self._conninfo.get("password", "")),
                }
            )
        except BaseException:
            self._close_unfinished()
            raise

    def _close_unfinished(self) -> None:
        """Close the connections of a ledger that failed to open, rather than leave that to the garbage collector."""
        with suppress(AttributeError):
            self.close()

    @classmethod
    def open(cls, url: str) -> Self:
        """Connect, and install the tables on first use; refuse a database that cannot be used."""
        try:
            conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            raise DatabaseProblem(
                "database/url",
                "That is not a database URL; it has the form postgresql://USER:PASSWORD@HOST:PORT/DATABASE.",
            ) from error
        try:
            conn, role = _connect(url)
            on_cluster = is_distributed(conn)
            opened = cls(url, role, conn)
        except (psycopg.Error, PersistenceError) as error:
            if (problem := explain(error)) is not None:
                raise problem from error
            raise unusable(error) from error
        if on_cluster:
            opened.recorder.on_cluster = True
        return opened

    def check_following(self) -> None:
        """Refuse if following new events can never work here, not even after a temporary failure."""

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:
        """Like the library, but with our own connection pool."""
        factory = super().construct_factory(env)
        datastore = cast(PostgresFactory, factory).datastore
        datastore.pool = LedgerPool(datastore, self._conninfo, role=self.role, first=self._first)
        return factory

    def construct_mapper(self) -> Mapper[UUID]:
        return PydanticMapper(transcoder=self.construct_transcoder())

    def turn(self, encounter: UUID) -> AbstractContextManager[object]:
        """A lock that makes threads that write to the same encounter take turns.

        They could take turns in the database, as processes do, but each would need a connection while it waits, and
        among many the fastest could win again and again.
        """
        return self._turns[encounter.int % _TURNS]

    def append(self, events: Sequence[Event], head: bytes = GENESIS, *, seed: bytes | None = None) -> bytes:
        """Record the events of one command after `head`, all or none, and return the new head.

        The seed of committed dice is stored in the same transaction as the encounter's first event.
        Raises Conflict if another writer has appended to the encounter since `head` was read.
        """
        batch = EventBatch(events[0].encounter, events[0].seq, TextArray(), BlobArray(), BlobArray())
        for seq, event in enumerate(events, batch.first):
            if event.seq != seq:
                raise ValueError(f"event {event.seq} cannot follow event {seq - 1}")
            name, state = encode(event)
            head = chained_hash(head, event.encounter, event.seq, name, state)
            batch.names.append(name)
            batch.states.append(state)
            batch.hashes.append(head)
        try:
            self.recorder.insert_batch(batch, seed)
        except Unanswered as unanswered:
            self._send_again(batch, seed, unanswered)
        return head

    def _send_again(self, batch: EventBatch, seed: bytes | None, unanswered: Unanswered) -> None:
        """Send a batch again. This is safe even if the first attempt was recorded: each seq can be used only once."""
        try:
            self.recorder.insert_batch(batch, seed)
        except Conflict:
            last = batch.first + len(batch.names) - 1
            found = self.recorder.select_rows(batch.encounter, after=last - 1, upto=last)
            if [row.hash for row in found] != batch.hashes[-1:]:
                raise
        except DatabaseProblem as error:
            raise unanswered from error

    def seed(self, encounter: UUID) -> bytes | None:
        """The stored secret seed of an encounter, if it has one."""
        return self.recorder.select_seed(encounter)

    def history(self, encounter: UUID) -> list[Stored]:
        """Every row of an encounter, each with the encounter that it is stored under: in a fork's past, another one."""
        return with_shared_past(encounter, self.own_rows)

    def own_rows(self, encounter: UUID) -> list[Stored]:
        """The rows that are stored under the encounter itself, without a fork's past."""
        return [(encounter, row) for row in self.recorder.select_rows(encounter)]

    def read(self, encounter: UUID, *, upto: int | None = None) -> EncounterStream:
        rows = [row for _, row in self.history(encounter) if upto is None or row.seq <= upto]
        return EncounterStream([decode(row.name, row.state) for row in rows], rows[-1].hash if rows else GENESIS)

    def read_last(self, encounter: UUID, count: int) -> list[Event]:
        """The last events of an encounter."""
        rows = self.recorder.select_last(encounter, count)
        if len(rows) < count and rows and rows[0].seq > 1:
            return self.read(encounter).events[-count:]
        return [decode(row.name, row.state) for row in rows]

    def read_after(self, encounter: UUID, seq: int, head: bytes) -> EncounterStream:
        """The events after an event whose hash is `head`."""
        rows = self.recorder.select_rows(encounter, after=seq - 1)
        if not rows or rows[0].hash != head:
            raise DatabaseProblem(
                "ledger/changed",
                f"Event {seq} has changed since it was recorded.",
                encounter=str(encounter),
                seq=seq,
            )
        return EncounterStream([decode(row.name, row.state) for row in rows[1:]], rows[-1].hash)

    def read_kinds(self, encounter: UUID, names: list[str], *, upto: int | None = None) -> list[Event]:
        """The events with these stored names, plus the last event: enough to fold a state."""
        rows = self.recorder.select_named(encounter, names, upto=upto)
        if rows and rows[0][0] == "encounter_opened":
            return [decode(name, state) for name, state in rows]
        return self.read(encounter, upto=upto).events

    def find(self, reference: str, *, upto: int | None = None) -> EncounterStream:
        """All events of the encounter with this name or id."""
        stream = self.read(encounter_id(reference), upto=upto)
        if not stream.events:
            raise self.unknown(reference)
        return stream

    def has(self, reference: str) -> bool:
        """Whether there is an encounter with this name or id."""
        return self.recorder.has(encounter_id(reference))

    def require(self, reference: str) -> UUID:
        """The id of the encounter with this name or id; raises a problem if there is none."""
        encounter = encounter_id(reference)
        if not self.recorder.has(encounter):
            raise self.unknown(reference)
        return encounter

    def unknown(self, reference: str) -> Problem:
        """The problem that there is no such encounter, with suggestions."""
        return unknown_encounter(reference, self._names_like(reference))

    def _names_like(self, reference: str) -> list[str]:
        """Candidates for suggestions: names that share a beginning with the reference, and the newest names."""
        said = reference.strip()[:_LONGEST_COMPARED]
        lengths = {len(said) - 2, *(len(said) * part // 8 for part in range(1, 9)), 1}
        alike = [self.names(said[:length], _ALIKE) for length in sorted(lengths) if length > 0]
        return [*self.names(), *(name for names in alike for name in names)]

    def facts(self) -> dict[str, int | str]:
        """The versions of the server and of the schema, and how much the ledger holds."""
        postgres, schema, encounters, events = self.recorder.select_facts()
        return {"postgres": postgres, "schema": schema, "encounters": encounters, "events": events}

    def list_encounters(self) -> Sequence[ListedEncounter]:
        """Every encounter, in the order they began; a fork has the ruleset of the encounter it comes from."""
        return self.page().encounters[::-1]

    def page(self, limit: int | None = None, after: str | None = None) -> Page:
        """The newest encounters, all or up to a limit; only those that began before `after`, if given."""
        before = beginnings.begun_at(self.recorder, encounter_id(after)) if after is not None else None
        if after is not None and before is None:
            raise self.unknown(after)
        return encounter_page(self.recorder, limit, before)

    def names(self, begin: str = "", limit: int = MOST_NAMES) -> list[str]:
        """Names with this beginning, in upper or lower case; if it is empty, the names of the newest encounters."""
        return list(beginnings.encounter_names(self.recorder, begin, limit))
