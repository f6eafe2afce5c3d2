"""What opens above the replay screen: a question, a page to read; and the keys at its foot."""

from __future__ import annotations

from typing import ClassVar

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

KEYS = (
    ("→ ←", "event", "→ or space, ←", "the next event, the one before"),
    ("↓ ↑", "declaration", "↓ ↑", "the next declaration, the one before"),
    ("t T", "turn", "t T", "the next turn, the one before"),
    ("r R", "round", "r R", "the next round, the one before"),
    (":", "go to", ":", "go to an event (45) or to a round (r3)"),
    ("/", "search", "/ n", "search for words; search on"),
    ("e", "explain", "e", "explain the current event"),
    ("f", "fork", "f", "fork the fight after the current event"),
    ("p", "play", "p + -", "play on its own or stop; faster, slower"),
    ("", "", "g G", "the first event, the last one"),
    ("", "", "page up, page down", "scroll the map and the combatants"),
    ("?", "help", "?", "this page"),
    ("q", "quit", "q or escape", "close this page; leave"),
)
"""Keys: short, for the foot of the screen, and in full, for the page of help."""


def footer() -> Text:
    """All keys in as many lines as it takes; a key and its word stay together."""
    entries = [f"{keys.replace(' ', chr(0xA0))}\xa0{word.replace(' ', chr(0xA0))}" for keys, word, _, _ in KEYS if keys]
    return Text("  ".join(entries), style="dim")


def _help() -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for _, _, keys, meaning in KEYS:
        table.add_row(keys, meaning)
    return table


HELP = _help()


class Prompt(ModalScreen[str | None]):
    """One line to type; escape leaves it."""

    CSS = """
    Prompt { align: center bottom; background: $background 40%; }
    Prompt Static { width: 100%; height: 1; background: $panel; padding: 0 1; }
    Prompt Input { width: 100%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "leave", "leave")]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        yield Static(Text(f"{self._question}, then Enter; Escape leaves"))
        yield Input()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)

    def action_leave(self) -> None:
        self.dismiss(None)


class Page(ModalScreen[None]):
    """Something to read; any key that closes leads back to the replay."""

    CSS = """
    Page { align: center middle; background: $background 40%; }
    Page VerticalScroll { width: 96%; height: auto; max-height: 90%; background: $panel; padding: 1 2; }
    Page Static { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape,q,e,question_mark,enter", "leave", "close")]

    def __init__(self, content: RenderableType) -> None:
        super().__init__()
        self._content = content

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(self._content)

    def action_leave(self) -> None:
        self.dismiss(None)
