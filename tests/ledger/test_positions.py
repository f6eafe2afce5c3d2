"""Positions with an entry for each node, and in which order events of several nodes can be followed."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from eventsourcing.persistence import Notification

from ledger.positions import Candidate, Position, as_plain, at, has_come_to, in_order, includes, joined, node_of

ONE, TWO = 1 << 48, 2 << 48
FIGHT = uuid4()


def candidate(number: int, before: int | None = None, encounter: UUID = FIGHT) -> Candidate:
    return Candidate(Notification(encounter, 1, "x", b"", number), before)


@pytest.mark.parametrize(("notification", "node"), [(1, 0), (2**40, 0), (ONE + 1, 1), (TWO + 7, 2)])
def test_the_upper_bits_are_the_node(notification: int, node: int) -> None:
    assert node_of(notification) == node


def test_a_number_is_the_position_of_a_server_by_itself() -> None:
    assert at(7) == {0: 7}
    assert as_plain({0: 7}) == 7
    assert at(None) == {}
    assert as_plain({1: ONE + 7}) == {1: ONE + 7}


def test_each_node_goes_forward_by_itself() -> None:
    position = joined({0: 5, 1: ONE + 3}, [ONE + 4, 2, TWO + 1])
    assert position == {0: 5, 1: ONE + 4, 2: TWO + 1}
    assert includes(position, ONE + 4)
    assert not includes(position, TWO + 2)
    assert has_come_to(position, {0: 5, 2: TWO + 1})
    assert not has_come_to(position, {3: 1})


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
    candidates: list[Candidate], position: Position, followed: list[int]
) -> None:
    assert [notification.id for notification in in_order(candidates, position)] == followed
