"""Ways over the grid that libtcod stumbles over, or that slow squares change."""

from __future__ import annotations

from combatlog.rules.engine.grid.squares import Grid


def test_a_way_over_every_square_of_the_map_is_found() -> None:
    assert Grid(("....",)).path((0, 0), (3, 0), []) == [(1, 0), (2, 0), (3, 0)]


def test_slow_squares_are_gone_around() -> None:
    assert Grid(("...", "...")).path((0, 0), (2, 0), [], slow=[(1, 0)]) == [(1, 1), (2, 0)]


def test_a_way_can_be_followed_back_from_its_goal() -> None:
    """Around the wall: 1,1 comes before 2,0, and the start comes before itself."""
    ways = Grid((".#.", "...")).ways([(0, 0)])
    assert [ways.before(place) for place in ((2, 0), (1, 1), (0, 0))] == [(1, 1), (0, 0), (0, 0)]
