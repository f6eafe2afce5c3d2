"""A fight to step through: which events are shown, the state after each, and the story they belong to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from functools import cached_property, lru_cache

from ledger.events import Event
from projections.battle import Battle, fold
from projections.cast import Cast
from projections.selection import Selection
from projections.story import Line, tell
from projections.timeline import taken_back
from projections.words import in_words


class Replay:
    """The frames of a fight. A frame is an event and the state after it."""

    def __init__(
        self,
        events: Sequence[Event],
        *,
        first: int = 1,
        last: int | None = None,
        actor: str | None = None,
        kinds: Collection[str] = (),
        with_undone: bool = True,
        cast: Cast | None = None,
        state: Callable[[int], Battle] | None = None,
    ) -> None:
        """`cast` and `state`, who is there and what is so after an event, are for seats that do not see everything."""
        self.events = events
        self.cast = cast or Cast.of(events)
        self.taken_back = taken_back(events)
        """The declarations and corrections that do not stand, each with the correction that took it back."""
        chosen = Selection(first, last, actor, kinds).events(events)
        self.frames = [e for e in chosen if with_undone or e.declaration not in self.taken_back]
        self._state = lru_cache(maxsize=64)(state or self._fold)

    def __len__(self) -> int:
        return len(self.frames)

    def state(self, frame: int) -> Battle:
        """The battle right after a frame, without the corrections that were made later."""
        return self.state_after(self.frames[frame].seq)

    def state_after(self, seq: int) -> Battle:
        return self._state(seq)

    def _fold(self, seq: int) -> Battle:
        return fold(self.events[:seq])

    # The story

    @cached_property
    def story(self) -> list[Line]:
        """The story of every declaration that has a frame, in the order of the frames."""
        return tell(self.events, dict.fromkeys(event.declaration for event in self.frames), self.cast)

    @cached_property
    def _lines(self) -> dict[int, list[tuple[int, int]]]:
        """Where the lines of each declaration are, by the event that each begins with."""
        found: dict[int, list[tuple[int, int]]] = {}
        for place, line in enumerate(self.story):
            if line.declaration is not None and line.seq is not None:
                found.setdefault(line.declaration, []).append((line.seq, place))
        return found

    def line_of(self, frame: int) -> int:
        """The line of the story that a frame belongs to: if its declaration has none, the one before."""
        for event in reversed(self.frames[: frame + 1]):
            if lines := self._lines.get(event.declaration):
                return lines[max(0, bisect_right(lines, event.seq, key=lambda entry: entry[0]) - 1)][1]
        return 0

    # Finding frames

    def next_where(self, frame: int, kind: str, direction: int) -> int:
        """The next or previous frame with an event of this kind; the last or first frame if there is none."""
        places = range(frame + 1, len(self)) if direction > 0 else range(frame - 1, -1, -1)
        found = (place for place in places if self.frames[place].kind == kind)
        return next(found, len(self) - 1 if direction > 0 else 0)

    def next_declaration(self, frame: int, direction: int) -> int:
        """The next or previous frame that begins a declaration or a correction."""
        places = range(frame + 1, len(self)) if direction > 0 else range(frame - 1, -1, -1)
        found = (place for place in places if self.frames[place].seq == self.frames[place].declaration)
        return next(found, len(self) - 1 if direction > 0 else 0)

    def next_with(self, frame: int, text: str) -> int | None:
        """The next frame whose words contain a text, from the beginning again if there is none; None: nowhere."""
        wanted = text.lower()
        places = [*range(frame + 1, len(self)), *range(frame + 1)]
        found = (place for place in places if wanted in in_words(self.frames[place], self.cast).lower())
        return next(found, None)

    def frame_of_round(self, number: int) -> int:
        """The frame in which a round begins; the last frame if it never does."""
        found = (place for place, event in enumerate(self.frames) if event.round >= number)
        return next(found, len(self) - 1)

    def frame_of_event(self, seq: int) -> int:
        """The frame of an event; if it has none, the one after it, or the last."""
        found = (place for place, event in enumerate(self.frames) if event.seq >= seq)
        return next(found, len(self) - 1)
