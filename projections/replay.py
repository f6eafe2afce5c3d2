"""A fight to step through: which events are shown, and the state after each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from ledger.events import Event
from projections.battle import Battle, fold
from projections.timeline import retracted, select


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
    ) -> None:
        self._events = events
        self.retracted = retracted(events)
        wanted = [event for event in events if last is None or event.seq <= last]
        chosen = select(wanted, first=first, actor=actor, kinds=kinds)
        self.frames = [e for e in chosen if with_undone or e.declaration not in self.retracted]
        self._state = lru_cache(maxsize=64)(self._fold)

    def __len__(self) -> int:
        return len(self.frames)

    def state(self, frame: int) -> Battle:
        """The battle right after a frame, without the corrections that were made later."""
        return self._state(self.frames[frame].seq)

    def _fold(self, seq: int) -> Battle:
        return fold(self._events[:seq])

    def next_where(self, frame: int, kind: str, direction: int) -> int:
        """The next or previous frame with an event of this kind; the last or first frame if there is none."""
        places = range(frame + 1, len(self)) if direction > 0 else range(frame - 1, -1, -1)
        found = (place for place in places if self.frames[place].kind == kind)
        return next(found, len(self) - 1 if direction > 0 else 0)

    def frame_of_round(self, number: int) -> int:
        """The frame in which a round begins; the last frame if it never does."""
        found = (place for place, event in enumerate(self.frames) if event.round >= number)
        return next(found, len(self) - 1)
