"""The full screens of a fight. One steps through a replay, the other shows a fight live from a seat."""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, ClassVar

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Container, VerticalScroll
from textual.events import Resize
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Input, Static

from cli.render.fight_log import event_text, explanation_tree, story_text, story_text_within, wrapped
from cli.render.fight_state import Roster, when
from cli.render.terminal import console
from cli.render.text_map import draw_map
from combatlog.follow import Watching
from ledger.errors import Problem
from ledger.events import Event
from projections.battle.fold import Battle
from projections.battle.timeline import taken_back
from projections.review.explanation import explain
from projections.review.replay import Replay
from projections.story.telling import tell
from projections.story.text import clean

_NARROW = 100
"""On screens with fewer columns, the map goes above the state of the combatants."""


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
        self.call_after_refresh(self.show)  # the new size is known everywhere only then

    def action_scroll(self, direction: int) -> None:
        """Scroll the map and the combatants if the screen is too small for them."""
        for selector in ("#upper", "#state"):
            self.query_one(selector).scroll_relative(y=8 * direction, animate=False)

    def foot(self) -> Text:
        """The footer."""
        return Text()

    def show(self) -> None:
        """Draw everything again."""

    def show_battle(self, battle: Battle) -> None:
        """The map and the state of the combatants."""
        beside = self._show_map(battle)
        shown = Roster(battle, self.size.width - beside - 4) if battle.combatants else None
        self.update("#combatants", shown or Text("Nobody has joined yet."))

    def _show_map(self, battle: Battle) -> int:
        """Show the map; returns the number of columns it takes from the table beside it."""
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
        """A wrapped line with a mark at its beginning."""
        parts = wrapped(seq, text, self.size.width - 4)
        return [Text(mark if part is parts[0] else "  ", style="bold").append_text(part) for part in parts]


def cut(text: Text) -> Text:
    """A line cut at the edge of the screen."""
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
"""Keys: in short for the footer, and in full for the help page."""


def footer() -> Text:
    """All keys, wrapped; a key and its word stay together."""
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


class ReadingScreen(ModalScreen[None]):
    """A page to read; closing it returns to the replay."""

    CSS = """
    ReadingScreen { align: center middle; background: $background 40%; }
    ReadingScreen VerticalScroll { width: 96%; height: auto; max-height: 90%; background: $panel; padding: 1 2; }
    ReadingScreen Static { height: auto; }
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


_AROUND = 4
"""Lines of the story shown before and after the current one."""

Fork = Callable[[str, int], str]
"""Makes a fork with a name after an event, and says what to do with it."""


class ReplayScreen(FightScreen):
    """Steps through a replay. The screen always shows the state after the marked event."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("right,space,l", "step(1)", "next"),
        ("left,h", "step(-1)", "back"),
        ("down,j", "declaration(1)", "declaration"),
        ("up,k", "declaration(-1)", "declaration back"),
        ("t", "jump('turn_started', 1)", "turn"),
        ("T", "jump('turn_started', -1)", "turn back"),
        ("r", "jump('round_started', 1)", "round"),
        ("R", "jump('round_started', -1)", "round back"),
        ("home,g", "go(0)", "start"),
        ("end,G", "go(-1)", "end"),
        ("pagedown", "scroll(1)", "scroll"),
        ("pageup", "scroll(-1)", "scroll back"),
        ("colon", "ask_place", "go to"),
        ("slash", "ask_text", "search"),
        ("n", "search_on", "search on"),
        ("e", "explain", "explain"),
        ("f", "ask_name", "fork"),
        ("p", "play", "play"),
        ("plus", "speed(2)", "faster"),
        ("minus", "speed(0.5)", "slower"),
        ("question_mark", "help", "help"),
        ("q,escape", "quit", "quit"),
    ]

    def __init__(
        self,
        replay: Replay,
        *,
        frame: int = 0,
        per_second: float = 2.0,
        playing: bool = False,
        fork: Fork | None = None,
    ) -> None:
        super().__init__()
        self.replay = replay
        self.frame = frame
        self.per_second = per_second
        self._fork = fork
        self._sought = ""
        self._timer: Timer | None = None
        self._playing = playing

    def foot(self) -> Text:
        return footer()

    def on_mount(self) -> None:
        self.show()
        if self._playing:
            self._start()

    # Stepping

    def action_step(self, by: int) -> None:
        self._go_to(self.frame + by)

    def action_declaration(self, direction: int) -> None:
        self._go_to(self.replay.next_declaration(self.frame, direction))

    def action_jump(self, kind: str, direction: int) -> None:
        self._go_to(self.replay.next_where(self.frame, kind, direction))

    def action_go(self, frame: int) -> None:
        self._go_to(frame if frame >= 0 else len(self.replay) - 1)

    def _go_to(self, frame: int) -> None:
        self.frame = max(0, min(frame, len(self.replay) - 1))
        self.show()

    # Asking

    def action_ask_place(self) -> None:
        self.push_screen(Prompt("Go to event 45, or to round r3"), self._go_where)

    def _go_where(self, said: str | None) -> None:
        text = (said or "").lower().removeprefix("event").strip()
        number = text.removeprefix("round").removeprefix("r").strip()
        if not number.isdecimal() or len(number) > 9:
            if said:
                self.notify("Type the number of an event, or r and the number of a round.", severity="warning")
        elif text.startswith("r"):
            self._go_to(self.replay.frame_of_round(int(number)))
        else:
            self._go_to(self.replay.frame_of_event(int(number)))

    def action_ask_text(self) -> None:
        self.push_screen(Prompt("Search for words"), self._search)

    def action_search_on(self) -> None:
        self._search(self._sought)

    def _search(self, text: str | None) -> None:
        if not text:
            return
        self._sought = text
        found = self.replay.next_with(self.frame, text)
        if found is None:
            self.notify(f"No event says {clean(text)!r}.", severity="warning", markup=False)
        else:
            self._go_to(found)

    def action_explain(self) -> None:
        seq = self.replay.frames[self.frame].seq
        self.push_screen(ReadingScreen(explanation_tree(explain(self.replay.events, seq))))

    def action_help(self) -> None:
        self.push_screen(ReadingScreen(HELP))

    def action_ask_name(self) -> None:
        if self._fork is not None:
            seq = self.replay.frames[self.frame].seq
            self.push_screen(Prompt(f"Name of a fork after event {seq}"), self._make_fork)

    def _make_fork(self, name: str | None) -> None:
        if not name or self._fork is None:
            return
        try:
            self.notify(self._fork(name, self.replay.frames[self.frame].seq), markup=False, timeout=10)
        except Problem as problem:
            self.notify(clean(problem.sentence), severity="error", markup=False, timeout=10)

    # Playing on its own

    def action_play(self) -> None:
        if self._timer is None:
            self._start()
        else:
            self._stop()
        self.show()

    def action_speed(self, factor: float) -> None:
        self.per_second = min(32.0, max(0.25, self.per_second * factor))
        if self._timer is not None:
            self._stop()
            self._start()
        self.show()

    def _start(self) -> None:
        self._timer = self.set_interval(1 / self.per_second, self._advance)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _advance(self) -> None:
        if self.frame + 1 >= len(self.replay):
            self._stop()
        self._go_to(self.frame + 1)

    # Showing

    def show(self) -> None:
        battle = self.replay.state(self.frame)
        self.show_battle(battle)
        self.update("#heading", self._heading(battle))
        self.update("#events", Group(*self._lines()))

    def _heading(self, battle: Battle) -> Text:
        turn = f", {self.replay.cast.name(battle.clock.turn)}'s turn" if battle.clock.turn else ""
        running = f" · {self.per_second:g} events per second" if self._timer else ""
        place = f"event {self.replay.frames[self.frame].seq} ({self.frame + 1} of {len(self.replay)})"
        return Text(clean(f"{battle.name} · round {battle.clock.round}{turn} · {place}{running}"))

    def _lines(self) -> list[Text]:
        """The story around the current line and, below that line, the current event."""
        replay, story, at = self.replay, self.replay.story, self.replay.line_of(self.frame)
        first = max(0, min(at - _AROUND, len(story) - 2 * _AROUND - 1))
        lines: list[Text] = []
        for place in range(first, min(len(story), first + 2 * _AROUND + 1)):
            line, event = story[place], replay.frames[self.frame]
            if place != at:
                lines.append(Text("  ").append_text(story_text_within(line, replay.taken_back, self.size.width - 4)))
                continue
            lines += self.whole(line.seq, story_text(line, replay.taken_back), "▶ ")
            if event.seq != line.seq:
                detail = event_text(event, replay.taken_back, replay.cast)
                lines += self.whole(event.seq, Text("    ").append_text(detail), "  ")
        return lines


