"""How the shell asks people: on a terminal, or line by line from a file or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

Text = Callable[[], str]
Complete = Callable[[str], Iterable[tuple[str, int]]]
"""What a line can be completed with: each word, and where it begins, counted from the end of the line."""


class Asker(Protocol):
    """^C is a KeyboardInterrupt and ^D, or the end of a file, an EOFError."""

    def line(self, title: Text, default: str = "") -> str:
        """The next line. The title may change while it is typed."""

    def answer(self, question: str) -> str:
        """The answer to a question."""

    def interrupt(self, do: Callable[[], None]) -> None:
        """Do something above the line that is being typed, if one is. May be called by another thread."""


class Terminal:
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
        return InMemoryHistory()  # a folder that cannot be written to is no reason not to play
    return FileHistory(str(file))


def _completer(complete: Complete) -> Any:
    from prompt_toolkit.completion import Completer, Completion

    class Words(Completer):
        def get_completions(self, document: Any, complete_event: Any) -> Iterable[Completion]:
            for word, start in complete(document.text_before_cursor):
                yield Completion(word, start_position=start)

    return Words()


class Lines:
    """From a file or a pipe: nothing is edited, and every line is shown as it would have been typed."""

    def line(self, title: Text, default: str = "") -> str:
        return self._next(title())

    def answer(self, question: str) -> str:
        return self._next(question)

    def interrupt(self, do: Callable[[], None]) -> None:
        """Nobody is typing: what others do is shown before the next line."""

    def _next(self, prompt: str) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        sys.stdout.write(f"{prompt}{line.rstrip()}\n")
        return line.rstrip("\n")
