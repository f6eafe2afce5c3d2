"""Messages of the bot: checks and saves that people rolled, and the names of actions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from combatlog.rules.logs.plain import records, slug
from combatlog.rules.logs.rolling import purpose, read_or_none, record_roll
from combatlog.rules.logs.rolls import RollText
from combatlog.rules.logs.scribe import Line, Scribe

_MAKES = re.compile(r"(?:An? )?(?P<who>.{1,60}?) makes an? (?P<what>.{1,60}?)!?(?: \(.*)?$")
_ADDED = re.compile(r"(?P<who>.{1,60}?) was added to combat with initiative (?P<roll>.{1,200})\.$", re.MULTILINE)
_RESULT = re.compile(r"\*\*Result\*\*: (?P<roll>.+)$", re.MULTILINE)


class Told(NamedTuple):
    """A roll that a message tells of."""

    who: str | None
    what: str
    roll: RollText


def write_rolls(scribe: Scribe, line: Line, content: str, embeds: list[dict[str, Any]]) -> None:
    for number, told in enumerate((*_in_content(content), *_in_embeds(embeds))):
        known = scribe.named(told.who)
        roller = known.id if known is not None else "gm"
        one = line._replace(key=f"{line.key}:{number}", by="system")
        if scribe.begins(one, f"recorded:roll:{slug(told.what)}", roller):
            record_roll(scribe, roller, purpose(told.what), told.roll)


def _in_content(content: str) -> Iterator[Told]:
    for added in _ADDED.finditer(content):
        yield from _told(added["who"], "Initiative", added["roll"])
    for result in _RESULT.finditer(content):
        yield from _told(None, "roll", result["roll"])


def _in_embeds(embeds: list[dict[str, Any]]) -> Iterator[Told]:
    for embed in embeds:
        title, description = embed.get("title"), embed.get("description")
        makes = _MAKES.match(title) if isinstance(title, str) else None
        if makes is not None and isinstance(description, str):
            yield from _told(makes["who"], makes["what"], description.partition("\n")[0])


def _told(who: str | None, what: str, text: str) -> Iterator[Told]:
    roll = read_or_none(text)
    if roll is not None and roll.dice:
        yield Told(who, what, roll)


def title_of(data: dict[str, Any]) -> str | None:
    """The title of the bot's answer to a command: `Snig attacks with a Scimitar!`"""
    if data.get("event_type") != "message" or data.get("author_bot") is not True:
        return None
    titles = (embed.get("title") for embed in records(data.get("embeds")))
    return next((title for title in titles if isinstance(title, str) and title.endswith("!")), None)


_DOES = re.compile(r"(?P<verb>attacks with|casts|uses|has) (?:an? |the )?(?P<what>.+)$", re.IGNORECASE)


def action_in(title: str | None, who: str | None, asked: str | None) -> str:
    """The name of an action: from the bot's answer or, without one, from the command."""
    if title:
        does = _DOES.search(title.rstrip("!").removeprefix(who or "").strip())
        if does is not None:
            return does["what"]
    return _asked_for(asked) if asked else "unnamed"


def _asked_for(command: str) -> str:
    """`!i a "Fire Bolt" -t snig` asks for `Fire Bolt`."""
    words = re.findall(r'"[^"]{1,60}"|\S+', command)
    said = [word.strip('"') for word in words if word.lower() not in _COMMANDS]
    ends = next((place for place, word in enumerate(said) if word.startswith("-")), len(said))
    return " ".join(said[:ends])[:60] or "unnamed"


_COMMANDS = {
    *("!a", "!attack", "!action", "!cast", "!i", "!init", "!ma", "!monattack"),
    *("a", "attack", "cast", "aoo", "action"),
}
