"""Messages of a chat archive: who rolled what, and what was said. A session of play is one fight."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from datetime import UTC, datetime
from pathlib import Path

from combatlog.rules.logs.desk import Desk
from combatlog.rules.logs.formats import LogFormat
from combatlog.rules.logs.people import joined, speaker
from combatlog.rules.logs.plain import name, slug, whole
from combatlog.rules.logs.roll20.page import InlineRoll, Message, Page
from combatlog.rules.logs.rolling import modifiers_of, purpose, read_or_none
from combatlog.rules.logs.rolls import RollText
from combatlog.rules.logs.scribe import SAID, Line, Scribe
from combatlog.rules.logs.sessions import Sessions
from ledger.events import FaceOrigin, NoteAbout, Rolled, RollModifier

_CHUNK = 65_536
_MOST_UNREAD = 2_000_000
"""Characters of a tag or comment that does not end; the rest of the page is read as if it had."""
_ROLLING = re.compile(r"(?:rolling|roll:)\s+(?P<formula>[^=]{1,300})", re.IGNORECASE)
_FACE = re.compile(r"<span[^>]*basicdiceroll(?P<classes>[^>]*)>\s*(?P<face>-?\d{1,9})\s*</span>")
_KEEP = re.compile(r"k(?P<end>[hl])?(?P<count>\d{1,3})$")
_STAMPS = ("%B %d, %Y %I:%M%p", "%B %d, %Y %H:%M", "%b %d, %Y %I:%M%p", "%Y-%m-%d %H:%M")


class Roll20(LogFormat):
    name = "roll20"
    about = "chat archives of Roll20 (the saved page)"

    def read(self, path: Path, desk: Desk) -> None:
        page, chat, characters = Page(), _Chat(desk, path.stem), getincrementaldecoder("utf-8")("replace")
        with path.open("rb") as file:
            for chunk in iter(lambda: file.read(_CHUNK), b""):
                desk.advance(len(chunk))
                page.feed(characters.decode(chunk))
                chat.write(page.take())
                if len(page.rawdata) > _MOST_UNREAD:
                    desk.unread(Line(0, page.rawdata[:500]), page.rawdata, "no end of a tag or comment")
                    page.rawdata = ""
        page.close()
        chat.write(page.take())


class _Chat:
    """The messages of a page in order. One without a name is by whoever spoke before it."""

    def __init__(self, desk: Desk, archive: str) -> None:
        self._desk = desk
        self._archive = archive
        self._sessions = Sessions()
        self._by: str | None = None

    def write(self, messages: list[Message]) -> None:
        for message in messages:
            self._desk.tally.lines += 1
            self._by = name(message.by.strip().removesuffix(":")) or self._by
            at = _date(message.stamp)
            session = self._sessions.of(at)
            key = f"{self._archive} {session}"
            scribe = self._desk.fight(key, f"Roll20 {key}", at)
            if scribe is not None:
                identity = message.id or f"{message.number}:{message.text}"
                line = Line(message.number, identity, at, self._by or "system", message.id)
                _write(self._desk, scribe, line, message, self._by)
                self._desk.written(scribe)


def _date(stamp: str) -> datetime | None:
    """Only a complete date: the page shows nothing but the time with most messages, and no zone."""
    text = " ".join(stamp.split())
    for form in _STAMPS:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def _write(desk: Desk, scribe: Scribe, line: Line, message: Message, by: str | None) -> None:
    text = " ".join(message.text.split())
    if "rollresult" in message.classes or message.rolled:
        _rolled(desk, scribe, line, message, by)
    elif message.inline:
        _inline(desk, scribe, line, message, by, text)
    elif text and scribe.begins(line, SAID, speaker(scribe, by)):
        scribe.note(NoteAbout.SAID, text)


def _rolled(desk: Desk, scribe: Scribe, line: Line, message: Message, by: str | None) -> None:
    """A message that is a roll, with a picture of each die."""
    rolling = _ROLLING.search(message.formula)
    formula = " ".join((rolling["formula"] if rolling else message.formula).split())
    total = _number(message.rolled)
    faces = [(_number(die.shown), not die.dropped) for die in message.dice]
    if total is None or not formula:
        desk.unread(line, f"{message.formula} = {message.rolled} {message.text}", "roll without formula or total")
        return
    roller = joined(scribe, line, by)
    if scribe.begins(line, "recorded:roll:roll", roller):
        _record(scribe, roller, "roll", formula, [(face, counts) for face, counts in faces if face is not None], total)


def _inline(desk: Desk, scribe: Scribe, line: Line, message: Message, by: str | None, text: str) -> None:
    """A text with rolls in it, such as a character sheet shows."""
    what_for = " ".join(re.findall(r"[^\W\d_]+", text)[:6])[:60] or "roll"
    readable = [(inline, total) for inline in message.inline if (total := _number(inline.shown)) is not None]
    if not readable:
        desk.unread(line, text, "roll without formula or total")
        return
    roller = joined(scribe, line, by)
    if scribe.begins(line, f"recorded:roll:{slug(what_for)}", roller):
        for inline, total in readable:
            _record(scribe, roller, purpose(what_for), *_tooltip(inline), total)
        if text:
            scribe.note(NoteAbout.SAID, text)


def _tooltip(inline: InlineRoll) -> tuple[str, list[tuple[int, bool]]]:
    """`Rolling 1d20+5 = (<span class="basicdiceroll">15</span>)+5`"""
    rolling = _ROLLING.search(re.sub(r"^(?:<[^>]*>|\s)*", "", inline.tooltip))
    found = [(int(face["face"]), "dropped" not in face["classes"]) for face in _FACE.finditer(inline.tooltip)]
    return (" ".join(rolling["formula"].split()) if rolling else "unknown"), found


def _number(text: str) -> int | None:
    stripped = text.strip()
    return whole(int(stripped)) if re.fullmatch(r"-?\d{1,9}", stripped, re.ASCII) else None


def _record(
    scribe: Scribe, roller: str, what_for: str, formula: str, faces: list[tuple[int, bool]], total: int
) -> Rolled:
    roll = read_or_none(formula)
    added = modifiers_of(roll) if roll is not None else ()
    return scribe.record(
        Rolled,
        purpose=what_for,
        roller=roller,
        notation=roll.notation if roll is not None else formula,
        mode=roll.mode if roll is not None else "normal",
        faces=tuple(face for face, _ in faces),
        kept=_kept(roll, faces, added, total),
        modifiers=added,
        total=total,
        dice_source=FaceOrigin.RECORDED,
    )


def _kept(
    roll: RollText | None, faces: list[tuple[int, bool]], added: tuple[RollModifier, ...], total: int
) -> tuple[int, ...]:
    """The faces that count. Where the page does not show which were dropped, the notation and the total tell."""
    shown = [face for face, counts in faces if counts]
    keeping = _KEEP.search(roll.notation) if roll is not None and len(roll.dice) == 1 else None
    if keeping is None or sum(shown) + sum(modifier.amount for modifier in added) == total:
        return tuple(shown)
    by_worth = sorted(shown, reverse=keeping["end"] != "l")
    return tuple(by_worth[: int(keeping["count"])])
