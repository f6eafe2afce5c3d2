"""Line of sight and cover on the map: lines from the best corner of one square to the corners of the other."""

from __future__ import annotations

from itertools import combinations

import pytest

from combatlog.rules.dnd5e.autoplay.attacks_and_reach import visible_from
from combatlog.rules.engine.grid.squares import Grid
from combatlog.testing import Drill, all_of, only
from ledger.events import AttackResolved, ChainModified
from tests.rules.dnd5e.autoplay.support import PILLARS


def shoot(map: str, archer: tuple[int, int], target: tuple[int, int], *others: tuple[int, int]) -> AttackResolved:
    """A goblin shoots at a fighter of AC 16 with a roll of 2."""
    drill = range_of(map, archer, target, *others)
    return only(drill.do("snig", "strike", target="rurik", weapon="shortbow", dice=(2,)), AttackResolved)


def range_of(map: str, archer: tuple[int, int], target: tuple[int, int], *others: tuple[int, int]) -> Drill:
    drill = Drill(map=map)
    drill.join("goblin", "Snig", archer, side="foes")
    drill.join("fighter", "Rurik", target)
    for number, place in enumerate(others):
        drill.join("goblin", f"Other {number}", place, side="foes")
    drill.start(dice=[20, *[1] * (1 + len(others))])
    drill.do("snig", "attack")
    return drill


OPEN = "......\n......\n......"
CORNER = "......\n..#...\n......"
WALL = "..#...\n..#...\n..#..."


@pytest.mark.parametrize(
    ("map", "archer", "target", "armor_class"),
    [
        (OPEN, (0, 0), (3, 1), 16),
        # From 1,0 the lines to the upper corners are free, those to the lower ones go through the wall: half.
        (CORNER, (0, 0), (3, 1), 18),
        # From 1,0 only the line to the upper right corner is free, and no other corner does better: three quarters.
        (CORNER, (0, 0), (4, 2), 21),
        # A pillar right between: along its edge two lines are free.
        (CORNER, (0, 1), (4, 1), 18),
    ],
    ids=["open", "half", "three quarters", "a pillar"],
)
def test_cover_adds_to_armour_class(
    map: str, archer: tuple[int, int], target: tuple[int, int], armor_class: int
) -> None:
    assert shoot(map, archer, target).against == armor_class


def test_cover_is_on_record() -> None:
    drill = range_of(CORNER, (0, 0), (3, 1))
    events = drill.do("snig", "strike", target="rurik", weapon="shortbow", dice=(2,))
    (covered,) = [e for e in all_of(events, ChainModified) if e.source == "dnd5e:situation:cover"]
    assert (covered.chain, covered.stage, covered.reason, covered.change.amount) == (
        "armor_class",
        "situational",
        "half cover",
        2,
    )


def test_another_creature_in_the_way_is_half_cover() -> None:
    assert shoot(OPEN, (0, 1), (4, 1), (2, 1)).against == 18
    assert shoot(OPEN, (0, 1), (4, 1), (2, 2)).against == 16


def test_nobody_is_covered_at_arms_length() -> None:
    drill = range_of(CORNER, (1, 0), (2, 0))
    assert only(drill.do("snig", "strike", target="rurik", dice=(2,)), AttackResolved).against == 16


def test_a_wall_stops_shots_and_spells() -> None:
    drill = range_of(WALL, (0, 1), (4, 1))
    assert drill.refusal("snig", "strike", target="rurik", weapon="shortbow").code == "target/no-line-of-sight"
    drill = Drill(map=WALL)
    drill.join("wizard", "Mila", (0, 1))
    drill.join("orc", "Ugh", (4, 1), side="foes")
    drill.start(dice=[20, 1])
    assert drill.refusal("mila", "fire_bolt", target="ugh").code == "target/no-line-of-sight"
    assert drill.refusal("mila", "fireball", to=(4, 1)).code == "target/no-line-of-sight"
    assert drill.refusal("mila", "misty_step", to=(4, 1)).code == "target/no-line-of-sight"


def test_sight_is_symmetric() -> None:
    """The automatic player asks which squares see a foe, and takes them for those that the foe sees."""
    grid = Grid(tuple(PILLARS.split()))
    places = [(x, y) for y in range(grid.height) for x in range(grid.width) if grid.is_open((x, y))]
    for one, other in combinations(places, 2):
        assert visible_from(grid, one)[other[1], other[0]] == visible_from(grid, other)[one[1], one[0]]
