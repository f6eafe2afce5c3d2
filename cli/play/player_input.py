"""Ask the player for a line, and parse it.

Lines come from a terminal, a file or a pipe. They name combatants, faces, squares, options and a weapon in any order,
or answer a reaction.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from cli.options import NUMBER
from cli.play.shell_seat import ShellSeat
from combatlog.rules.engine.commands import Reply
from combatlog.rules.engine.naming import id_of

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

    from combatlog.rules.engine.commands import Reply
    from ledger.events import Face, Position
    from projections.battle.fold import Battle


Text = Callable[[], str]
Complete = Callable[[str], Iterable[tuple[str, int]]]
"""The completions of a line: each word, and where it begins, counted from the end of the line."""


class PlayerPrompt(Protocol):
    """^C is a KeyboardInterrupt and ^D, or the end of a file, an EOFError."""

    def line(self, title: Text, default: str = "") -> str:
        """The next line. The title may change while it is typed."""

    def answer(self, question: str) -> str:
        """The answer to a question."""

    def interrupt(self, do: Callable[[], None]) -> None:
        """Print above the line that is being typed, if there is one. May be called by another thread."""


class TerminalPrompt:
    """With history, completion, colour and a status line; adapts when the window is resized."""

    def __init__(self, history: Path, complete: Complete, status: Text, began: Callable[[], None]) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.auto_suggest import AutoSuggestFromHistory

        self._lines: PromptSession[str] = PromptSession(
            history=_history(history),
            auto_suggest=AutoSuggestFromHistory(),
            completer=_completer(complete),
            complete_while_typing=False,
            enable_history_search=True,
            bottom_toolbar=status,
            reserve_space_for_menu=4,
            style=_style(),
        )
        self._answers: PromptSession[str] = PromptSession(
            bottom_toolbar=status, reserve_space_for_menu=0, style=_style()
        )
        self._lines.default_buffer.on_text_changed += lambda buffer: began() if len(buffer.text) == 1 else None
        self._began = began

    def line(self, title: Text, default: str = "") -> str:
        self._began()
        return self._lines.prompt(lambda: [("class:title", title())], default=default)

    def answer(self, question: str) -> str:
        return self._answers.prompt([("class:question", question)])

    def interrupt(self, do: Callable[[], None]) -> None:
        from prompt_toolkit.application import run_in_terminal

        for session in (self._lines, self._answers):
            app = session.app
            if app.is_running and app.loop is not None:
                app.loop.call_soon_threadsafe(lambda: run_in_terminal(do))


def _style() -> Any:
    from prompt_toolkit.styles import Style

    return Style.from_dict({"title": "bold", "question": "ansicyan", "bottom-toolbar": "noreverse ansibrightblack"})


def _history(file: Path) -> Any:
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
    except OSError:
        return InMemoryHistory()  # without a writable folder, the history is not kept
    return FileHistory(str(file))


def _completer(complete: Complete) -> Any:
    from prompt_toolkit.completion import Completer, Completion

    class Words(Completer):
        def get_completions(self, document: Any, complete_event: Any) -> Iterable[Completion]:
            for word, start in complete(document.text_before_cursor):
                yield Completion(word, start_position=start)

    return Words()


class PipedPrompt:
    """From a file or a pipe: without editing. Every line is printed after its prompt, as if it had been typed."""

    def line(self, title: Text, default: str = "") -> str:
        return self._next(title())

    def answer(self, question: str) -> str:
        return self._next(question)

    def interrupt(self, do: Callable[[], None]) -> None:
        """Nothing to do: what others did is shown before the next line."""

    def _next(self, prompt: str) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        sys.stdout.write(f"{prompt}{line.rstrip()}\n")
        return line.rstrip("\n")


_PLACE = re.compile(r"([0-9]{1,4}),([0-9]{1,4})")
_OPTION = re.compile(r"([a-z_]+)=(.+)", re.IGNORECASE)
_LONGEST_NAME = 4
Choose = Callable[[str, Sequence[str]], str]
"""Lets a person choose: a question, and the choices."""


@dataclass(slots=True)
class TypedWords:
    names: list[str] = field(default_factory=list)
    """Combatants, by id. An unknown name stays as it is, and the rules refuse it."""
    faces: list[Face] = field(default_factory=list)
    place: Position | None = None
    via: list[Position] = field(default_factory=list)
    """Squares to pass on the way."""
    weapon: str | None = None
    options: dict[str, Any] = field(default_factory=dict)


def split(line: str) -> list[str]:
    """The words of a line. Quotes keep words together; an unclosed quote is an ordinary character."""
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


def read(words: Sequence[str], battle: Battle, choose: Choose) -> TypedWords:
    said, at = TypedWords(), 0
    while at < len(words):
        at += _read_one(words[at:], said, battle, choose)
    return said


def _read_one(words: Sequence[str], said: TypedWords, battle: Battle, choose: Choose) -> int:
    """Read the first item; returns how many words it took."""
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
"""Filler words, which are ignored."""


def _weapon(words: Sequence[str], said: TypedWords) -> int:
    """Up to the next number."""
    named = []
    for word in words:
        if re.fullmatch(NUMBER, word):
            break
        named.append(word)
    said.weapon = " ".join(named)
    return len(named)


def _name(words: Sequence[str], said: TypedWords, battle: Battle, choose: Choose) -> int:
    """The longest sequence of words that is a whole name; otherwise one word, which may be the beginning of a name."""
    for count in range(min(_LONGEST_NAME, len(words)), 1, -1):
        known = id_of(battle, "-".join(words[:count]).lower())
        if known in battle.combatants and known.count("-") == count - 1:
            return _with_number(known, words[:count], said, battle, choose)
    found = id_of(battle, words[0])
    if said.names[-1:] != [found]:  # both words of a name can mean the same combatant
        said.names.append(found)
    return 1


def _with_number(known: str, words: Sequence[str], said: TypedWords, battle: Battle, choose: Choose) -> int:
    """`goblin 2` may be the second goblin, or the first one and a die that shows 2."""
    shorter = id_of(battle, "-".join(words[:-1]))
    if re.fullmatch(NUMBER, words[-1]) and shorter in battle.combatants:
        second, first = battle.combatants[known].name, battle.combatants[shorter].name
        chosen = choose(f"Do you mean {second}, or {first} and a die that shows {words[-1]}?", [known, shorter])
        said.names.append(chosen)
        return len(words) if chosen == known else len(words) - 1
    said.names.append(known)
    return len(words)


_PASS = ("pass", "no", "n")


def reply_to(seat: ShellSeat, words: Sequence[str]) -> Reply | None:
    """The answer to the open reaction; None if the line is not an answer."""
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
