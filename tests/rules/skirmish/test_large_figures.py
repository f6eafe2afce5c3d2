"""Large, massive and mobile figures where a scenario does not say it: placement, turns, pushes, sight, maps, play."""

from __future__ import annotations

from typing import Any

import pytest

from cli.render.text_map import draw_map
from combatlog.rules.autoplay.player import PlayLimits, play
from combatlog.rules.engine.grid.squares import Grid
from combatlog.rules.skirmish.board import Board, LargeFigurePaths, Pose, spaces_at
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill
from ledger.errors import Problem
from tests.rules.skirmish.arena import FOE, HERO, Arena


def ways(rows: str, base: tuple[int, int], start: Pose, **board: Any) -> LargeFigurePaths:
    grid = Grid(tuple(rows.split()))
    return LargeFigurePaths(Board(grid, **board), base, start, {}, frozenset())


@pytest.mark.parametrize(
    ("base", "start", "after"),
    [
        ((1, 2), (2, 2), {(2, 2), (1, 2), (2, 3), (1, 3)}),
        ((2, 3), (2, 2), {(2, 2), (1, 2), (2, 3), (1, 3)}),
        ((2, 2), (2, 2), set()),
        ((1, 3), (2, 2), set()),
    ],
    ids=["two spaces", "six spaces", "square", "three in a row: never half of them"],
)
def test_a_quarter_turn_keeps_at_least_half_of_the_spaces(
    base: tuple[int, int], start: tuple[int, int], after: set[tuple[int, int]]
) -> None:
    room = " ".join(["......."] * 7)
    found = ways(room, base, Pose(start)).next_to(Pose(start))
    assert {pose.place for pose in found if pose.turned} == after


def test_a_large_figure_turns_to_get_through_a_gap_that_is_wide_enough() -> None:
    gap = "....\n##.#\n...."
    way = ways(gap, (2, 1), Pose((1, 0))).path(Pose((1, 2)))
    assert way == [Pose((2, 0), True), Pose((2, 1), True), Pose((1, 2))]


def test_a_large_figure_does_not_squeeze_through() -> None:
    assert ways("....\n....\n##.#\n....\n....", (2, 2), Pose((0, 0))).path(Pose((0, 3))) == []
    wide = ways("....\n....\n#..#\n....\n....", (2, 2), Pose((1, 0)))
    assert wide.path(Pose((1, 3))) == [Pose((1, 1)), Pose((1, 2)), Pose((1, 3))]


def test_the_spaces_of_a_base() -> None:
    assert spaces_at((1, 2), Pose((3, 4))) == [(3, 4), (3, 5)]
    assert spaces_at((1, 2), Pose((3, 4), turned=True)) == [(3, 4), (4, 4)]


def test_a_large_figure_joins_only_where_all_of_its_spaces_are_free() -> None:
    arena = Arena(walls=["9,9|10,9"], blocking=["2,2"])
    large = {**FOE, "name": "Large", "size": "2x2"}
    for at, code in (
        ((4, 4), "place/occupied"),  # the hero is at 5,5
        ((29, 3), "place/off-map"),
        ((9, 9), "place/terrain"),
        ((1, 1), "place/terrain"),
    ):
        with pytest.raises(Problem) as refused:
            arena.join(large, "Large", at, side="empire")
        assert refused.value.code == code
    arena.join(large, "Large", (3, 3), side="empire")
    with pytest.raises(Problem) as refused:
        arena.rule("hero", to=(4, 4))
    assert refused.value.code == "place/occupied"
    arena.rule("large", to=(3, 2))  # its own spaces are no obstacle
    assert arena["large.position"] == (3, 2)


def test_several_large_figures_join_side_by_side_without_overlapping() -> None:
    arena = Arena()
    arena.join({**FOE, "name": "Large", "size": "2x2"}, "Large", (1, 1), side="empire", count=3)
    covered = [
        space
        for name in ("large", "large-2", "large-3")
        for space in spaces_at((2, 2), Pose(arena[f"{name}.position"]))
    ]
    assert len(set(covered)) == 12


def test_distance_is_counted_between_the_nearest_spaces() -> None:
    arena = Arena(hero={"ranged": True}, foe={"size": "3x1"}, foe_at=(8, 5))
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"])
    assert arena["foe.health"] == 10  # 3 spaces away, with accuracy 0
    near = Arena(hero={"ranged": True, "innate": {"accuracy": 3}}, foe={"size": "3x1"}, foe_at=(8, 5))
    near.do("hero", "activate")
    near.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"])
    assert near["foe.health"] == 8


