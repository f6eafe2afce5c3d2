"""PollingSubscription the log of all events: the library's subscription, woken by the clock."""

from __future__ import annotations

from eventsourcing.persistence import ListenNotifySubscription
from eventsourcing.postgres import PostgresApplicationRecorder

PAUSE = 0.05


class PollingSubscription(ListenNotifySubscription[PostgresApplicationRecorder]):
    """Looks for new events several times a second.

    PostgreSQL lets only one transaction at a time commit a NOTIFY, so writers that announced their events would all
    wait for each other; and what is settled can move on without any event, when a writer gives up.
    """

    def _loop_on_pull(self) -> None:
        try:
            while not self._has_been_stopped:
                self._pull()
                self._has_been_notified.wait(PAUSE)
        except BaseException as error:
            self._thread_error = self._thread_error or error
            self.stop()