_LINES = 10
"""Lines of the story that are shown."""
_REFRESH = 0.03
"""Seconds between redraws. Events that arrive together are drawn together."""


class WatchScreen(FightScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        ("q,escape,ctrl+c", "quit", "quit"),
        ("pagedown", "scroll(1)", "scroll"),
        ("pageup", "scroll(-1)", "scroll back"),
    ]

    def __init__(self, watching: Watching, seat: str) -> None:
        super().__init__()
        self.watching = watching
        self._seat = seat
        self._new: SimpleQueue[Event | None] = SimpleQueue()

    def on_mount(self) -> None:
        self.run_worker(self._wait, thread=True, exit_on_error=True)
        self.set_interval(_REFRESH, self._take_in)

    def on_unmount(self) -> None:
        self.watching.stop()

    def _wait(self) -> None:
        for event in self.watching.events():
            self._new.put(event)

    def _take_in(self) -> None:
        came = self._all_new()
        for event in came:
            if event is not None:
                self.watching.onlooker.see(event)
        if came:
            self.show()

    def _all_new(self) -> list[Event | None]:
        found: list[Event | None] = []
        while True:
            try:
                found.append(self._new.get_nowait())
            except Empty:
                return found

    # Showing

    def show(self) -> None:
        self.update("#keys", self.foot())
        if not self.watching.onlooker.seen:
            return
        battle = self.watching.onlooker.battle
        self.show_battle(battle)
        self.update("#heading", cut(Text(clean(f"{battle.name} · {when(battle)}"))))
        self.update("#events", Group(*self._story()))

    def foot(self) -> Text:
        problem = self.watching.problem
        if problem is not None:
            return Text(clean(f"{problem} Trying again ..."), "bold red")
        return Text(f"q quit  page up, page down scroll  seen as {clean(self._seat)}", "dim")

    def _story(self) -> list[Text]:
        seen = self.watching.onlooker.seen
        last = list(dict.fromkeys(event.declaration for event in seen))[-_LINES:]
        gone = taken_back(seen)
        lines = tell(seen, last, self.watching.onlooker.cast)
        shown: list[Text] = []
        for line in reversed(lines):  # as many whole lines of the story as fit
            parts = _hanging(story_text(line, gone), self.size.width - 2)
            if shown and len(shown) + len(parts) > _LINES:
                break
            shown = [*parts, *shown]
        return shown


def _hanging(text: Text, width: int) -> list[Text]:
    """A wrapped line with a hanging indent."""
    indent = len(text.plain) - len(text.plain.lstrip())
    parts = text[indent:].wrap(console(), max(20, width - indent - 2))
    return [Text(" " * (indent + (0 if part is parts[0] else 2))).append_text(part) for part in parts]
