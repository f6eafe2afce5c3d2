"""Roll20: who rolled what, from a saved chat archive."""

from __future__ import annotations

from html import escape
from itertools import count
from typing import Any

import pytest

import combatlog
from combatlog.importers.logs import roll20
from ledger.events import Declared, NoteAbout, Noted, Rolled, RollMode
from tests.rules.logs.conftest import Import

NAME = "Roll20 archive 2023-01-15 20:15"
_IDS = count(1)


def message(inside: str, by: str = "", stamp: str = "", kind: str = "general") -> str:
    head = '<div class="spacer"></div><div class="avatar"><img src="x.png">ignored</div>' if by else ""
    dated = f'<span class="tstamp" aria-hidden="true">{stamp}</span>' if stamp else ""
    named = f'<span class="by">{by}:</span>' if by else ""
    return f'<div class="message {kind} you" data-messageid="-N{next(_IDS):08}">{head}{dated}{named}{inside}</div>\n'


def die(sides: int, face: int, dropped: bool = False) -> str:
    classes = f"diceroll d{sides}{' dropped' if dropped else ''}"
    inside = f'<div class="dicon"><div class="didroll">{face}</div><div class="backing"></div></div>'
    return f'<div class="{classes}">{inside}</div>'


def rolled(formula: str, dice: str, total: object, **about: Any) -> str:
    inside = (
        f'<div class="formula">rolling {formula}</div><div class="clear"></div>'
        f'<div class="formula formattedformula"><div class="dicegrouping">({dice})</div>+5</div>'
        f'<strong>=</strong><div class="rolled ui-draggable">{total}</div>'
    )
    return message(inside, kind="rollresult", **about)


def inline(formula: str, faces: str, total: int) -> str:
    tooltip = escape(f'<img src="x" class="inlinerollwheel" /> Rolling {formula} = {faces}', quote=True)
    return f'<span class="inlinerollresult showtip tipsy-n-right" title="{tooltip}">{total}</span>'


FACE = '<span class="basicdiceroll">{}</span>'
FIRST = "January 15, 2023 8:15PM"
ARCHIVE = "<html><head><script>var a = '<div class=\"message\">';</script></head><body><div id='textchat'>" + "".join(
    (
        message("For the king! &amp; country ☠", by="Rurik", stamp=FIRST),
        rolled("1d20+5", die(20, 15), 20, by="Rurik", stamp="8:16PM"),
        rolled("2d20kh1+5", die(20, 4, dropped=True) + "+" + die(20, 18), 23),
        message(f"Longsword damage {inline('1d8+3[STR]', f'({FACE.format(6)})+3', 9)}", by="Rurik"),
        message(f"Stealth {inline('2d20kl1+4', f'({FACE.format(15)}+{FACE.format(8)})+4', 12)}", by="Snig (GM)"),
    )
)


def rolls(ledger: combatlog.Ledger, name: str = NAME) -> list[Rolled]:
    return [event for event in ledger.fight(name).events() if isinstance(event, Rolled)]


def test_rolls_with_their_faces(opened: combatlog.Ledger, take_in: Import) -> None:
    done = take_in("roll20", ARCHIVE + "</div></body></html>", "archive.html")
    assert (done.fights, done.lines, done.unread) == (1, 5, {})
    plain, best, damage, worst = rolls(opened)
    assert (plain.roller, plain.notation, plain.faces, plain.total) == ("rurik", "1d20", (15,), 20)
    assert [modifier.amount for modifier in plain.modifiers] == [5]
    assert (best.faces, best.kept, best.mode, best.roller) == ((4, 18), (18,), RollMode.ADVANTAGE, "rurik")
    assert (damage.purpose, damage.faces, damage.total) == ("longsword damage", (6,), 9)
    assert [modifier.source for modifier in damage.modifiers] == ["recorded:modifier:str"]
    assert (worst.roller, worst.faces, worst.kept) == ("snig-gm", (15, 8), (8,))
    (report,) = opened.verify([NAME])
    assert report.findings == []


