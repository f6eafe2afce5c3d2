"""Step through a fight: select the events to show, with the state after each and the story they belong to.

A selection is a range, the declarations of one combatant, some kinds, the latest events, or what stands.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ledger.errors import Problem, listing, suggest
from ledger.events import Declared, Event
from ledger.registry import KINDS
from projections.battle.fold import Battle, fold
from projections.battle.timeline import is_correction, standing, taken_back
from projections.story.event_words import in_words
from projections.story.names import CombatantNames
from projections.story.phrases import counted
from projections.story.telling import StoryLine, tell

GM = "gm"


@dataclass(frozen=True)
class Selection:
    first: int = 1
    last: int | None = None
    actor: str | None = None
    kinds: Collection[str] = ()
    latest: int | None = None
    """How many at most, counted from the end: events or, for a story, declarations."""
    standing: bool = False
    """Only events that count, in the order of the fight."""

    @property
    def is_a_tail(self) -> bool:
        """Whether the end of the log is enough. Finding out what was corrected takes all of it."""
        is_narrowed = self.first > 1 or self.last is not None or self.actor is not None or self.kinds
        return self.latest is not None and not is_narrowed and not self.standing

    def check(self, cast: CombatantNames, events: int) -> None:
        """Refuse a selection that cannot match in a fight with these combatants and this many events."""
        if self.actor is not None and self.actor not in {*cast.names, GM}:
            raise _unknown_combatant(self.actor, cast)
        self.check_kinds()
        if self.first > events:
            there_are = "is 1 event" if events == 1 else f"are {counted(events, 'event')}"
            raise Problem(
                "log/no-event",
                f"There is no event {self.first}; there {there_are}.",
                seq=self.first,
                last=events,
            )
        if self.last is not None and self.last < self.first:
            raise Problem(
                "log/range", f"The range from {self.first} to {self.last} is empty.", first=self.first, last=self.last
            )

    def check_kinds(self) -> None:
        for kind in self.kinds:
            if kind not in KINDS:
                raise _unknown_kind(kind)

    def events(self, history: Sequence[Event]) -> list[Event]:
        """The selected events."""
        of_actor = _declared_by(self.actor, history)
        found = [
            event
            for event in self._in_order(history)
            if self._is_in_range(event)
            and (self.actor is None or event.declaration in of_actor)
            and (not self.kinds or event.kind in self.kinds)
        ]
        return self._end_of(found)

    def declarations(self, history: Sequence[Event]) -> list[int]:
        """The declarations, corrections and the like that begin in the selection: each is a line of the story."""
        of_actor = _declared_by(self.actor, history)
        found = [
            event
            for event in _beginnings(self._in_order(history))
            if self._is_in_range(event) and (self.actor is None or event.declaration in of_actor)
        ]
        return [event.declaration for event in self._end_of(found)]

    def _in_order(self, history: Sequence[Event]) -> Sequence[Event]:
        """With `standing`, corrections are left out: their effects are all that matters."""
        return [event for event in standing(history) if not is_correction(event)] if self.standing else history

    def _is_in_range(self, event: Event) -> bool:
        return self.first <= event.seq and (self.last is None or event.seq <= self.last)

    def _end_of(self, events: list[Event]) -> list[Event]:
        return events if self.latest is None else events[-self.latest :]


def _beginnings(events: Sequence[Event]) -> list[Event]:
    """The first event of each declaration: the declaration itself, unless it is not seen."""
    first: dict[int, Event] = {}
    for event in events:
        first.setdefault(event.declaration, event)
    return list(first.values())


def _declared_by(actor: str | None, events: Sequence[Event]) -> set[int]:
    return {event.seq for event in events if isinstance(event, Declared) and event.actor == actor}


def _unknown_combatant(actor: str, cast: CombatantNames) -> Problem:
    known = list(cast.names)
    return Problem(
        "declaration/unknown-combatant",
        f"No combatant in this fight is called {actor!r}; there are {listing(known)}."
        if known
        else f"No combatant in this fight is called {actor!r}; nobody has joined yet.",
        name=actor,
        available=known,
        suggestions=suggest(actor, known),
    )


def _unknown_kind(kind: str) -> Problem:
    known = list(KINDS)
    return Problem(
        "log/unknown-kind",
        f"There is no kind of event called {kind!r}; there are {', '.join(known[:-1])} and {known[-1]}.",
        name=kind,
        available=known,
        suggestions=suggest(kind, known),
    )


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
        cast: CombatantNames | None = None,
        state: Callable[[int], Battle] | None = None,
    ) -> None:
        """`cast` and `state` are for seats that do not see everything: the combatants they know, and the state after
        an event."""
        self.events = events
        self.cast = cast or CombatantNames.of(events)
        self.taken_back = taken_back(events)
        """The declarations and corrections that do not stand, each with the correction that took it back."""
        chosen = Selection(first, last, actor, kinds).events(events)
        self.frames = [e for e in chosen if with_undone or e.declaration not in self.taken_back]
        self._state = lru_cache(maxsize=64)(state or self._fold)

    def __len__(self) -> int:
        return len(self.frames)

    def state(self, frame: int) -> Battle:
        """The battle right after a frame, ignoring later corrections."""
        return self.state_after(self.frames[frame].seq)

    def state_after(self, seq: int) -> Battle:
        return self._state(seq)

    def _fold(self, seq: int) -> Battle:
        return fold(self.events[:seq])

    # The story

    @cached_property
    def story(self) -> list[StoryLine]:
        """The story of every declaration that has a frame, in the order of the frames."""
        return tell(self.events, dict.fromkeys(event.declaration for event in self.frames), self.cast)

    @cached_property
    def _lines(self) -> dict[int, list[tuple[int, int]]]:
        """Which lines each declaration has, with the event at which each begins."""
        found: dict[int, list[tuple[int, int]]] = {}
        for place, line in enumerate(self.story):
            if line.declaration is not None and line.seq is not None:
                found.setdefault(line.declaration, []).append((line.seq, place))
        return found

    def line_of(self, frame: int) -> int:
        """The line of the story for a frame. If its declaration has none, the line before it."""
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
        """The next frame whose words contain a text, wrapping around at the end; None: no frame does."""
        wanted = text.lower()
        places = [*range(frame + 1, len(self)), *range(frame + 1)]
        found = (place for place in places if wanted in in_words(self.frames[place], self.cast).lower())
        return next(found, None)

    def frame_of_round(self, number: int) -> int:
        """The frame in which a round begins, or the last frame."""
        found = (place for place, event in enumerate(self.frames) if event.round >= number)
        return next(found, len(self) - 1)

    def frame_of_event(self, seq: int) -> int:
        """The frame of an event; if it has none, the next one or the last."""
        found = (place for place, event in enumerate(self.frames) if event.seq >= seq)
        return next(found, len(self) - 1)
