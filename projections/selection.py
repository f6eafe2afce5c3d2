"""Which part of a fight is shown: a range, one combatant's declarations, some kinds, the latest, what stands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ledger.errors import Problem
from ledger.events import Declared, Event
from ledger.registry import KINDS
from ledger.suggestions import listing, suggest
from projections.cast import Cast
from projections.phrases import counted
from projections.timeline import is_correction, standing

GM = "gm"


@dataclass(frozen=True)
class Selection:
    first: int = 1
    last: int | None = None
    actor: str | None = None
    kinds: Collection[str] = ()
    latest: int | None = None
    """Only so many: of events or, for a story, of declarations."""
    standing: bool = False
    """Only what counts, in the order of the fight."""

    @property
    def is_a_tail(self) -> bool:
        """Whether the end of the log is enough to find it. What is corrected can only be found in all of it."""
        is_narrowed = self.first > 1 or self.last is not None or self.actor is not None or self.kinds
        return self.latest is not None and not is_narrowed and not self.standing

    def check(self, cast: Cast, events: int) -> None:
        """Refuse what cannot be in a fight with these combatants and so many events."""
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
        """The events themselves."""
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
        """The declarations, corrections and the like that begin among them: each is a line of the story."""
        of_actor = _declared_by(self.actor, history)
        found = [
            event
            for event in _beginnings(self._in_order(history))
            if self._is_in_range(event) and (self.actor is None or event.declaration in of_actor)
        ]
        return [event.declaration for event in self._end_of(found)]

    def _in_order(self, history: Sequence[Event]) -> Sequence[Event]:
        """With `standing`, without the corrections: what they did is all there is to see of them."""
        return [event for event in standing(history) if not is_correction(event)] if self.standing else history

    def _is_in_range(self, event: Event) -> bool:
        return self.first <= event.seq and (self.last is None or event.seq <= self.last)

    def _end_of(self, events: list[Event]) -> list[Event]:
        return events if self.latest is None else events[-self.latest :]


def _beginnings(events: Sequence[Event]) -> list[Event]:
    """The first event of each declaration: the declaration itself, unless that is not seen."""
    first: dict[int, Event] = {}
    for event in events:
        first.setdefault(event.declaration, event)
    return list(first.values())


def _declared_by(actor: str | None, events: Sequence[Event]) -> set[int]:
    return {event.seq for event in events if isinstance(event, Declared) and event.actor == actor}


def _unknown_combatant(actor: str, cast: Cast) -> Problem:
    known = list(cast.names)
    return Problem(
        "declaration/unknown-combatant",
        f"Nobody in this fight is called {actor!r}; there are {listing(known)}."
        if known
        else f"Nobody in this fight is called {actor!r}; nobody has joined yet.",
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
