"""What full screens of a fight have: a heading, the map, everybody's state, lines below, and what opens above them."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Container, VerticalScroll
from textual.events import Resize
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from cli.render.log import wrapped
from cli.render.map import draw_map
from cli.render.state import combatants_table
from projections.battle import Battle

_NARROW = 100
"""Columns below which the map goes above everybody's state, not beside it."""


class FightScreen(App[None]):
    CSS = """
    #heading { height: auto; background: $primary; color: $text; padding: 0 1; }
    #upper { height: 1fr; layout: horizontal; }
    #map { padding: 0 2; }
    #state { width: 1fr; padding: 0 1; }
    .narrow #upper { layout: vertical; overflow-y: auto; }
    .narrow #map { height: auto; padding: 0 1; }
    .narrow #state { height: auto; }
    #events { height: auto; max-height: 16; border-top: solid $primary; padding: 0 1; }
    #keys { height: auto; background: $panel; padding: 0 1; }
    """
    ENABLE_COMMAND_PALETTE = False

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        with Container(id="upper"):
            yield Static(id="map")
            with VerticalScroll(id="state", can_focus=False):
                yield Static(id="combatants")
        yield Static(id="events")
        yield Static(self.foot(), id="keys")

    def on_resize(self, event: Resize) -> None:
        self.screen.set_class(event.size.width < _NARROW, "narrow")
        self.call_after_refresh(self.show)  # only then is the new size known everywhere

    def action_scroll(self, direction: int) -> None:
        """See the rest of the map and of the combatants where the screen is too small for all of them."""
        for selector in ("#upper", "#state"):
            self.query_one(selector).scroll_relative(y=8 * direction, animate=False)

    def foot(self) -> Text:
        """The last line, or lines."""
        return Text()

    def show(self) -> None:
        """Draw everything again."""

    def show_battle(self, battle: Battle) -> None:
        """The map and everybody's state."""
        beside = self._show_map(battle)
        shown = combatants_table(battle, self.size.width - beside - 4) if battle.combatants else None
        self.update("#combatants", shown or Text("Nobody has joined yet."))

    def _show_map(self, battle: Battle) -> int:
        """Returns the columns that the map takes from the table beside it."""
        is_narrow = self.size.width < _NARROW
        most = self.size.width - 2 if is_narrow else self.size.width // 2
        lines = draw_map(battle, most - 4)
        columns = 0 if is_narrow else min(most, max((text.cell_len for text in lines), default=0) + 4)
        self.screen_stack[0].query_one("#map").styles.width = "100%" if is_narrow else columns
        self.update("#map", Group(*lines))
        return columns

    def update(self, selector: str, content: Any) -> None:
        self.screen_stack[0].query_one(selector, Static).update(content)

    def whole(self, seq: int | None, text: Text, mark: str) -> list[Text]:
        """A line in as many lines as it takes, the first one with a mark."""
        parts = wrapped(seq, text, self.size.width - 4)
        return [Text(mark if part is parts[0] else "  ", style="bold").append_text(part) for part in parts]


def cut(text: Text) -> Text:
    """A line that ends where the screen does."""
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


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
