"""Positions with an entry for each node, and in which order events of several nodes can be followed."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from eventsourcing.persistence import Notification

from ledger.store.positions import (
    FollowCandidate,
    LogPosition,
    as_position,
    followable_in_order,
    has_reached,
    node_of,
    plain_position,
    position_after,
    position_includes,
)

ONE, TWO = 1 << 48, 2 << 48
FIGHT = uuid4()


def candidate(number: int, before: int | None = None, encounter: UUID = FIGHT) -> FollowCandidate:
    return FollowCandidate(Notification(encounter, 1, "x", b"", number), before)


@pytest.mark.parametrize(("notification", "node"), [(1, 0), (2**40, 0), (ONE + 1, 1), (TWO + 7, 2)])
def test_the_upper_bits_are_the_node(notification: int, node: int) -> None:
    assert node_of(notification) == node


def test_a_number_is_the_position_of_a_server_by_itself() -> None:
    assert as_position(7) == {0: 7}
    assert plain_position({0: 7}) == 7
    assert as_position(None) == {}
    assert plain_position({1: ONE + 7}) == {1: ONE + 7}


def test_each_node_goes_forward_by_itself() -> None:
    position = position_after({0: 5, 1: ONE + 3}, [ONE + 4, 2, TWO + 1])
    assert position == {0: 5, 1: ONE + 4, 2: TWO + 1}
    assert position_includes(position, ONE + 4)
    assert not position_includes(position, TWO + 2)
    assert has_reached(position, {0: 5, 2: TWO + 1})
    assert not has_reached(position, {3: 1})


@pytest.mark.parametrize(
    ("candidates", "position", "followed"),
    [
        pytest.param([candidate(2, 1), candidate(1)], {}, [1, 2], id="one node: in the order of its numbers"),
        pytest.param([candidate(ONE + 1, 4), candidate(4)], {}, [4, ONE + 1], id="moved: first what came before"),
        pytest.param([candidate(ONE + 1, 4)], {0: 4}, [ONE + 1], id="what came before has been followed"),
        pytest.param([candidate(ONE + 1, 4)], {0: 3}, [], id="what came before has not been followed: it waits"),
        pytest.param([candidate(ONE + 1, 4), candidate(ONE + 2)], {0: 3}, [], id="others of the node wait with it"),
        pytest.param([candidate(ONE + 1, 4), candidate(TWO + 2)], {0: 3}, [TWO + 2], id="another node goes on"),
        pytest.param(
            [candidate(1), candidate(ONE + 1, 1), candidate(2, ONE + 1), candidate(ONE + 2, 2)],
            {},
            [1, ONE + 1, 2, ONE + 2],
            id="moved there and back",
        ),
    ],
)
def test_events_of_an_encounter_are_followed_in_their_order(
    candidates: list[FollowCandidate], position: LogPosition, followed: list[int]
) -> None:
    assert [notification.id for notification in followable_in_order(candidates, position)] == followed
