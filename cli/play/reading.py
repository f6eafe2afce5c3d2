"""Reading what somebody typed: names, faces, squares, options and a weapon, in any order, or the answer to a window."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cli.play.seat import Seat
from cli.readers import NUMBER

if TYPE_CHECKING:
    from combatlog.rules.engine.commands import Reply
    from ledger.events import Face, Position
    from projections.battle import Battle

_PLACE = re.compile(r"([0-9]{1,4}),([0-9]{1,4})")
_OPTION = re.compile(r"([a-z_]+)=(.+)", re.IGNORECASE)
_LONGEST_NAME = 4
Choose = Callable[[str, Sequence[str]], str]
"""Lets a person choose: a question, and the choices."""


@dataclass(slots=True)
class Said:
    names: list[str] = field(default_factory=list)
    """Whom it names, by id; a name that fits nobody stays as it is, and the rules refuse it."""
    faces: list[Face] = field(default_factory=list)
    place: Position | None = None
    via: list[Position] = field(default_factory=list)
    """Squares to pass on the way."""
    weapon: str | None = None
    options: dict[str, Any] = field(default_factory=dict)


def split(line: str) -> list[str]:
    """The words of a line. Quotes keep words together; one that is not closed is only a letter."""
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


def read(words: Sequence[str], battle: Battle, choose: Choose) -> Said:
    said, at = Said(), 0
    while at < len(words):
        at += _read_one(words[at:], said, battle, choose)
    return said


def _read_one(words: Sequence[str], said: Said, battle: Battle, choose: Choose) -> int:
    """Read what comes first; returns how many words that took."""
    word = words[0]
    if re.fullmatch(NUMBER, word):
        said.faces.append(int(word))
    elif place := _PLACE.fullmatch(word):
        square = int(place[1]), int(place[2])
        if said.place is None:
            said.place = square
        else:
            said.via.append(square)
    elif option := _OPTION.fullmatch(word):
        from combatlog.rules.content.files import read_yaml_text

        said.options[option[1].lower()] = read_yaml_text(option[2], option[1])
    elif word.lower() == "with" and len(words) > 1:
        return 1 + _weapon(words[1:], said)
    elif word.lower() not in _FILLERS:
        return _name(words, said, battle, choose)
    return 1


_FILLERS = {"and", "at", "on", "to", "via", "against", "the"}
"""Words that people say and nobody needs."""


def _weapon(words: Sequence[str], said: Said) -> int:
    """Up to the next number."""
    named = []
    for word in words:
        if re.fullmatch(NUMBER, word):
            break
        named.append(word)
    said.weapon = " ".join(named)
    return len(named)


def _name(words: Sequence[str], said: Said, battle: Battle, choose: Choose) -> int:
    """The longest beginning that is somebody's whole name; or else one word, which is the beginning of a name."""
    from combatlog.rules.engine.naming import id_of

    for count in range(min(_LONGEST_NAME, len(words)), 1, -1):
        known = id_of(battle, "-".join(words[:count]).lower())
        if known in battle.combatants and known.count("-") == count - 1:
            return _with_number(known, words[:count], said, battle, choose)
    found = id_of(battle, words[0])
    if said.names[-1:] != [found]:  # both words of a name mean the same
        said.names.append(found)
    return 1


def _with_number(known: str, words: Sequence[str], said: Said, battle: Battle, choose: Choose) -> int:
    """`goblin 2` may be the second goblin, or the first one and a die that shows 2."""
    from combatlog.rules.engine.naming import id_of

    shorter = id_of(battle, "-".join(words[:-1]))
    if re.fullmatch(NUMBER, words[-1]) and shorter in battle.combatants:
        second, first = battle.combatants[known].name, battle.combatants[shorter].name
        chosen = choose(f"Do you mean {second}, or {first} and a die that shows {words[-1]}?", [known, shorter])
        said.names.append(chosen)
        return len(words) if chosen == known else len(words) - 1
    said.names.append(known)
    return len(words)


_PASS = ("pass", "no", "n")


def reply_to(seat: Seat, words: Sequence[str]) -> Reply | None:
    """What a line answers to the open window; None: it is no answer."""
    from combatlog.rules.engine.commands import Reply

    window = seat.battle.window
    waiting = window.waiting if window is not None else None
    assert waiting is not None
    if not words or words[0].lower() in _PASS:
        return Reply(reactor=waiting.reactor)
    offered = dict(zip(seat.offered(), waiting.reactions, strict=True))
    if words[0].lower() in ("yes", "y") and len(offered) == 1:
        return Reply(reactor=waiting.reactor, reaction=waiting.reactions[0])
    for count in range(len(words), 0, -1):
        typed = " ".join(words[:count]).replace("_", " ").lower()
        found = [ref for name, ref in offered.items() if name.lower().startswith(typed)]
        if len(found) == 1:
            options = read(words[count:], seat.battle, lambda _, choices: choices[0]).options
            return Reply(reactor=waiting.reactor, reaction=found[0], options=options)
    return None
