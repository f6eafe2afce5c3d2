"""Follow a ledger or a fight: every event as it is recorded by any process, in order and without gaps.

Watching a fight from a seat survives a restart of the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from threading import Event as Flag
from threading import Lock, Thread
from typing import TYPE_CHECKING, Self
from uuid import UUID

import psycopg
from eventsourcing.persistence import PersistenceError

from ledger.errors import Problem
from ledger.registry import decode
from ledger.store.positions import plain_position, position_after

if TYPE_CHECKING:
    from combatlog.backend import RecordBackend
    from ledger.events import Event
    from projections.views import SeatView

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from eventsourcing.persistence import Notification

    from combatlog.backend import RecordBackend
    from ledger.events import Event
    from ledger.store.ledger import LedgerStore as Store
    from ledger.store.positions import LogPosition, PollingSubscription

    _Wanted = Callable[[Notification], bool]


class Following(Iterator["Event"]):
    """Events as they come. Asking for the next one waits for it, until this is stopped.

    `stop()` may be called from another thread. Leaving the `with` block and closing the ledger stop
    it, too.
    """

    _stopped = False

    def __init__(self, subscription: PollingSubscription, wanted: _Wanted = lambda _: True, past: Sequence[Event] = ()):
        """`past` are events that were read before; they come first."""
        self._subscription = subscription.__enter__()
        self._wanted = wanted
        self._past = iter(past)
        self.position: int | LogPosition | None = None
        """The position of the last new event in the ledger: `Ledger.follow(after=...)` continues from there.

        One number, or one for each node of a cluster.
        """
        self._after = subscription.after
        self.passed_over: list[tuple[UUID, int, str]] = []
        """Events that cannot be read: the encounter, the seq, and why."""

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Event:
        for event in self._past:
            return event
        for notification in self._subscription:
            self._after = position_after(self._after, (notification.id,))
            self.position = plain_position(self._after)
            if self._wanted(notification) and (read := self._read(notification)) is not None:
                return read
        raise StopIteration

    def _read(self, notification: Notification) -> Event | None:
        """An unreadable event must not hide the events after it."""
        try:
            return decode(notification.topic, notification.state)
        except Problem as problem:
            place = UUID(str(notification.originator_id)), notification.originator_version
            self.passed_over.append((*place, problem.sentence))
            return None

    def stop(self) -> None:
        if not self._stopped:
            self._stopped = True
            self._subscription.__exit__(None, None, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __del__(self) -> None:
        self.stop()


def follow_ledger(store: Store, after: int | LogPosition | None) -> Following:
    """After a position in the ledger, or from now on."""
    return Following(store.recorder.subscribe(store.recorder.settled_nodes() if after is None else after))


def follow_fight(store: Store, encounter: UUID, after: int | None) -> Following:
    """After an event of a fight, or from now on.

    Nothing is added any more up to the settled position, so an event is either among those that are read next, or
    comes after that position. Some come twice.
    """
    settled = store.recorder.settled_nodes()
    known = store.read(encounter).events
    last = known[-1].seq

    def is_new(notification: Notification) -> bool:
        return notification.originator_id == encounter and notification.originator_version > last

    past = [event for event in known if event.seq > after] if after is not None else ()
    return Following(store.recorder.subscribe(settled), is_new, past)


class Broadcast:
    """Follows a ledger once for any number of `stream()`s, so that they share one thread."""

    def __init__(self, store: Store, keep: Callable[[Following], Following]) -> None:
        self._store = store
        self._keep = keep
        self._listeners: dict[UUID, set[Listener]] = {}
        self._following: Following | None = None
        self._lock = Lock()

    def join(self, listener: Listener) -> None:
        """Send the listener every event of its fight from now on, and perhaps some that were recorded before."""
        with self._lock:
            self._listeners.setdefault(listener.encounter, set()).add(listener)
            if self._following is None:
                started = self._store.recorder.subscribe(self._store.recorder.settled_nodes())
                self._following = self._keep(Following(started, self._is_wanted))
                Thread(target=self._tell_all, args=(self._following,), name="combatlog-stream", daemon=True).start()

    def leave(self, listener: Listener) -> None:
        """The last one to leave ends the thread."""
        with self._lock:
            self._listeners.get(listener.encounter, set()).discard(listener)
            if not self._listeners.get(listener.encounter):
                self._listeners.pop(listener.encounter, None)
            if not self._listeners and self._following is not None:
                self._following.stop()
                self._following = None

    def _is_wanted(self, notification: Notification) -> bool:
        return notification.originator_id in self._listeners

    def _tell_all(self, following: Following) -> None:
        end: Exception | None = None
        try:
            for event in following:
                for listener in tuple(self._listeners.get(event.encounter, ())):
                    listener.tell(event)
        except Exception as error:  # each listener raises it
            end = error
        with self._lock:
            if self._following is not following:
                return
            self._following = None
            left = [listener for listeners in self._listeners.values() for listener in listeners]
        for listener in left:
            listener.tell(end)


class Listener:
    """One `stream()`. Its events wait in a queue of its event loop."""

    def __init__(self, encounter: UUID) -> None:
        self.encounter = encounter
        self._loop = asyncio.get_running_loop()
        self._told: asyncio.Queue[Event | Exception | None] = asyncio.Queue()

    def tell(self, told: Event | Exception | None) -> None:
        """From any thread. None: nothing more will come."""
        with suppress(RuntimeError):  # the loop is closed, so the stream has ended
            self._loop.call_soon_threadsafe(self._told.put_nowait, told)

    async def events(self) -> AsyncIterator[Event]:
        while (told := await self._told.get()) is not None:
            if isinstance(told, Exception):
                raise told
            yield told


async def stream_fight(broadcast: Broadcast, backend: RecordBackend, after: int | None) -> AsyncIterator[Event]:
    """Every event of a fight after one, then each as it is recorded."""
    listener, last = Listener(backend.id), after or 0
    try:
        await asyncio.to_thread(broadcast.join, listener)
        for event in await asyncio.to_thread(backend.history):
            if event.seq > last:
                last = event.seq
                yield event
        async for event in listener.events():
            if event.seq > last:
                last = event.seq
                yield event
    finally:
        broadcast.leave(listener)


_PAUSE = 0.25
"""Seconds between attempts to reach a database that does not answer."""
_LOST = (Problem, PersistenceError, psycopg.Error)


class Watching:
    """Iterate over `events()`, and pass each one to `onlooker.see`. `stop()` may be called from another thread."""

    def __init__(self, backend: RecordBackend, onlooker: SeatView) -> None:
        backend.check_following()
        self.onlooker = onlooker
        self.problem: str | None = None
        """Why no new events arrive at the moment."""
        self._backend = backend
        self._following: Following | None = None
        self._stopped = Flag()
        self._last = 0

    def events(self) -> Iterator[Event | None]:
        """Every event of the fight from the first one on, as it is recorded.

        None means that the connection was lost or found again; see `problem`.
        """
        while not self._stopped.is_set():
            try:
                yield from self._follow()
            except _LOST as error:
                if self._stopped.is_set():
                    return
                yield from self._say(error.sentence if isinstance(error, Problem) else "The database does not answer.")
                self._stopped.wait(_PAUSE)

    def _follow(self) -> Iterator[Event | None]:
        with self._backend.follow(self._last) as following:
            self._following = following
            yield from self._say(None)
            for event in following:
                self._last = event.seq
                yield event

    def _say(self, problem: str | None) -> Iterator[None]:
        if problem != self.problem:
            self.problem = problem
            yield None

    def stop(self) -> None:
        self._stopped.set()
        if self._following is not None:
            with suppress(*_LOST):
                self._following.stop()
