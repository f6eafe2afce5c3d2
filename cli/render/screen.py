"""The replay screen: the map, everybody's state and the story, stepped through by keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.console import Group
from rich.text import Text
from textual.binding import BindingType
from textual.timer import Timer

from cli.render.explanation import explanation_tree
from cli.render.fight_screen import HELP, FightScreen, Page, Prompt, footer
from cli.render.log import event_text, story_text, story_text_within
from ledger.errors import Problem
from projections.battle import Battle
from projections.explanation import explain
from projections.replay import Replay
from projections.text import clean

_AROUND = 4
"""Lines of the story shown before and after the current one."""

Fork = Callable[[str, int], str]
"""Makes a fork with a name after an event, and says what to do with it."""


class ReplayScreen(FightScreen):
    """Keys step; what is on the screen is always the state after the event that is marked."""

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
        self.push_screen(Page(explanation_tree(explain(self.replay.events, seq))))

    def action_help(self) -> None:
        self.push_screen(Page(HELP))

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
        """The story around the current line and, below that line, the event that the screen is at."""
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
