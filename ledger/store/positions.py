"""Follow the log of all events: the subscription, and the position of a follower on each node.

A single server is node 0, so its positions have one entry. On a cluster, the upper bits of a notification id are the
number of the node that drew it (`ledger/store/sql/16_nodes.sql`), and ids do not tell which of two nodes was first. The
order within an encounter is certain. If its shard was moved, its events come from several nodes, so an event waits here
until the previous event has been followed.

The subscription polls instead of waiting for a NOTIFY.
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
"""The last followed notification by node. Nothing has been followed on a node that is missing."""


def node_of(notification: int) -> int:
    return notification >> _COUNT_BITS


def last_notification_of(node: int) -> int:
    """The highest notification id that the node can have."""
    return (node + 1 << _COUNT_BITS) - 1


def as_position(notification: int | LogPosition | None) -> dict[int, int]:
    """A position given as such or, for a single node, as a notification id."""
    if isinstance(notification, Mapping):
        return dict(notification)
    return {node_of(notification): notification} if notification else {}


def plain_position(position: LogPosition) -> int | dict[int, int]:
    """The position as a number if it is that of a single server, otherwise unchanged."""
    return position[0] if position.keys() == {0} else dict(position)


def position_includes(position: LogPosition, notification: int) -> bool:
    return notification <= position.get(node_of(notification), 0)


def has_reached(position: LogPosition, goal: LogPosition) -> bool:
    return all(position.get(node, 0) >= notification for node, notification in goal.items())


def position_after(position: LogPosition, followed: Iterable[int]) -> dict[int, int]:
    """The position after these notifications have been followed too."""
    new = dict(position)
    for notification in followed:
        new[node_of(notification)] = max(notification, new.get(node_of(notification), 0))
    return new


def between_positions(after: LogPosition, upto: LogPosition, column: str = "notification_id") -> Composable:
    """The SQL condition that a notification is after one position and not after another."""
    ranges = [
        SQL(f"({column} > {{}} AND {column} <= {{}})").format(
            Literal(max(after.get(node, 0), node << _COUNT_BITS)), Literal(last)
        )
        for node, last in upto.items()
    ]
    return SQL("({})").format(SQL(" OR ").join(ranges)) if ranges else SQL("false")


def beyond_position(position: LogPosition) -> Composable:
    """The SQL condition that a notification is after a position."""
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
    """The notification id of the previous event in its encounter, if there is one."""


def followable_in_order(candidates: Sequence[FollowCandidate], position: LogPosition) -> list[Notification]:
    """The notifications that can be followed now, in the order of each node and of each encounter."""
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
    """Polls for new events several times a second.

    PostgreSQL commits only one transaction with a NOTIFY at a time, so writers would have to wait for each other. Also,
    the settled position can advance without a new event, when a writer gives up.
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
        """Like the library's method, but with a position for each node."""
        while not self._has_been_stopped:
            self._has_been_notified.clear()
            found = self._events.select_after(self._position, self._select_limit)
            if found:
                with suppress(ShutDown):
                    self._notifications_queue.put(found)
                self._position = position_after(self._position, (notification.id for notification in found))
            if len(found) < self._select_limit:
                break
