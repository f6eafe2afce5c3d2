"""How far a follower has come: one notification for each node that writes the ledger.

A server by itself is node 0, so its positions have one entry. On a cluster, the upper bits of a notification id are the
number of the node that drew it (`ledger/sql/16_nodes.sql`), and no order of ids says which of two nodes was first. What
is certain is the order within an encounter. Its events come from one node after the other if its shard was moved, so an
event waits here until the one before it has been followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from eventsourcing.persistence import Notification
from psycopg.sql import SQL, Composable, Literal

_COUNT_BITS = 48
Position = Mapping[int, int]
"""The last notification of each node, by its number. A node that is missing has not been followed at all."""


def node_of(notification: int) -> int:
    return notification >> _COUNT_BITS


def last_of(node: int) -> int:
    """No notification of the node is beyond it."""
    return (node + 1 << _COUNT_BITS) - 1


def at(notification: int | Position | None) -> dict[int, int]:
    """The position that somebody gave, who may know of one node only."""
    if isinstance(notification, Mapping):
        return dict(notification)
    return {node_of(notification): notification} if notification else {}


def as_plain(position: Position) -> int | dict[int, int]:
    """As a number, if it is that of a server by itself."""
    return position[0] if position.keys() == {0} else dict(position)


def includes(position: Position, notification: int) -> bool:
    return notification <= position.get(node_of(notification), 0)


def has_come_to(position: Position, goal: Position) -> bool:
    return all(position.get(node, 0) >= notification for node, notification in goal.items())


def joined(position: Position, followed: Iterable[int]) -> dict[int, int]:
    """The position after these notifications as well."""
    new = dict(position)
    for notification in followed:
        new[node_of(notification)] = max(notification, new.get(node_of(notification), 0))
    return new


def between(after: Position, upto: Position, column: str = "notification_id") -> Composable:
    """The condition that a notification lies beyond one position and not beyond another."""
    ranges = [
        SQL(f"({column} > {{}} AND {column} <= {{}})").format(
            Literal(max(after.get(node, 0), node << _COUNT_BITS)), Literal(last)
        )
        for node, last in upto.items()
    ]
    return SQL("({})").format(SQL(" OR ").join(ranges)) if ranges else SQL("false")


def beyond(position: Position) -> Composable:
    """The condition that a notification lies beyond a position."""
    nodes = sorted(position)
    gaps = [
        SQL("(notification_id > {} AND notification_id <= {})").format(position.get(node, 0), last_of(following - 1))
        for node, following in pairwise((-1, *nodes))
    ]
    return SQL(" OR ").join([*gaps, SQL("notification_id > {}").format(position[nodes[-1]] if nodes else 0)])


class Candidate(NamedTuple):
    """A notification that could be followed next."""

    notification: Notification
    before: int | None
    """The notification of the event before it in its encounter, if there is one."""


def in_order(candidates: Sequence[Candidate], position: Position) -> list[Notification]:
    """Those that can be followed now: each node's in their order, each encounter's in theirs."""
    waiting: dict[int, list[Candidate]] = {}
    for candidate in sorted(candidates, key=lambda one: one.notification.id, reverse=True):
        waiting.setdefault(node_of(candidate.notification.id), []).append(candidate)
    found: list[Notification] = []
    reached = dict(position)
    while ready := [queue for queue in waiting.values() if queue and _is_next(queue[-1], reached)]:
        for queue in ready:
            while queue and _is_next(queue[-1], reached):
                notification = queue.pop().notification
                reached[node_of(notification.id)] = notification.id
                found.append(notification)
    return found


def _is_next(candidate: Candidate, reached: Position) -> bool:
    before = candidate.before
    return before is None or node_of(before) == node_of(candidate.notification.id) or includes(reached, before)
