"""Dice: notation, keeping, custom faces, sources."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatlog.rules.engine.dice.dice_notation import FATE, NAMED, Die, d20, mode_of, parse
from combatlog.rules.engine.dice.dice_sources import RandomDice, SeededDice, TableDice, source_of
from combatlog.rules.engine.refusal import Refusal
from ledger.events import FaceOrigin, RollMode
from tests.cases import each


@each(
    ("text", "count", "constant"),
    [
        ("1d20", 1, 0),
        ("d20", 1, 0),
        ("1d20+5", 1, 5),
        ("2d6-1", 2, -1),
        ("4d6kh3", 4, 0),
        ("1d6 + 1d8 + 3", 2, 3),
        ("4dF", 4, 0),
        ("2d{0,0,1,2}", 2, 0),
        ("7", 0, 7),
    ],
)
def test_notation(text: str, count: int, constant: int) -> None:
    notation = parse(text)
    assert (notation.count, notation.constant) == (count, constant)


@each(
    "text",
    [
        "",
        "d",
        "1d",
        "0d6",
        "1d0",
        "3d6kh4",
        "2d6kh0",
        "1d20++5",
        "1d20 5",
        "-1d6",
        "1d6x",
        "9999d6",
        "1d99999",
        "1d20+",
        "2d{a,b}kh1",
        "1d{}",
        "d20kh1kh1",
    ],
)
def test_what_is_no_notation_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse(text)
    assert caught.value.code == "dice/notation"


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(Refusal):
        notation = parse(text)
        assert len(notation.dice) == notation.count <= 200


@pytest.mark.parametrize(
    ("text", "faces", "kept"),
    [
        ("2d20kh1", (15, 8), (15,)),
        ("2d20kl1", (15, 8), (8,)),
        ("4d6kh3", (3, 6, 1, 5), (6, 5, 3)),
        ("1d6+2d20kl1", (4, 19, 2), (4, 2)),
        ("3d6", (1, 2, 3), (1, 2, 3)),
    ],
)
def test_keeping(text: str, faces: tuple[int, ...], kept: tuple[int, ...]) -> None:
    assert parse(text).kept(faces) == kept


@pytest.mark.parametrize(
    ("advantage", "disadvantage", "mode", "notation"),
    [
        (0, 0, RollMode.NORMAL, "1d20"),
        (1, 0, RollMode.ADVANTAGE, "2d20kh1"),
        (3, 0, RollMode.ADVANTAGE, "2d20kh1"),
        (0, 1, RollMode.DISADVANTAGE, "2d20kl1"),
        (0, 2, RollMode.DISADVANTAGE, "2d20kl1"),
        (1, 1, RollMode.NORMAL, "1d20"),
        (3, 1, RollMode.NORMAL, "1d20"),
    ],
)
def test_any_of_both_cancel_and_several_do_not_stack(
    advantage: int, disadvantage: int, mode: RollMode, notation: str
) -> None:
    assert mode_of(advantage, disadvantage) is mode
    assert d20(mode).text == notation


def test_fate_dice_have_two_each_of_plus_blank_minus() -> None:
    assert sorted(FATE.faces) == [-1, -1, 0, 0, 1, 1]


@given(st.integers(1, 100), st.integers(1, 100), st.integers(1, 50))
def test_random_and_seeded_faces_are_faces_of_the_die(sides: int, seq: int, count: int) -> None:
    dice = [Die.with_sides(sides)] * count
    for source in (RandomDice(), SeededDice("7")):
        faces = source.faces(dice, seq, "test")
        assert len(faces) == count
        assert all(face in dice[0].faces for face in faces)


def test_seeded_faces_follow_from_seed_and_place() -> None:
    dice = parse("20d20").dice
    assert SeededDice("7").faces(dice, 12, "attack") == SeededDice("7").faces(dice, 12, "attack")
    assert SeededDice("7").faces(dice, 12, "attack") != SeededDice("7").faces(dice, 13, "attack")
    assert SeededDice("7").faces(dice, 12, "attack") != SeededDice("8").faces(dice, 12, "attack")


@pytest.mark.parametrize(
    ("given_faces", "wanted", "code"),
    [
        ([], "1d20", "dice/too-few"),
        ([15], "2d20kh1", "dice/too-few"),
        ([21], "1d20", "dice/impossible-face"),
        ([0], "1d20", "dice/impossible-face"),
        (["hit"], "1d20", "dice/impossible-face"),
        ([15, 8], "1d20", "dice/too-many"),
    ],
)
def test_table_dice_are_exactly_those_needed(given_faces: list[int | str], wanted: str, code: str) -> None:
    source = TableDice(given_faces)
    with pytest.raises(Refusal) as caught:  # noqa: PT012 - the leftover shows only at the end
        source.faces(parse(wanted).dice, 1, "attack")
        source.finish()
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("setting", "origin"),
    [
        ("random", FaceOrigin.RNG),
        ("seed:7", FaceOrigin.SEED),
        ("seed:full moon", FaceOrigin.SEED),
        ("table", FaceOrigin.TABLE),
        ("committed", FaceOrigin.COMMITTED),
    ],
)
def test_sources_by_name(setting: str, origin: FaceOrigin) -> None:
    assert source_of(setting).origin is origin


@pytest.mark.parametrize("setting", ["", "dice", "seed:", "seed", "Random"])
def test_unknown_sources_are_refused(setting: str) -> None:
    with pytest.raises(Refusal) as caught:
        source_of(setting)
    assert caught.value.code == "dice/source"


def test_a_ruleset_may_name_its_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NAMED, "ruby", Die("ruby", ("x", "y")))
    notation = parse("ruby+ruby")
    assert [die.faces for die in notation.dice] == [("x", "y"), ("x", "y")]
