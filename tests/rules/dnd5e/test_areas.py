"""The squares of areas of effect, counted by hand."""

from __future__ import annotations

import pytest

from combatlog.rules.dnd5e.battlemap.areas import Extent, Shape, covered
from combatlog.rules.engine.grid.squares import grid_of, read_map
from combatlog.testing import Drill, only
from ledger.events import AreaAffected, Position

OPEN = grid_of(None)


def squares(shape: Shape, origin: Position, toward: Position, feet: int) -> set[Position]:
    return set(covered(OPEN, Extent(shape, feet), origin, toward))


def test_a_small_sphere_is_a_plus() -> None:
    assert squares(Shape.SPHERE, (0, 0), (5, 5), 5) == {(5, 5), (4, 5), (6, 5), (5, 4), (5, 6)}


def test_a_sphere_of_20_feet_has_rounded_corners() -> None:
    ball = squares(Shape.SPHERE, (0, 0), (10, 10), 20)
    assert len(ball) == 49
    assert (14, 10) in ball  # 4 squares straight
    assert (13, 12) in ball  # 3 and 2: less than 4
    assert (13, 13) not in ball  # 3 and 3: more than 4


@pytest.mark.parametrize(
    ("toward", "columns", "rows"),
    [
        ((12, 10), range(11, 14), range(9, 12)),
        ((8, 10), range(7, 10), range(9, 12)),
        ((10, 12), range(9, 12), range(11, 14)),
        ((12, 12), range(11, 14), range(11, 14)),
    ],
    ids=["east", "west", "south", "south-east"],
)
def test_a_cube_lies_next_to_its_origin(toward: Position, columns: range, rows: range) -> None:
    assert squares(Shape.CUBE, (10, 10), toward, 15) == {(x, y) for x in columns for y in rows}


def test_a_cone_is_as_wide_as_it_is_long() -> None:
    straight = {(1, 5), (2, 4), (2, 5), (2, 6), (3, 4), (3, 5), (3, 6)}
    assert squares(Shape.CONE, (0, 5), (3, 5), 15) == straight
    assert squares(Shape.CONE, (0, 0), (1, 1), 15) == {(1, 1), (2, 1), (1, 2), (3, 1), (2, 2), (1, 3)}


def test_a_line_goes_on_to_its_full_length() -> None:
    assert squares(Shape.LINE, (0, 0), (1, 0), 20) == {(1, 0), (2, 0), (3, 0), (4, 0)}
    assert squares(Shape.LINE, (5, 5), (3, 3), 20) == {(4, 4), (3, 3), (2, 2), (1, 1)}


def test_areas_end_at_the_edge_of_the_map() -> None:
    assert squares(Shape.SPHERE, (9, 9), (0, 0), 5) == {(0, 0), (1, 0), (0, 1)}


def test_walls_shield_from_an_area() -> None:
    grid = read_map(["...#...", "...#...", "...#..."])
    caught = covered(grid, Extent(Shape.SPHERE, 20), (0, 0), (1, 1))
    assert set(caught) == {(x, y) for x in range(3) for y in range(3)}


def test_an_area_names_its_squares_and_who_is_in_it() -> None:
    drill = Drill()
    drill.join("wizard", "Mila", (1, 5))
    drill.join("fighter", "Rurik", (3, 4), overrides={"hp": 40})
    drill.join("orc", "Ugh", (3, 6), side="foes", overrides={"hp": 40})
    drill.join("orc", "Agh", (5, 5), side="foes", overrides={"hp": 40})
    drill.start(dice=[20, 15, 10, 5])
    events = drill.do("mila", "burning_hands", to=(4, 5), dice=(1, 1, 1, 10, 10))
    area = only(events, AreaAffected)
    assert (area.shape, area.origin, area.owner) == ("cone", (1, 5), "mila")
    assert set(area.squares) == {(2, 5), (3, 4), (3, 5), (3, 6), (4, 4), (4, 5), (4, 6)}
    assert area.caught == ("rurik", "ugh")
