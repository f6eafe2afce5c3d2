"""Chat archives of Roll20, saved as a web page. A session of play is one fight.

The page is read piece by piece, with one message at a time in memory.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

from combatlog.importers.logs.dice_parser import RollText
from combatlog.importers.logs.fight_writer import SAID, FightWriter, LogLine, PlaySessions, joined, speaker
from combatlog.importers.logs.import_run import LogImport
from combatlog.importers.logs.log_formats import LogFormat, name, slug, whole
from combatlog.importers.logs.rolls_and_damage import modifiers_of, purpose, read_or_none
from ledger.events import FaceOrigin, NoteAbout, Rolled, RollModifier

_DIE = re.compile(r"\bd(\d{1,4})\b")
_LONGEST = 20_000
_MOST_DICE = 1_000
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}


@dataclass(slots=True)
class ShownDie:
    sides: int | None
    dropped: bool
    shown: str = ""


@dataclass(slots=True)
class InlineRoll:
    """A roll within a text; its tooltip has the formula and the faces."""

    tooltip: str
    shown: str = ""


@dataclass(slots=True)
class Roll20Message:
    """A message as shown on the page."""

    number: int
    id: str | None
    classes: set[str]
    by: str = ""
    stamp: str = ""
    formula: str = ""
    rolled: str = ""
    text: str = ""
    dice: list[ShownDie] = field(default_factory=list)
    inline: list[InlineRoll] = field(default_factory=list)


class Roll20Page(HTMLParser):
    """Collects messages. `take` returns the complete ones."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._done: list[Roll20Message] = []
        self._message: Roll20Message | None = None
        self._depth = 0
        self._part = [("", 0)]
        """The parts that the text belongs to, each with the depth at which it began; the innermost is last."""
        self._count = 0

    def take(self) -> list[Roll20Message]:
        done, self._done = self._done, []
        return done

    def close(self) -> None:
        super().close()
        self._end_message()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        classes = set(given.get("class", "").split())
        if tag == "div" and "message" in classes:
            self._begin_message(given.get("data-messageid") or None, classes)
            return
        if self._message is None or tag in _VOID:
            return
        self._depth += 1
        part = self._part_of(tag, classes)
        if part is not None:
            self._part.append((part, self._depth))
            self._begin_part(self._message, part, classes, given)

    def _begin_message(self, identity: str | None, classes: set[str]) -> None:
        self._end_message()
        self._count += 1
        self._message = Roll20Message(self._count, identity[:100] if identity else None, classes)
        self._depth, self._part = 0, [("text", 0)]

    def _part_of(self, tag: str, classes: set[str]) -> str | None:
        if tag in ("script", "style"):
            return "nothing"
        if "formula" in classes:
            return "nothing" if "formattedformula" in classes else "formula"
        return next((part for part, own in _PARTS.items() if own in classes), None)

    def _begin_part(self, message: Roll20Message, part: str, classes: set[str], given: dict[str, str]) -> None:
        if part == "die" and len(message.dice) < _MOST_DICE:
            sides = _DIE.search(" ".join(classes))
            message.dice.append(ShownDie(int(sides[1]) if sides else None, "dropped" in classes))
        elif part == "inline" and len(message.inline) < _MOST_DICE:
            message.inline.append(InlineRoll((given.get("original-title") or given.get("title") or "")[:_LONGEST]))

    def handle_endtag(self, tag: str) -> None:
        if self._message is None or tag in _VOID:
            return
        if self._part[-1][1] == self._depth and len(self._part) > 1:
            self._part.pop()
        self._depth -= 1
        if self._depth < 0:
            self._end_message()

    def _end_message(self) -> None:
        if self._message is not None:
            self._done.append(self._message)
        self._message = None

    def handle_data(self, data: str) -> None:
        message = self._message
        if message is None:
            return
        part = self._part[-1][0]
        if part == "face" and message.dice:
            message.dice[-1].shown += data[:20]
        elif part == "inline" and message.inline:
            message.inline[-1].shown += data[:20]
        elif part in _TEXTS:
            setattr(message, part, (getattr(message, part) + data)[:_LONGEST])


