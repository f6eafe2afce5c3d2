"""The threads of the service: workers that each hold a share of the fights, and one follower of the ledger.

The same worker always handles a fight, so its referee remembers the fight. Long work that needs no fight in memory
runs on a separate pool of ledgers. The service also decides for players who do not answer in time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from queue import LifoQueue
from threading import Event as Flag
from threading import RLock, Thread
from time import monotonic
from typing import TYPE_CHECKING
from uuid import UUID

import psycopg
from eventsourcing.persistence import PersistenceError

import combatlog
from combatlog.messages.commands import TimeUp
from combatlog.rules.engine.refusal import Refusal
from combatlog.service.event_streams import StreamDispatcher, Subscriber
from combatlog.service.live_fights import LiveFight, LiveFights
from combatlog.service.observability import measure
from combatlog.service.settings import Settings
from combatlog.service.token_lookup import TokenLookup
from combatlog.service.webhook_delivery import WebhookDelivery
from ledger.errors import Problem
from ledger.store import encounters
from ledger.store.positions import PAUSE, LogPosition
from projections.battle.consent import REACTION_TIME, answer_until
from projections.views.seats import GM

if TYPE_CHECKING:
    from ledger.store.recorder import LedgerRecorder


_PAUSE = 0.25
"""Seconds between attempts to follow a ledger that does not answer, and between checks for delayed events."""
_SEARCH = 30.0
"""Seconds between searches of the ledger for fights with an overdue answer."""
_LEDGERS = 3
_COMMAND_THREADS = 40
"""Threads for commands, including those that wait for a worker."""
_LOST = (Problem, PersistenceError, psycopg.Error)
_log = logging.getLogger("combatlog.service")


class FightWorker:
    def __init__(self, database: str | None) -> None:
        self.lock = RLock()
        self.ledger = combatlog.open(database).share_memory()
        self.tables = LiveFights()


class Runtime:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.stopping = Flag()
        self.streams: dict[Subscriber, UUID] = {}
        """The open streams, each with its seat."""
        self.carrier: StreamDispatcher | None = None
        """None until the service is open."""
        self.followed_at = 0.0
        """When the follower last had seen everything."""
        self._desks = [FightWorker(settings.database) for _ in range(settings.desks)]
        self._offices: LifoQueue[combatlog.Ledger] = LifoQueue()
        for _ in range(_LEDGERS):
            self._offices.put(combatlog.open(settings.database).share_memory())
        self.doorman = TokenLookup(settings.database)
        self._follower = combatlog.open(settings.database)
        self._messenger = WebhookDelivery(self, self._follower, _LOST)
        self._search, self._searched_at = OverdueSearch(), -_SEARCH
        self._threads = [Thread(target=self._follow, daemon=True), Thread(target=self._tick, daemon=True)]

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        self.carrier = StreamDispatcher(loop)
        loop.set_default_executor(ThreadPoolExecutor(_COMMAND_THREADS, "command"))
        self.doorman.open(loop)
        for thread in self._threads:
            thread.start()
        if not self.settings.read_only:
            self._messenger.start()

    def end_streams(self) -> None:
        """Open streams must not delay the end of the service; clients resume elsewhere, or later."""
        self.stopping.set()
        for subscriber in tuple(self.streams):
            subscriber.end()

    def close(self) -> None:
        self.end_streams()
        self._messenger.stop()
        with suppress(*_LOST):
            self._follower.close()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout=5)
        self.doorman.close()
        for desk in self._desks:
            desk.ledger.close()
        while not self._offices.empty():
            self._offices.get().close()

    def desk(self, encounter: UUID) -> FightWorker:
        return self._desks[encounter.int % len(self._desks)]

    @contextmanager
    def office(self) -> Iterator[combatlog.Ledger]:
        """A ledger for one question, while the block lasts."""
        ledger = self._offices.get()
        try:
            yield ledger
        finally:
            self._offices.put(ledger)

    @property
    def lag(self) -> float:
        """Seconds since the follower last had seen everything."""
        return monotonic() - self.followed_at

    # Following

    def _follow(self) -> None:
        """Update a watched fight whenever any process records something in it."""
        position: LogPosition | None = None
        while not self.stopping.is_set():
            try:
                position = self._look_after(position)
            except _LOST as error:
                position = None
                if not self.stopping.is_set():
                    _log.warning("the follower lost the database", extra={"reason": str(error)})
            self.stopping.wait(PAUSE if position is not None else _PAUSE)

    def _look_after(self, position: LogPosition | None) -> LogPosition | None:
        """Read what was recorded since a position, and return the new position; None if a fight could not be read.

        Without a position, events may have been missed, so every watched fight is read.
        """
        recorder = self._follower.store.recorder
        settled = recorder.settled_nodes()
        new = self._all_watched() if position is None else recorder.heads_between(position, settled)
        could_be_read = [self._ring(encounter, seq) for encounter, seq in new]
        self.followed_at = monotonic()
        return settled if all(could_be_read) else None

    def _all_watched(self) -> Sequence[tuple[UUID, int | None]]:
        return [(table.encounter, None) for table in self._watched()]

    def _ring(self, encounter: UUID, seq: int | None) -> bool:
        """Update a watched fight; False if it could not be read. Nothing is read if the event is known already."""
        desk = self.desk(encounter)
        table = desk.tables.get(encounter)
        if table is None or not table.is_watched or (seq is not None and seq <= table.seq):
            return True
        try:
            with desk.lock:
                table.catch_up(desk.ledger.store, seq)
        except _LOST as error:  # an unreadable fight must not affect the others
            _log.warning("a fight that is watched cannot be read", extra={"reason": str(error)})
            return False
        return True

    def _tick(self) -> None:
        """Show events whose delay has passed, decide overdue windows, and end the streams of revoked seats."""
        while not self.stopping.wait(_PAUSE):
            try:
                self._end_streams_of_seats_that_are_gone()
                measure(self)
            except _LOST:
                continue
            self._settle_overdue()
            for table in self._watched():
                if any(watch.delay and watch.is_behind(table.events) for watch in tuple(table.watches.values())):
                    with self.desk(table.encounter).lock:
                        table.show()

    def _end_streams_of_seats_that_are_gone(self) -> None:
        """A seat may have been revoked through another worker, and expiry is not announced."""
        watching = tuple(self.streams.items())
        held = self._follower.seats.still_held({seat for _, seat in watching}) if watching else set()
        for subscriber, seat in watching:
            if seat not in held:
                subscriber.end()

    def _settle_overdue(self) -> None:
        if not self.settings.read_only and monotonic() - self._searched_at >= _SEARCH:
            self._search_for_overdue()
            self._searched_at = monotonic()
        for desk in self._desks if not self.settings.read_only else ():
            try:
                settle_overdue(desk)
            except _LOST as error:
                _log.warning("what is overdue could not be decided", extra={"reason": str(error)})

    def _search_for_overdue(self) -> None:
        try:
            for encounter, last in self._search.unknown(self._follower.store.recorder).items():
                self._search.get_to_know(self.desk(encounter), encounter, last)
        except _LOST as error:
            _log.warning("fights that wait could not be looked for", extra={"reason": str(error)})

    def _watched(self) -> list[LiveFight]:
        return [table for desk in self._desks for table in tuple(desk.tables.values()) if table.is_watched]


class OverdueSearch:
    """Searches the ledger for fights that wait for an answer. Others are skipped until they have new events."""

    def __init__(self) -> None:
        self._quiet: dict[UUID, int] = {}

    def unknown(self, recorder: LedgerRecorder) -> dict[UUID, int]:
        """Fights with a time limit that may be waiting for an answer, with the seqs of their last events."""
        return {
            encounter: last
            for encounter, last in encounters.encounters_mentioning(recorder, f'"{REACTION_TIME}"').items()
            if self._quiet.get(encounter) != last
        }

    def get_to_know(self, desk: FightWorker, encounter: UUID, last: int) -> None:
        with desk.lock:
            table = desk.tables.at(encounter)
            table.catch_up(desk.ledger.store, last)
            battle = table.watch(GM, 0).battle
        if answer_until(battle) is None:
            self._quiet[encounter] = last


def settle_overdue(desk: FightWorker) -> None:
    """Decide the overdue windows in each fight of this worker."""
    for table in tuple(desk.tables.values()):
        if table.is_overdue(datetime.now(UTC)):
            with desk.lock:
                _settle(desk, table)


def _settle(desk: FightWorker, table: LiveFight) -> None:
    try:
        desk.ledger.backend(table.encounter).record(TimeUp())
    except Refusal:
        table.catch_up(desk.ledger.store)  # it was answered, or it needs dice that are rolled at the table
        table.give_up_on_overdue()
    else:
        table.catch_up(desk.ledger.store)
