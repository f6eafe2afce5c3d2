"""The replay screen: the map, the order, everybody's state, and the events in words, stepped through by keys."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.console import Group
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.timer import Timer
from textual.widgets import Footer, Static

from cli.render.log import line
from cli.render.map import draw_map
from cli.render.state import combatants_table
from projections.phrases import whose
from projections.replay import Replay
from projections.text import clean

_AROUND = 6
"""Events shown before and after the current one."""


class ReplayScreen(App[None]):
    """Keys step; what is on the screen is always the state after the event that is marked."""

    CSS = """
    #heading { height: 1; background: $primary; color: $text; padding: 0 1; }
    #upper { height: 1fr; }
    #map { width: auto; max-width: 50%; padding: 1 2; }
    #state { width: 1fr; padding: 1 1; }
    #events { height: 15; border-top: solid $primary; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("right,space,l", "step(1)", "next"),
        ("left,h", "step(-1)", "back"),
        ("down,j", "jump('declared', 1)", "declaration"),
        ("up,k", "jump('declared', -1)", "declaration back"),
        ("t", "jump('turn_started', 1)", "turn"),
        ("r", "jump('round_started', 1)", "round"),
        ("R", "jump('round_started', -1)", "round back"),
        ("home,g", "go(0)", "start"),
        ("end,G", "go(-1)", "end"),
        ("p", "play", "play"),
        ("plus", "speed(2)", "faster"),
        ("minus", "speed(0.5)", "slower"),
        ("q,escape", "quit", "quit"),
    ]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, replay: Replay, *, frame: int = 0, per_second: float = 2.0, playing: bool = False) -> None:
        super().__init__()
        self.replay = replay
        self.frame = frame
        self.per_second = per_second
        self._timer: Timer | None = None
        self._playing = playing

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        with Horizontal(id="upper"):
            yield Static(id="map")
            with VerticalScroll(id="state", can_focus=False):
                yield Static(id="combatants")
        yield Static(id="events")
        yield Footer()

    def on_mount(self) -> None:
        self._show()
        if self._playing:
            self._start()

    def action_step(self, by: int) -> None:
        self._go_to(self.frame + by)

    def action_jump(self, kind: str, direction: int) -> None:
        self._go_to(self.replay.next_where(self.frame, kind, direction))

    def action_go(self, frame: int) -> None:
        self._go_to(frame if frame >= 0 else len(self.replay) - 1)

    def action_play(self) -> None:
        if self._timer is None:
            self._start()
        else:
            self._stop()
        self._show()

    def action_speed(self, factor: float) -> None:
        self.per_second = min(32.0, max(0.25, self.per_second * factor))
        if self._timer is not None:
            self._stop()
            self._start()
        self._show()

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

    def _go_to(self, frame: int) -> None:
        self.frame = max(0, min(frame, len(self.replay) - 1))
        self._show()

    def _show(self) -> None:
        battle = self.replay.state(self.frame)
        self._update("#heading", self._heading(battle))
        self._update("#map", Group(*draw_map(battle)))
        self._update("#combatants", combatants_table(battle) if battle.combatants else Text("Nobody has joined yet."))
        self._update("#events", Group(*self._lines()))

    def _update(self, selector: str, content: Any) -> None:
        self.query_one(selector, Static).update(content)

    def _heading(self, battle: Any) -> Text:
        turn = f", {whose(battle.clock.turn)} turn" if battle.clock.turn else ""
        running = f" · {self.per_second:g} events per second" if self._timer else ""
        place = f"event {self.replay.frames[self.frame].seq} ({self.frame + 1} of {len(self.replay)})"
        return Text(f"{clean(battle.name)} · round {battle.clock.round}{turn} · {place}{running}")

    def _lines(self) -> list[Text]:
        first = max(0, min(self.frame - _AROUND, len(self.replay) - 2 * _AROUND - 1))
        shown = range(first, min(len(self.replay), first + 2 * _AROUND + 1))
        return [self._line(place) for place in shown]

    def _line(self, place: int) -> Text:
        event = self.replay.frames[place]
        text = Text("▶ " if place == self.frame else "  ", style="bold")
        text.append_text(line(event, retracted=event.declaration in self.replay.retracted))
        text.no_wrap = True
        text.overflow = "ellipsis"
        return text
