"""Following the log of all events: the library's subscription, woken by the clock instead of a NOTIFY."""

from __future__ import annotations

from eventsourcing.persistence import ListenNotifySubscription
from eventsourcing.postgres import PostgresApplicationRecorder

PAUSE = 0.05


class PollingSubscription(ListenNotifySubscription[PostgresApplicationRecorder]):
    """Looks for new events several times a second.

    PostgreSQL commits only one transaction with a NOTIFY at a time, so writers that announced their events would wait
    for each other. Besides, what is settled can advance without any event, when a writer gives up.
    """

    def _loop_on_pull(self) -> None:
        try:
            while not self._has_been_stopped:
                self._pull()
                self._has_been_notified.wait(PAUSE)
        except BaseException as error:
            self._thread_error = self._thread_error or error
            self.stop()
