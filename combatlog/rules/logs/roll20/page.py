"""A saved page, read piece by piece: one message at a time is in memory."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

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
    """A roll within a text: its tooltip has the formula and the faces."""

    tooltip: str
    shown: str = ""


@dataclass(slots=True)
class Message:
    """A message as the page shows it."""

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


class Page(HTMLParser):
    """Collects messages. `take` gives those that are complete."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._done: list[Message] = []
        self._message: Message | None = None
        self._depth = 0
        self._part = [("", 0)]
        """What the text belongs to, and at which depth that began; the innermost is last."""
        self._count = 0

    def take(self) -> list[Message]:
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
        self._message = Message(self._count, identity[:100] if identity else None, classes)
        self._depth, self._part = 0, [("text", 0)]

    def _part_of(self, tag: str, classes: set[str]) -> str | None:
        if tag in ("script", "style"):
            return "nothing"
        if "formula" in classes:
            return "nothing" if "formattedformula" in classes else "formula"
        return next((part for part, own in _PARTS.items() if own in classes), None)

    def _begin_part(self, message: Message, part: str, classes: set[str], given: dict[str, str]) -> None:
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
"""Parts of a message by the class of their element."""
_TEXTS = {"text", "by", "stamp", "formula", "rolled"}
