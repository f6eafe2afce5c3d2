"""Following the log of all events: the library's subscription, woken by the clock instead of a NOTIFY."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from eventsourcing.persistence import ListenNotifySubscription, ShutDown
from eventsourcing.postgres import PostgresApplicationRecorder

from ledger.positions import Position, joined

if TYPE_CHECKING:
    from ledger.recorder import LedgerRecorder

PAUSE = 0.05


class PollingSubscription(ListenNotifySubscription[PostgresApplicationRecorder]):
    """Looks for new events several times a second.

    PostgreSQL commits only one transaction with a NOTIFY at a time, so writers that announced their events would wait
    for each other. Besides, what is settled can advance without any event, when a writer gives up.
    """

    def __init__(self, recorder: LedgerRecorder, after: Position) -> None:
        self.after = after
        self._position = dict(after)
        self._events = recorder
        super().__init__(recorder)

    def _loop_on_pull(self) -> None:
        try:
            while not self._has_been_stopped:
                self._pull()
                self._has_been_notified.wait(PAUSE)
        except BaseException as error:
            self._thread_error = self._thread_error or error
            self.stop()

    def _pull(self) -> None:
        """As the library's, with a position for each node."""
        while not self._has_been_stopped:
            self._has_been_notified.clear()
            found = self._events.select_after(self._position, self._select_limit)
            if found:
                with suppress(ShutDown):
                    self._notifications_queue.put(found)
                self._position = joined(self._position, (notification.id for notification in found))
            if len(found) < self._select_limit:
                break