def test_what_was_said_and_where_it_stands(opened: combatlog.Ledger, take_in: Import) -> None:
    take_in("roll20", ARCHIVE, "archive.html")
    events = opened.fight(NAME).events()
    note = next(event for event in events if isinstance(event, Noted))
    assert (note.about, note.text, note.by) == (NoteAbout.SAID, "For the king! & country ☠", "Rurik")
    declared = events[rolls(opened)[0].declaration - 1]
    assert isinstance(declared, Declared)
    assert declared.options["line"] == 2
    assert declared.options["id"].startswith("-N")


def test_importing_again_adds_nothing_and_a_longer_archive_goes_on(opened: combatlog.Ledger, take_in: Import) -> None:
    take_in("roll20", ARCHIVE, "archive.html")
    assert take_in("roll20", ARCHIVE + "</div></body></html>", "archive.html").events == 0
    assert take_in("roll20", ARCHIVE + rolled("1d6", die(6, 2), 2, by="Snig (GM)"), "archive.html").events == 2
    later = rolled("1d6", die(6, 3), 3, by="Rurik", stamp="January 22, 2023 8:00PM")
    assert take_in("roll20", ARCHIVE + later, "archive.html").fights == 1
    assert [roll.total for roll in rolls(opened, "Roll20 archive 2023-01-22 20:00")] == [3]


@pytest.mark.parametrize("size", [1, 7, 64])
def test_it_does_not_matter_where_the_pieces_end(
    opened: combatlog.Ledger, take_in: Import, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(roll20, "_CHUNK", size)
    take_in("roll20", ARCHIVE, "archive.html")
    assert [roll.total for roll in rolls(opened)] == [20, 23, 9, 12]
    assert any(isinstance(event, Noted) and "☠" in event.text for event in opened.fight(NAME).events())


def test_a_comment_without_an_end_is_given_up(
    opened: combatlog.Ledger, take_in: Import, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roll20, "_CHUNK", 100)
    monkeypatch.setattr(roll20, "_MOST_UNREAD", 500)
    done = take_in("roll20", ARCHIVE + "<!-- " + "x" * 2_000, "archive.html")
    assert done.unread["tag or comment without an end"] >= 1


HOSTILE = (
    '<div class="message rollresult"><div class="rolled">many</div></div>',
    '<div class="message rollresult"><div class="formula">rolling x</div><div class="rolled">5</div></div>',
    '<div class="message"><div class="message"><div class="message">',
    "</div></span></table>" * 50,
    '<div class="message general" data-messageid="' + "x" * 5_000 + '">\x00\x1b[31m</div>',
    '<div class="message general"><span class="by">\u202eEvil\x00:</span>' + "<b>" * 5_000 + "deep",
    '<div class="message general">' + "A" * 100_000 + "</div>",
    f'<div class="message general"><span class="by">gm:</span>{inline("1d" + "9" * 40, "((((", 7)}</div>',
    '<div class="message general"><span class="inlinerollresult" title="">99999999999999</span></div>',
    f'<div class="message rollresult"><div class="formula">rolling {"d6+" * 99}</div><div class="rolled">3</div></div>',
    "<!-- <div class='message'> ",
)


def test_hostile_pages_end_nothing(opened: combatlog.Ledger, take_in: Import) -> None:
    done = take_in("roll20", ARCHIVE + "".join(HOSTILE), "archive.html")
    assert sum(done.unread.values()) == 2
    assert all(report.stands for report in opened.verify())
    assert [roll.total for roll in rolls(opened)][:4] == [20, 23, 9, 12]
    assert opened.sql("SELECT count(*) FROM rolls").rows[0][0] >= 5


@pytest.mark.parametrize("cut", [10, 300, 700, 1_500])
def test_truncated_pages_end_nothing(opened: combatlog.Ledger, take_in: Import, cut: int) -> None:
    take_in("roll20", ARCHIVE[:cut], "archive.html")
    assert all(report.stands for report in opened.verify())
