"""The course of a fight, event by event: what stands, and the battle after each event.

`projections.battle.fold` answers for one moment. Whoever needs every moment (read models, a verification, the audit
trail) follows the course instead: a correction goes back to the first declaration that it changes and applies what
stands from there on, so the whole course costs as many steps as there are events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ledger.events import Event
from projections.battle import senseless
from projections.journal import JournaledBattle
from projections.timeline import Timeline, is_correction


class Course:
    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.battle = JournaledBattle()
        self.timeline = Timeline()
        self.standing: list[Event] = []
        """The events that count, in order, without corrections."""
        self._groups: dict[int, list[Event]] = {}
        for event in events:
            self.feed(event)

    def group(self, declaration: int) -> Sequence[Event]:
        """The events of a declaration, whether it stands or not."""
        return self._groups.get(declaration, ())

    def feed(self, event: Event) -> None:
        """Take in the next event."""
        changed = self.timeline.add(event)
        if is_correction(event):
            self._change(changed)
            self._apply(event)
        else:
            self._groups.setdefault(event.declaration, []).append(event)
            if event.declaration not in self.timeline.fallen:
                self._count(event)
        self.battle.seq = event.seq

    def _change(self, declarations: set[int]) -> None:
        """Go back to the first of these declarations, and apply what stands from there on."""
        known = [declaration for declaration in declarations if declaration in self._groups]
        if not known:
            return
        first = min(known)
        later = [*self._take_from(first), *self._restored(known)]
        self.battle.go_back_before(first)
        for event in sorted(later, key=lambda event: event.seq):
            self._count(event)

    def _take_from(self, first: int) -> Iterator[Event]:
        """Remove what stood from this number on; what still stands is counted again."""
        while self.standing and self.standing[-1].seq >= first:
            event = self.standing.pop()
            if event.declaration not in self.timeline.fallen:
                yield event

    def _restored(self, declarations: Iterable[int]) -> Iterator[Event]:
        for declaration in declarations:
            if declaration not in self.timeline.fallen:
                yield from self._groups[declaration]

    def _count(self, event: Event) -> None:
        self.standing.append(event)
        self._apply(event)

    def _apply(self, event: Event) -> None:
        try:
            self.battle.apply(event)
        except (LookupError, ValueError) as error:
            raise senseless(event) from error
