"""Dice text: a table of what Avrae and its library d20 print, broken text, and rolls at random."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatlog.importers.logs.dice_parser import UnreadableDice, read_roll
from ledger.events import RollMode
from tests.cases import each

NORMAL, ADVANTAGE, DISADVANTAGE = RollMode


class Row(NamedTuple):
    text: str
    notation: str
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    total: int
    mode: RollMode = NORMAL
    notes: tuple[str, ...] = ()


TABLE = (
    # plain sums, as d20's two ways to print have them
    Row("1d20 (4) + 5 = `9`", "1d20", (4,), (4,), 9),
    Row("1d20 (4) + 5 = 9", "1d20", (4,), (4,), 9),
    Row("1d20 (**1**) - 1 = `0`", "1d20", (1,), (1,), 0),
    Row("1d20 (**1**) − 3 = `-2`", "1d20", (1,), (1,), -2),
    Row("1d100 (72) = `72`", "1d100", (72,), (72,), 72),
    Row("1d% (72) = `72`", "1d100", (72,), (72,), 72),
    Row("d6 (4) = 4", "1d6", (4,), (4,), 4),
    Row("2d8 (3, **8**) + 1d6 (**6**) [cold] = `17`", "2d8+1d6", (3, 8, 6), (3, 8, 6), 17, notes=("cold",)),
    Row("1d12 (4) + 3 + 2 [slashing] = `9`", "1d12", (4,), (4,), 9, notes=("slashing",)),
    Row("-1d4 (3) + 5 = `2`", "-1d4 + 5", (3,), (3,), 2),
    # keep and drop
    Row("2d20kh1 (~~10~~, 18) + 5 = `23`", "2d20kh1", (10, 18), (18,), 23, ADVANTAGE),
    Row("2d20kl1 (~~**20**~~, 2) = `2`", "2d20kl1", (20, 2), (2,), 2, DISADVANTAGE),
    Row("3d20kh1 (~~4~~, 17, ~~9~~) = `17`", "3d20kh1", (4, 17, 9), (17,), 17, ADVANTAGE),
    Row("4d6kh3 (5, ~~**1**~~, 4, 4) = `13`", "4d6kh3", (5, 1, 4, 4), (5, 4, 4), 13),
    Row("4d6pl1 (5, ~~**1**~~, 4, 4) = `13`", "4d6pl1", (5, 1, 4, 4), (5, 4, 4), 13),
    Row("3d6k4 (~~3~~, 4, 4) = `8`", "3d6k4", (3, 4, 4), (4, 4), 8),
    Row("3d6k>2 (~~2~~, 3, 5) = `8`", "3d6k>2", (2, 3, 5), (3, 5), 8),
    Row("3d6p<3 (~~2~~, 3, 5) = `8`", "3d6p<3", (2, 3, 5), (3, 5), 8),
    # rerolled once, until it fits, and added once
    Row("2d6ro1 (**~~1~~**, 4, 3) = `7`", "2d6ro1", (1, 4, 3), (4, 3), 7),
    Row("1d6rr<3 (~~2~~, **~~1~~**, 5) = `5`", "1d6rr<3", (2, 1, 5), (5,), 5),
    Row("1d6ra6 (**6!**, 4) = `10`", "1d6ra6", (6, 4), (6, 4), 10),
    Row("2d20kh1ro1 (~~**1**, 3~~, 14) = `14`", "2d20kh1ro1", (1, 3, 14), (14,), 14, ADVANTAGE),
    # at least, at most, exploding
    Row("1d20mi10 (4 -> 10) + 3 = `13`", "1d20mi10", (4,), (10,), 13),
    Row("2d6ma4 (**6 -> 4**, 2) = `6`", "2d6ma4", (6, 2), (4, 2), 6),
    Row("2d6e6 (**6!**, **6!**, 2, 3) = `17`", "2d6e6", (6, 6, 2, 3), (6, 6, 2, 3), 17),
    # annotations, several and on dice
    Row("1d8 (5) [magical][fire] + 2 [cold] = `7`", "1d8", (5,), (5,), 7, notes=("magical", "fire", "cold")),
    Row("1d8 (5) [+1 sword] + 2 = `7`", "1d8", (5,), (5,), 7, notes=("+1 sword",)),
    # arithmetic, parentheses and sets
    Row("(1d8 (5) + 3) / 2 = `4`", "(1d8 + 3) / 2", (5,), (5,), 4),
    Row("1d8 (5) // 2 = `2`", "1d8 // 2", (5,), (5,), 2),
    Row("2 * (1d4 (3) + 1) = `8`", "2 * (1d4 + 1)", (3,), (3,), 8),
    Row("7 % 4 + 1d4 (2) = `5`", "7 % 4 + 1d4", (2,), (2,), 5),
    Row("1d20 (15) >= 10 = `1`", "1d20 >= 10", (15,), (15,), 1),
    Row("(1d6 (4), ~~1d8 (2)~~, 3)kh2 = `7`", "(1d6, 1d8, 3)kh2", (4, 2), (4,), 7),
    Row("((1d6 (4), ~~2~~)kh1, ~~1~~)kh1 + 1 = `5`", "((1d6, 2)kh1, 1)kh1 + 1", (4,), (4,), 5),
    Row("(1d6 (4),) = `4`", "(1d6)", (4,), (4,), 4),
    Row("(1d4 (2) + ~~1~~) = `3`", "(1d4 + 1)", (2,), (2,), 3),
    # no dice
    Row("4 = `4`", "4", (), (), 4),
    Row("4 [magical force] = `4`", "4", (), (), 4, notes=("magical force",)),
    Row("2.5 * 2 = `5`", "2.5 * 2", (), (), 5),
)


@each("row", TABLE, ids=lambda row: row.text)
def test_what_is_printed_is_read(row: Row) -> None:
    read = read_roll(row.text)
    assert (read.notation, read.faces, read.kept, read.mode) == (row.notation, row.faces, row.kept, row.mode)
    assert (read.said, read.worth, tuple(read.notes)) == (row.total, row.total, row.notes)


NOTATION = (
    "1d20+5",
    "d%",
    "2d20kh1",
    "4d6rr<3mi2ma5e6",
    "8d6ra6 [fire] + (1d4, 2)kl1",
    "10d6ro<2k>4ph1",
    "1d20 + -3",
    "(1d4 + 1, 3, 2d6kl1)kh1 * 2",
    "1 // 2 % 3 == 4",
    "()",
)


@each("text", NOTATION)
def test_notation_alone_is_read_and_no_face_is_made_up(text: str) -> None:
    read = read_roll(text)
    assert read.faces == read.kept == ()
    assert read.said is None
    assert read.worth is None or not read.dice


def test_what_adds_up_is_told_from_what_does_not() -> None:
    terms = read_roll("1d8 (5) + 3 - 1 = `7`").terms
    assert terms is not None
    assert [term.amount for term in terms] == [5, 3, -1]
    assert read_roll("(1d8 (5) + 3) / 2 = `4`").terms is None
    assert read_roll("5 - 1d4 (3) = `2`").terms is None


def test_a_total_that_the_faces_do_not_come_to_is_seen() -> None:
    read = read_roll("1d20 (4) + 5 = `10`")
    assert (read.said, read.worth) == (10, 9)


@each(
    "text",
    [
        "",
        "=",
        "= 5",
        "1d20 (4",
        "1d20 (4,,5)",
        "1d20 4)",
        "1d20 (4) +",
        "1d20 (4) = ",
        "1d20 (4) = `9` `10` 11",
        "1d20 (fish)",
        "hello",
        "3!",
        "1d6 (5) / 0 = `1`x",
        "(" * 10_000,
        "(" * 31 + "1" + ")" * 31,
        "-" * 9_999 + "1",
        "1+" * 4_000 + "1",
        "1d" + "9" * 10,
        "9" * 10_000,
        "1d6 (1) " * 2_000,
        "1d20 (\x00)",
        "٣d٦",
    ],
    ids=lambda text: repr(text[:20]),
)
def test_what_is_no_roll_is_refused(text: str) -> None:
    with pytest.raises(UnreadableDice):
        read_roll(text)


def test_a_division_by_zero_is_found_where_it_is_worked_out() -> None:
    with pytest.raises(UnreadableDice):
        _ = read_roll("1d6 (5) / 0 = `1`").worth


class Printed(NamedTuple):
    """A part of a roll as d20 prints it, and what it is worth."""

    text: str
    worth: int
    faces: tuple[int, ...]


@st.composite
def dice(draw: st.DrawFn) -> Printed:
    """Dice of which some are dropped; those with the lowest and highest face are printed in bold."""
    sides = draw(st.sampled_from([4, 6, 20]))
    rolled = draw(st.lists(st.tuples(st.integers(1, sides), st.booleans()), min_size=1, max_size=4))
    printed = [f"**{face}**" if face in (1, sides) else str(face) for face, _ in rolled]
    shown = [f"~~{text}~~" if dropped else text for text, (_, dropped) in zip(printed, rolled, strict=True)]
    worth = sum(face for face, dropped in rolled if not dropped)
    note = draw(st.sampled_from(["", " [fire]", " [a] [b]"]))
    return Printed(f"{len(rolled)}d{sides}k1 ({', '.join(shown)}){note}", worth, tuple(face for face, _ in rolled))


numbers = st.integers(0, 99).map(lambda value: Printed(str(value), value, ()))


def _joined(parts: st.SearchStrategy[Printed]) -> st.SearchStrategy[Printed]:
    two = st.tuples(parts, parts)
    return st.one_of(
        two.map(lambda p: Printed(f"{p[0].text} + {p[1].text}", p[0].worth + p[1].worth, p[0].faces + p[1].faces)),
        two.map(lambda p: Printed(f"{p[0].text} - ({p[1].text})", p[0].worth - p[1].worth, p[0].faces + p[1].faces)),
        two.map(lambda p: Printed(f"({p[0].text}, {p[1].text})", p[0].worth + p[1].worth, p[0].faces + p[1].faces)),
        parts.map(lambda p: Printed(f"({p.text},)", p.worth, p.faces)),
        parts.map(lambda p: Printed(f"-({p.text})", -p.worth, p.faces)),
    )


@given(st.recursive(dice() | numbers, _joined, max_leaves=6))
def test_whatever_is_printed_comes_to_what_it_is_worth(roll: Printed) -> None:
    read = read_roll(f"{roll.text} = `{roll.worth}`")
    assert (read.said, read.worth, read.faces) == (roll.worth, roll.worth, roll.faces)


@given(st.text(max_size=60) | st.text("0123456789d()~*`+-,=[] kh!>", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read = read_roll(text)
        assert isinstance(read.notation, str)
        assert len(read.kept) <= len(read.faces)
    except UnreadableDice:
        return