def test_only_figures_with_an_oblong_base_turn() -> None:
    arena = Arena()
    arena.do("hero", "activate")
    assert arena.refusal("hero", "move", to=(4, 4), options={"turn": True}).code == "move/turn"


RING = [f"{x},{y}" for y in (4, 5, 6) for x in (4, 5, 6) if (x, y) != (5, 5)]


def test_somebody_with_no_way_out_is_placed_at_the_nearest_free_space() -> None:
    arena = Arena(impassable=RING, foe={"massive": True}, foe_at=(9, 5), first="empire")
    arena.do("foe", "activate")
    arena.do("foe", "move", to=(5, 5))
    assert arena["hero.position"] == (3, 3)  # 2 spaces away, as are 15 others; the first of them is the default


def test_a_pushed_figure_takes_ordinary_steps_and_its_player_chooses() -> None:
    walls = ["5,5|6,5", "5,5|5,4", "5,5|5,6", "5,5|4,5"]
    arena = Arena(walls=walls[1:], foe={"massive": True}, foe_at=(7, 5), first="empire", policies={})
    arena.do("foe", "activate")
    arena.do("foe", "move", to=(5, 5), replies={"rebels": ["space:6_4"]})
    assert arena["hero.position"] == (6, 4)  # around the corner of the wall, by 6,5 and out


@pytest.mark.parametrize(
    ("blocks", "massive", "code"),
    [(True, False, "attack/no-target"), (True, True, None), (False, False, None)],
)
def test_figures_block_sight_if_the_encounter_says_so_but_never_to_a_massive_one(
    blocks: bool, massive: bool, code: str | None
) -> None:
    arena = Arena(
        hero={"ranged": True},
        foe={"massive": massive},
        foe_at=(9, 5),
        others=[("Ally", "rebels", (7, 5), {})],
        figures_block_sight=blocks,
    )
    arena.do("hero", "activate")
    if code is None:
        arena.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"])
    else:
        assert arena.refusal("hero", "attack", target="foe").code == code


def test_the_map_shows_every_space_of_a_figure_and_what_the_options_put_there() -> None:
    arena = Arena(foe={"size": "2x2"}, blocking=["4,5"], impassable=["4,6"])
    drawn = [line.plain for line in draw_map(arena.fight.battle, 80)]
    assert [line[4:] for line in drawn if line.startswith(("  5 ", "  6 "))] == ["·xHFF··", "·-·FF··"]


def test_cards_ask_for_sizes_as_for_traits() -> None:
    card = {"type": "ccEffect", "label": "Trample", "timing": "duringActivation", "trait": "MASSIVE", "mpBonus": 2}
    library = {"abilities": {"Trample": card}}
    arena = Arena(hand=["Trample"], hero={"massive": True, "size": "2x2"}, foe_at=(8, 5), library=library)
    arena.do("hero", "activate")
    arena.play("hero", "Trample")
    assert arena["hero.mp"] == 2
    small = Arena(hand=["Trample"], library=library)
    small.do("hero", "activate")
    assert small.refusal("hero", "play", options={"card": "Trample"}).code == "card/trait"


@pytest.mark.slow
@pytest.mark.parametrize("big", [{"size": "1x2"}, {"size": "2x3", "massive": True}, {"size": "1x2", "mobile": True}])
def test_automatic_play_moves_large_figures_to_the_end_of_the_fight(big: dict[str, Any]) -> None:
    drill = Drill("skirmish", dice="seed:7", options={"blocking": ["6,3", "6,4"], "impassable": ["6,6"]})
    for name in ("Rebels", "Empire"):
        drill.join({"kind": "player", "name": name}, name, side=name.lower())
    drill.join({**HERO, "ranged": True}, "Hero", (2, 5), side="rebels")
    drill.join(HERO, "Second", (2, 7), side="rebels")
    drill.join(FOE, "Foe", (9, 3), side="empire", overrides=big)
    drill.start()
    for _ in play(drill.fight, PlayLimits(to_end=True)):
        pass
    assert drill.fight.battle.clock.closed
    assert drill.fight.battle.clock.round < 20
    assert not list(check_declarations(drill.fight.events))
