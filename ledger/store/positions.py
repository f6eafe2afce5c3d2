"""Follow the log of all events: the subscription, and how far a follower has come on each node.

A server by itself is node 0, so its positions have one entry. On a cluster, the upper bits of a notification id are the
number of the node that drew it (`ledger/store/sql/16_nodes.sql`), and no order of ids says which of two nodes was
first. The order within an encounter is certain. Its events come from several nodes, one after the other, if its shard
was moved, so an event waits here until the event before it has been followed.

The subscription wakes up by the clock instead of a NOTIFY.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from eventsourcing.persistence import ListenNotifySubscription, Notification, ShutDown
from eventsourcing.postgres import PostgresApplicationRecorder
from psycopg.sql import SQL, Composable, Literal

if TYPE_CHECKING:
    from ledger.store.recorder import LedgerRecorder


_COUNT_BITS = 48
LogPosition = Mapping[int, int]
"""The last notification of each node, by its number. A node that is missing has not been followed at all."""


def node_of(notification: int) -> int:
    return notification >> _COUNT_BITS


def last_notification_of(node: int) -> int:
    """No notification of the node is beyond it."""
    return (node + 1 << _COUNT_BITS) - 1


def as_position(notification: int | LogPosition | None) -> dict[int, int]:
    """The position that somebody gave, who may know of one node only."""
    if isinstance(notification, Mapping):
        return dict(notification)
    return {node_of(notification): notification} if notification else {}


def plain_position(position: LogPosition) -> int | dict[int, int]:
    """As a number, if it is that of a server by itself."""
    return position[0] if position.keys() == {0} else dict(position)


def position_includes(position: LogPosition, notification: int) -> bool:
    return notification <= position.get(node_of(notification), 0)


def has_reached(position: LogPosition, goal: LogPosition) -> bool:
    return all(position.get(node, 0) >= notification for node, notification in goal.items())


def position_after(position: LogPosition, followed: Iterable[int]) -> dict[int, int]:
    """The position after these notifications as well."""
    new = dict(position)
    for notification in followed:
        new[node_of(notification)] = max(notification, new.get(node_of(notification), 0))
    return new


def between_positions(after: LogPosition, upto: LogPosition, column: str = "notification_id") -> Composable:
    """The condition that a notification lies beyond one position and not beyond another."""
    ranges = [
        SQL(f"({column} > {{}} AND {column} <= {{}})").format(
            Literal(max(after.get(node, 0), node << _COUNT_BITS)), Literal(last)
        )
        for node, last in upto.items()
    ]
    return SQL("({})").format(SQL(" OR ").join(ranges)) if ranges else SQL("false")


def beyond_position(position: LogPosition) -> Composable:
    """The condition that a notification lies beyond a position."""
    nodes = sorted(position)
    gaps = [
        SQL("(notification_id > {} AND notification_id <= {})").format(
            position.get(node, 0), last_notification_of(following - 1)
        )
        for node, following in pairwise((-1, *nodes))
    ]
    return SQL(" OR ").join([*gaps, SQL("notification_id > {}").format(position[nodes[-1]] if nodes else 0)])


class FollowCandidate(NamedTuple):
    """A notification that could be followed next."""

    notification: Notification
    before: int | None
    """The notification of the event before it in its encounter, if there is one."""


def followable_in_order(candidates: Sequence[FollowCandidate], position: LogPosition) -> list[Notification]:
    """Those that can be followed now: each node's in their order, each encounter's in theirs."""
    waiting: dict[int, list[FollowCandidate]] = {}
    for candidate in sorted(candidates, key=lambda one: one.notification.id, reverse=True):
        waiting.setdefault(node_of(candidate.notification.id), []).append(candidate)
    found: list[Notification] = []
    reached = dict(position)
    while ready := [queue for queue in waiting.values() if queue and _can_follow(queue[-1], reached)]:
        for queue in ready:
            while queue and _can_follow(queue[-1], reached):
                notification = queue.pop().notification
                reached[node_of(notification.id)] = notification.id
                found.append(notification)
    return found


def _can_follow(candidate: FollowCandidate, reached: LogPosition) -> bool:
    before = candidate.before
    return before is None or node_of(before) == node_of(candidate.notification.id) or position_includes(reached, before)


PAUSE = 0.05


class PollingSubscription(ListenNotifySubscription[PostgresApplicationRecorder]):
    """Looks for new events several times a second.

    PostgreSQL commits only one transaction with a NOTIFY at a time, so writers that announced their events would wait
    for each other. Besides, what is settled can advance without any event, when a writer gives up.
    """

    def __init__(self, recorder: LedgerRecorder, after: LogPosition) -> None:
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
                self._position = position_after(self._position, (notification.id for notification in found))
            if len(found) < self._select_limit:
                break
