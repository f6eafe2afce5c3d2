"""The watching screen: a second screen that follows a fight and shows what its seat may see."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from typing import ClassVar

from rich.console import Group
from rich.text import Text
from textual.binding import BindingType

from cli.render.fight_screen import FightScreen, cut
from cli.render.log import story_text
from cli.render.state import when
from cli.render.text import console
from combatlog.watching import Watching
from ledger.events import Event
from projections.story import tell
from projections.text import clean
from projections.timeline import taken_back

_LINES = 10
"""Lines of the story that are shown."""
_REFRESH = 0.03
"""Seconds between looks at what has come. What comes together is drawn together."""


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
        for line in reversed(lines):  # as many whole ones as there is room for
            parts = _wrapped(story_text(line, gone), self.size.width - 2)
            if shown and len(shown) + len(parts) > _LINES:
                break
            shown = [*parts, *shown]
        return shown


def _wrapped(text: Text, width: int) -> list[Text]:
    """A line in as many lines as it takes, the later ones further in."""
    indent = len(text.plain) - len(text.plain.lstrip())
    parts = text[indent:].wrap(console(), max(20, width - indent - 2))
    return [Text(" " * (indent + (0 if part is parts[0] else 2))).append_text(part) for part in parts]
