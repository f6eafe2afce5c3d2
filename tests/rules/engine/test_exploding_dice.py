"""4dF+: fate dice that are rolled again while all of them show the same sign."""

from __future__ import annotations

import pytest

from combatlog.rules.engine.dice.dice_notation import parse
from combatlog.rules.engine.dice.dice_sources import SeededDice, TableDice
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Face
from tests.cases import each


@pytest.mark.parametrize(
    ("faces", "kept_sum"),
    [
        ([1, 1, 1, 0], 3),
        ([1, -1, 0, 0], 0),
        ([0, 0, 0, 0], 0),
        ([1, 1, 1, 1, 0, 0, -1, -1], 4),
        ([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, -1], 10),  # +4, +4, then two pluses
        ([-1, -1, -1, -1, -1, 1, 1, 0], -5),  # -4, then one minus: the pluses do not count
    ],
)
def test_a_complete_roll(faces: list[Face], kept_sum: int) -> None:
    notation = parse("4dF+")
    assert notation.needed(faces) == ()
    assert sum(map(int, notation.kept(faces))) == kept_sum


@pytest.mark.parametrize(("faces", "more"), [([], 4), ([1, 1], 2), ([1] * 4, 4), ([-1] * 8, 4), ([1] * 6, 2)])
def test_dice_still_to_roll(faces: list[Face], more: int) -> None:
    assert len(parse("4dF+").needed(faces)) == more


@each(
    ("text", "faces", "fits"),
    [
        ("4dF+", [1, 1, 0, 0], True),
        ("4dF+", [1, 1, 1, 1], True),  # and four more to come
        ("4dF+", [1, 1, 1, 1, 0, 0, -1, 1], True),
        ("4dF+", [1, 1, 0, 0, 1, 1, 1, 1], False),
        ("4dF+", [1, 1, 1], False),
        ("4dF+", [1, 1, 1, 2], False),
        ("2d6", [6, 1], True),
        ("2d6", [6], False),
        ("2d6", [6, 1, 1], False),
        ("2d6", [6, 7], False),
    ],
)
def test_which_faces_can_be_those_of_a_roll(text: str, faces: list[Face], fits: bool) -> None:
    assert parse(text).fits(faces) is fits


def test_a_seeded_roll_does_not_repeat_its_first_throw_when_it_explodes() -> None:
    seeded = SeededDice("7")
    dice = parse("20d1000").dice
    assert seeded.faces(dice, 5, "attack") != seeded.faces(dice, 5, "attack", after=20)
    assert seeded.faces(dice, 5, "attack", after=20) == seeded.faces(dice, 5, "attack", after=20)


def test_faces_given_by_hand_must_cover_the_explosion() -> None:
    table = TableDice([1, 1])
    with pytest.raises(Refusal, match="needs 4 more"):
        table.faces(parse("4dF+").dice, 1, "attack", after=4)


@pytest.mark.parametrize("text", ["0dF+", "201dF+", "4dF+1dF+"])
def test_what_is_not_exploding_notation(text: str) -> None:
    with pytest.raises(Refusal):
        parse(text)
