"""Faces on the tape stay with the roll they were made for, as far as its dice have them."""

from __future__ import annotations

from datetime import UTC, datetime

from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.dice.dice_sources import TableDice
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.table import Circumstances, Table
from combatlog.rules.engine.resolution.tape import Tape
from ledger.events import FaceOrigin, Rolled

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def roll(notation: str, taped: tuple[int, ...], given: tuple[int, ...] = ()) -> Rolled:
    """A roll over a tape, with more faces given by hand."""
    battle = FightEngine.open(Opening(name="tape")).battle
    earlier = Rolled(
        encounter=battle.encounter.encounter,
        seq=2,
        recorded_at=NOW,
        declaration=2,
        purpose="damage",
        roller="ana",
        notation="",
        faces=taped,
        kept=taped,
        total=0,
        dice_source=FaceOrigin.TABLE,
    )
    table = Table(battle, Circumstances(dice=TableDice(given), now=NOW, tape=Tape([earlier])))
    rolled = table.roll("damage", "ana", notation)
    table.finish()
    return rolled


def test_a_smaller_die_does_not_take_a_face_that_it_does_not_have() -> None:
    assert roll("1d6", taped=(11,), given=(4,)).faces == (4,)


def test_faces_that_fit_are_kept_and_only_missing_ones_are_rolled() -> None:
    assert roll("3d10", taped=(5, 6), given=(9,)).faces == (5, 6, 9)


def test_faces_that_are_not_needed_any_more_are_left() -> None:
    assert roll("1d10", taped=(5, 6)).faces == (5,)


def test_an_explosion_on_the_tape_is_taken_whole() -> None:
    faces = (1, 1, 1, 1, -1, 0, 0, 1)
    rolled = roll("4dF+", taped=faces)
    assert (rolled.faces, rolled.total) == (faces, 5)
