"""The numbers of committed rolls, against a plain set of the numbers that are held."""

from __future__ import annotations

from itertools import count, islice

from hypothesis import given
from hypothesis import strategies as st

from projections.battle.dice import RollNumbers

CHANGES = st.lists(st.tuples(st.booleans(), st.integers(1, 12)), max_size=40)


@given(CHANGES)
def test_they_agree_with_a_set(changes: list[tuple[bool, int]]) -> None:
    numbers, held = RollNumbers(), set[int]()
    for takes, number in changes:
        (numbers.take if takes else numbers.release)(number)
        (held.add if takes else held.discard)(number)
    free = [number for number in range(1, 20) if number not in held]
    assert [number for number in range(1, 20) if not numbers.holds(number)] == free
    assert numbers.lowest_free == free[0]
    assert list(islice(numbers.all_free(), 5)) == free[:5]


@given(CHANGES)
def test_what_is_held_counts_and_not_how_it_came_about(changes: list[tuple[bool, int]]) -> None:
    numbers, held = RollNumbers(), set[int]()
    for takes, number in changes:
        (numbers.take if takes else numbers.release)(number)
        (held.add if takes else held.discard)(number)
    straight = RollNumbers()
    for number in sorted(held, reverse=True):
        straight.take(number)
    assert numbers == straight
    straight.take(next(number for number in count(1) if number not in held))
    assert numbers != straight


def test_free_numbers_may_be_taken_while_they_are_given_out() -> None:
    numbers = RollNumbers()
    for number in (1, 2, 4):
        numbers.take(number)
    given_out = []
    free = numbers.all_free()
    for _ in range(3):
        given_out.append(next(free))
        numbers.take(given_out[-1])
    assert given_out == [3, 5, 6]


def test_a_number_that_is_far_too_high_costs_nothing() -> None:
    numbers = RollNumbers()
    numbers.take(10**18)
    assert numbers.lowest_free == 1
    assert numbers.copy() == numbers