_PARTS = {
    "nothing": "avatar",
    "stamp": "tstamp",
    "by": "by",
    "rolled": "rolled",
    "face": "didroll",
    "die": "diceroll",
    "inline": "inlinerollresult",
}
"""Parts of a message, by the class of their element."""
_TEXTS = {"text", "by", "stamp", "formula", "rolled"}


_CHUNK = 65_536
_MOST_UNREAD = 2_000_000
"""The most characters in a tag or comment without an end; the rest of the page is read as if it had ended."""
_ROLLING = re.compile(r"(?:rolling|roll:)\s+(?P<formula>[^=]{1,300})", re.IGNORECASE)
_FACE = re.compile(r"<span[^>]*basicdiceroll(?P<classes>[^>]*)>\s*(?P<face>-?\d{1,9})\s*</span>")
_KEEP = re.compile(r"k(?P<end>[hl])?(?P<count>\d{1,3})$")
_STAMPS = ("%B %d, %Y %I:%M%p", "%B %d, %Y %H:%M", "%b %d, %Y %I:%M%p", "%Y-%m-%d %H:%M")


class Roll20(LogFormat):
    name = "roll20"
    about = "chat archives of Roll20 (the saved page)"

    def read(self, path: Path, desk: LogImport) -> None:
        page, chat, characters = Roll20Page(), _Chat(desk, path.stem), getincrementaldecoder("utf-8")("replace")
        with path.open("rb") as file:
            for chunk in iter(lambda: file.read(_CHUNK), b""):
                desk.advance(len(chunk))
                page.feed(characters.decode(chunk))
                chat.write(page.take())
                if len(page.rawdata) > _MOST_UNREAD:
                    desk.unread(LogLine(0, page.rawdata[:500]), page.rawdata, "tag or comment without an end")
                    page.rawdata = ""
        page.close()
        chat.write(page.take())


class _Chat:
    """The messages of a page in order. A message without a name is by the previous speaker."""

    def __init__(self, desk: LogImport, archive: str) -> None:
        self._desk = desk
        self._archive = archive
        self._sessions = PlaySessions()
        self._by: str | None = None

    def write(self, messages: list[Roll20Message]) -> None:
        for message in messages:
            self._desk.tally.lines += 1
            self._by = name(message.by.strip().removesuffix(":")) or self._by
            at = _date(message.stamp)
            session = self._sessions.of(at)
            key = f"{self._archive} {session}"
            scribe = self._desk.fight(key, f"Roll20 {key}", at)
            if scribe is not None:
                identity = message.id or f"{message.number}:{message.text}"
                line = LogLine(message.number, identity, at, self._by or "system", message.id)
                _write(self._desk, scribe, line, message, self._by)
                self._desk.written(scribe)


def _date(stamp: str) -> datetime | None:
    """A complete date only: most messages just show the time, and none has a time zone."""
    text = " ".join(stamp.split())
    for form in _STAMPS:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def _write(desk: LogImport, scribe: FightWriter, line: LogLine, message: Roll20Message, by: str | None) -> None:
    text = " ".join(message.text.split())
    if "rollresult" in message.classes or message.rolled:
        _rolled(desk, scribe, line, message, by)
    elif message.inline:
        _inline(desk, scribe, line, message, by, text)
    elif text and scribe.begins(line, SAID, speaker(scribe, by)):
        scribe.note(NoteAbout.SAID, text)


def _rolled(desk: LogImport, scribe: FightWriter, line: LogLine, message: Roll20Message, by: str | None) -> None:
    """Write a message that is a roll, with a picture of each die."""
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


def _inline(
    desk: LogImport, scribe: FightWriter, line: LogLine, message: Roll20Message, by: str | None, text: str
) -> None:
    """Write a text with inline rolls, such as those of a character sheet."""
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
    scribe: FightWriter, roller: str, what_for: str, formula: str, faces: list[tuple[int, bool]], total: int
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
    """The faces that count. If the page does not show which were dropped, the notation and the total tell."""
    shown = [face for face, counts in faces if counts]
    keeping = _KEEP.search(roll.notation) if roll is not None and len(roll.dice) == 1 else None
    if keeping is None or sum(shown) + sum(modifier.amount for modifier in added) == total:
        return tuple(shown)
    by_worth = sorted(shown, reverse=keeping["end"] != "l")
    return tuple(by_worth[: int(keeping["count"])])


__all__ = ["Roll20"]
