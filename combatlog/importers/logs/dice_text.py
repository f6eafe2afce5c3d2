"""Pasted dice text: lines such as `Rurik: attack 1d20 (15) + 5 = 20`. A file is one fight, named after the file.

A line may begin with a date in brackets. A line without a roll is speech.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from combatlog.importers.logs.dice_parser import RollText, UnreadableDice, read_roll
from combatlog.importers.logs.fight_writer import SAID, FightWriter, LogLine, joined, speaker
from combatlog.importers.logs.import_run import LogImport
from combatlog.importers.logs.log_formats import LogFormat, name, slug
from combatlog.importers.logs.rolls_and_damage import purpose, record_roll
from ledger.events import NoteAbout
from ledger.json_shapes import is_expressible

_LINE = re.compile(
    r"(?:\[(?P<at>[^\]]{4,40})\]\s*)?"
    r"(?:(?P<who>[^\s:\d(){}\[\]=][^:(){}\[\]=]{0,59}?)(?::\s+|\s+(?=(?:rolls|rolled|makes)\b)))?"
    r"(?P<said>.*)"
)
_DIE = re.compile(r"\d*d(?:\d+|%)")
_BEFORE = re.compile(r"[\d\s.+*/(,~-]+$")
_TOTAL = re.compile(r"=\s*[`*]*-?\d+[`*]*")
_IS_RESULT = re.compile(r"\d*d(?:\d+|%)[^=]*(?:\(|=)")


class DiceText(LogFormat):
    name = "dice"
    about = "pasted dice text, one roll per line"

    def read(self, path: Path, desk: LogImport) -> None:
        with path.open("rb") as file:
            for number, text in desk.lines(file):
                scribe = desk.fight(path.stem, path.stem)
                if scribe is None:
                    return
                write_down(desk, scribe, number, text.decode("utf-8", "replace").strip())
                desk.written(scribe)


def write_down(desk: LogImport, scribe: FightWriter, number: int, text: str) -> None:
    """Write one line. Lines can repeat, so they are identified by number and content."""
    match = _LINE.match(text)
    assert match is not None  # it matches every text
    line = LogLine(number, f"{number}:{text}", _date(match["at"]), name(match["who"]) or "system")
    write_roll(desk, scribe, line, name(match["who"]), match["said"] if match["who"] or match["at"] else text)


def write_roll(desk: LogImport, scribe: FightWriter, line: LogLine, who: str | None, said: str) -> None:
    """Write a roll or a remark."""
    try:
        found = roll_in(said)
    except UnreadableDice:
        desk.unread(line, said, "dice text")
        return
    if found is None:
        if scribe.begins(line, SAID, speaker(scribe, who)):
            scribe.note(NoteAbout.SAID, said)
        return
    roll, what_for = found
    roller = joined(scribe, line, who)
    if scribe.begins(line, f"recorded:roll:{slug(what_for)}", roller):
        record_roll(scribe, roller, purpose(what_for), roll)


def roll_in(text: str) -> tuple[RollText, str] | None:
    """The roll in a text, with the words before it; None if the text has no result of dice."""
    die = _DIE.search(text)
    if die is None or _IS_RESULT.search(text) is None:
        return None
    total = _TOTAL.search(text, die.start())
    end = total.end() if total else len(text)
    before = _BEFORE.search(text[: die.start()])
    starts = [before.start(), die.start()] if before else [die.start()]
    roll, start = _first_readable(text, starts, end)
    return (roll, _words(text[:start])) if roll.faces or roll.said is not None else None


def _first_readable(text: str, starts: list[int], end: int) -> tuple[RollText, int]:
    for start in starts[:-1]:
        try:
            return read_roll(text[start:end].strip()), start
        except UnreadableDice:
            continue
    return read_roll(text[starts[-1] : end]), starts[-1]


def _words(before: str) -> str:
    """The purpose of a roll, from the words before it."""
    words = [word for word in re.findall(r"[^\W\d_]+", before) if word.lower() not in _EMPTY_WORDS]
    return " ".join(words)[:60] or "roll"


_EMPTY_WORDS = {"roll", "rolls", "rolled", "rolling", "makes", "a", "an", "the", "for", "with", "to", "r"}


def _date(text: str | None) -> datetime | None:
    try:
        when = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    if when is not None and when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return when if when is not None and is_expressible(when) else None
