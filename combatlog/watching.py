"""Watching a fight from a seat: everything once and in order, also when the database is restarted in between."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from threading import Event as Flag
from typing import TYPE_CHECKING

import psycopg
from eventsourcing.persistence import PersistenceError

from ledger.errors import Problem

if TYPE_CHECKING:
    from combatlog.backend import RecordBackend
    from combatlog.follow import Following
    from ledger.events import Event
    from projections.views import Onlooker

_PAUSE = 0.25
"""Seconds between attempts to reach a database that does not answer."""
_LOST = (Problem, PersistenceError, psycopg.Error)


class Watching:
    """Take what `events()` gives, and let the `onlooker` see it. `stop()` may be called from another thread."""

    def __init__(self, backend: RecordBackend, onlooker: Onlooker) -> None:
        backend.check_following()
        self.onlooker = onlooker
        self.problem: str | None = None
        """Why nothing new can be seen at the moment."""
        self._backend = backend
        self._following: Following | None = None
        self._stopped = Flag()
        self._last = 0

    def events(self) -> Iterator[Event | None]:
        """Every event of the fight as it is recorded, from the first one on, whoever records it.

        None: the connection was lost or found again, which `problem` says.
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
