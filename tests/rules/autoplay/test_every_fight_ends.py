"""Automatic play finishes every fight, legally, whoever meets whom and wherever."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from combatlog.rules.autoplay.player import STALEMATE, PlayLimits, play, sides_left
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill
from tests.effort import examples

COLUMNS, ROWS = 12, 7
PERSONS = ("archer", "brigand", "duelist", "guard", "hedge_mage", "man_at_arms", "novice", "troll")
FIGURES = (
    "field-captain",
    "field-medic",
    "gun-crew",
    "hunter",
    "jump-trooper",
    "lancer",
    "officer",
    "scout",
    "strider",
    "trooper",
    "vanguard",
)
inner = st.tuples(st.integers(3, COLUMNS - 4), st.integers(0, ROWS - 1))
obstacles = st.lists(inner, max_size=8, unique=True)


def drawn(walls: list[tuple[int, int]]) -> str:
    rows = (["#" if (x, y) in walls else "." for x in range(COLUMNS)] for y in range(ROWS))
    return "\n".join("".join(row) for row in rows)


def teams(sheets: tuple[str, ...]) -> st.SearchStrategy[list[list[str]]]:
    return st.lists(st.lists(st.sampled_from(sheets), min_size=1, max_size=2), min_size=2, max_size=2)


def played_out(drill: Drill) -> None:
    for _ in play(drill.fight, PlayLimits(to_end=True)):
        pass
    assert drill.battle.clock.closed
    assert list(check_declarations(drill.fight.events)) == []


@examples(12)
@given(seed=st.integers(0, 10**6), walls=obstacles, sides=teams(PERSONS))
def test_of_action_points(seed: int, walls: list[tuple[int, int]], sides: list[list[str]]) -> None:
    drill = Drill("action_points", dice=f"seed:{seed}", map=drawn(walls))
    for side, (column, sheets) in enumerate(zip((1, COLUMNS - 2), sides, strict=True)):
        for row, sheet in enumerate(sheets):
            drill.join(sheet, f"{sheet} {side} {row}", (column, 2 * row + 1), side=f"side {side}")
    drill.start()
    played_out(drill)
    assert len(sides_left(drill.battle)) <= 1 or drill["round"] > STALEMATE


@examples(12)
@given(seed=st.integers(0, 10**6), walls=obstacles, terrain=obstacles, sides=teams(FIGURES))
def test_of_skirmish(
    seed: int, walls: list[tuple[int, int]], terrain: list[tuple[int, int]], sides: list[list[str]]
) -> None:
    blocking = [f"{x},{y}" for x, y in terrain if (x, y) not in walls]
    options = {"blocking": blocking[::2], "impassable": blocking[1::2], "terminals": ["6,3"]}
    drill = Drill("skirmish", dice=f"seed:{seed}", map=drawn(walls), options=options)
    for side, (column, sheets) in enumerate(zip((0, COLUMNS - 3), sides, strict=True)):
        drill.join(("rebel-player", "imperial-player")[side], f"player {side}", side=f"side {side}")
        for row, sheet in enumerate(sheets):
            drill.join(sheet, f"{sheet} {side} {row}", (column, 3 * row), side=f"side {side}")
    drill.start()
    played_out(drill)
    assert drill.ruleset.winner(drill.battle) is not None or drill["round"] > STALEMATE
