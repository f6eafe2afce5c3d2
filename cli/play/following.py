"""Following what others do in the same fight, as long as the shell is open."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from combatlog import Following, RecordedFight

_AGAIN = 1.0
"""Seconds after which a database that went away is tried again."""


class Follower:
    """Tells the number of what is recorded, whoever records it; None: something may have been. All else is done by the
    thread that plays."""

    def __init__(self, fight: RecordedFight, news: Callable[[int | None], None]) -> None:
        self._fight = fight
        self._news = news
        self._stopped = Event()
        self._following: Following | None = None
        self._thread = Thread(target=self._follow, name="follower", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._following is not None:
            self._following.stop()

    def _follow(self) -> None:
        while not self._stopped.is_set():
            try:
                self._following = self._fight.follow()
                for event in self._following:
                    self._news(event.seq)
            except Exception as lost:
                if self._stopped.is_set() or not _is_of_the_database(lost):
                    return
            self._stopped.wait(_AGAIN)
            self._news(None)  # it may have missed something in between


def _is_of_the_database(error: Exception) -> bool:
    from cli.command import problem_behind

    return problem_behind(error) is not None
