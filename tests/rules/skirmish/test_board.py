"""Walls, corners, hostile figures: where one can step, whom one can touch, and what it costs."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.engine.grid.squares import Grid
from combatlog.rules.skirmish.board import Board
from tests.rules.skirmish.arena import Arena

TWO_WALLS = """
........
......#.
.....#..
........
"""
"""(5,1) and (6,2) touch only between the two wall squares."""


def on(rows: str, hero: tuple[int, int], foe: tuple[int, int], hero_sheet: Any = None, **more: Any) -> Arena:
    """The arena's hero and foe on a map of one's own, put there by the GM."""
    lines = [line + "." * (12 - len(line)) for line in rows.strip("\n").split("\n")]
    lines += ["." * 12] * (8 - len(lines))
    arena = Arena(map="\n".join(lines), hero=hero_sheet, **more)
    arena.rule("foe", to=foe)
    arena.rule("hero", to=hero)
    arena.do("hero", "activate")
    return arena


def test_nobody_steps_between_two_wall_squares() -> None:
    arena = on(TWO_WALLS, hero=(5, 1), foe=(0, 7))
    arena.do("hero", "move", to=(6, 2))
    assert arena["hero.mp"] == 4 - 3  # around, by 6,0 and 7,1


def test_one_wall_square_does_not_close_a_corner() -> None:
    arena = on(TWO_WALLS.replace("......#.", "........"), hero=(5, 1), foe=(0, 7))
    arena.do("hero", "move", to=(6, 2))
    assert arena["hero.mp"] == 3


@pytest.mark.parametrize("hero", [{}, {"reach": True}, {"ranged": True}])
def test_nobody_strikes_or_sees_between_two_wall_squares(hero: dict[str, object]) -> None:
    arena = on(TWO_WALLS, hero=(5, 1), foe=(6, 2), hero_sheet=hero)
    assert arena.refusal("hero", "attack", target="foe").code == "attack/no-target"


WALL = {"walls": ["5,5|6,5"]}


def test_a_wall_between_two_spaces_stops_steps_strikes_and_sight() -> None:
    arena = Arena(hero={"ranged": True}, **WALL)  # the hero is at 5,5 and the foe at 6,5
    arena.do("hero", "activate")
    assert arena.refusal("hero", "attack", target="foe").code == "attack/no-target"
    arena.rule("foe", to=(9, 9))
    arena.do("hero", "move", to=(6, 5))
    assert arena["hero.mp"] == 4 - 2  # around its end, by 5,4 or 5,6


@pytest.mark.parametrize("wall", ["5,5|7,5", "5,5|6,6", "5,5", "here|there", "5,5|5,5"])
def test_a_wall_is_between_two_spaces_side_by_side(wall: str) -> None:
    with pytest.raises(Exception, match="walls"):
        Arena(walls=[wall])


CORRIDOR = """
#########
.........
#########
"""


def test_a_space_with_a_hostile_figure_costs_one_more_and_nobody_stops_there() -> None:
    arena = on(CORRIDOR, hero=(2, 1), foe=(3, 1))
    assert arena.refusal("hero", "move", to=(3, 1)).code == "move/occupied"
    arena.do("hero", "move", to=(5, 1))
    assert arena["hero.mp"] == 4 - (2 + 1 + 1)


def test_a_friend_in_the_way_costs_nothing() -> None:
    arena = on(CORRIDOR, hero=(2, 1), foe=(9, 1), others=[("Ally", "rebels", (3, 1), {})])
    arena.do("hero", "move", to=(5, 1))
    assert arena["hero.mp"] == 4 - 3


def test_movement_points_from_a_friends_card_are_spent_in_its_activation_or_lost() -> None:
    arena = Arena(hand=["Advance Warning"], others=[("Ally", "rebels", (5, 6), {})])
    assert arena.refusal("ally", "walk", to=(5, 7)).code == "turn/none"
    arena.do("hero", "activate")
    arena.play("hero", "Advance Warning")
    arena.do("ally", "walk", to=(5, 7))
    assert (arena["ally.mp"], arena["ally.position"]) == (1, (5, 7))
    arena.end("hero")
    assert arena["ally.mp"] == 0


def test_a_special_action_is_used_once_in_an_activation() -> None:
    arena = Arena(hero={"abilities": ["dc_special:Field Captain:0"]})
    arena.do("hero", "activate")
    arena.do("hero", "special")
    assert arena.refusal("hero", "special").code == "special/used"
    arena.end("hero")
    arena.do("foe", "activate")
    arena.end("foe")  # the second round begins, with the empire
    arena.do("foe", "activate")
    arena.end("foe")
    arena.do("hero", "activate")
    arena.do("hero", "special")
    assert arena["hero.actions"] == 1


@pytest.mark.parametrize(("door", "spaces"), [("/", 2), ("+", 6)])
def test_spaces_are_counted_around_a_closed_door(door: str, spaces: int) -> None:
    """From 0,0 to 2,0: through the open door, or down and up again around the wall, by 0,1 0,2 1,3 2,2 2,1."""
    board = Board(Grid((f".{door}.", ".#.", ".#.", "...")))
    assert board.spaces((0, 0), (2, 0)) == spaces
