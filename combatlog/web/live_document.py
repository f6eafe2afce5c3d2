"""A running fight, for pages that follow it: the document of a replay first, then its changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from combatlog.web.event_rows import event_rows
from combatlog.web.replay_document import VERSION, course, stories
from combatlog.web.state_deltas import NumberedTexts, Watched, counting, watch
from ledger.events import Data, Declared, Event
from projections.battle.timeline import has_corrections, is_correction
from projections.views import Seat

_STORIES = ("story", "recorded_story")


class LiveDocument:
    """What pages at one kind of seat are shown of a fight."""

    def __init__(self, seat: Seat, events: Sequence[Event]) -> None:
        self._whole = list(events)
        self._watched: Watched = watch(self._whole, seat)
        self._correcting: set[int] = set()
        """Corrections, and the declarations that they put in place."""
        self._is_corrected = self._notes(events)
        self._begin()

    def document(self) -> Data:
        """Everything so far."""
        return {**self._document, "texts": self._texts.entries, "paths": self._watched.changes.paths.entries}

    def take(self, new: Sequence[Event]) -> Data | None:
        """Take in new events. Returns a part or, if they change something earlier, the document.

        None: none of them is seen.
        """
        before, changes_earlier = len(self._watched.events), False
        for event in new:
            self._whole.append(event)
            changes_earlier = self._watched.take(event) or changes_earlier
        corrects = self._notes(new)
        self._is_corrected = self._is_corrected or corrects
        if len(self._watched.events) == before and not changes_earlier:
            return None
        if changes_earlier or corrects or not self._goes_on or self._goes_back(before):
            self._begin()
            return self.document()
        return self._part(before)

    def _notes(self, events: Sequence[Event]) -> bool:
        """Whether any of them corrects something that is seen. If not, even the form of the answer must not change."""
        corrects = [self._note(event) for event in events]
        return any(corrects)

    def _note(self, event: Event) -> bool:
        placed = isinstance(event, Declared) and event.cause in self._correcting
        if is_correction(event) or placed:
            self._correcting.add(event.seq)
        return event.declaration in self._correcting and event.seq in self._watched.places

    def _begin(self) -> None:
        self._texts = NumberedTexts()
        self._document = course(self._watched, self._texts)
        self._rows = {row[0]: row for row in self._document["events"]}
        self._groups: dict[int, list[Event]] = {}
        for event in self._watched.events:
            self._groups.setdefault(event.declaration, []).append(event)
        self._known_paths = len(self._watched.changes.paths.entries)
        self._goes_on = self._is_even()

    def _is_even(self) -> bool:
        """Whether what stands has led to the state that the record has led to, so that the next change fits both."""
        if not has_corrections(self._watched.events):
            return True
        last: Data = {}
        for _, state in counting(self._watched):
            last = state
        return last == self._watched.state

    def _goes_back(self, before: int) -> bool:
        """Whether an earlier declaration continues, in a fight that a correction has reordered."""
        newest = max(self._groups, default=0)
        return self._is_corrected and any(one.declaration < newest for one in self._watched.events[before:])

    def _part(self, before: int) -> Data:
        watched, texts = self._watched, self._texts
        known_texts = len(texts.entries)
        part: Data = {"version": VERSION, "events": self._new_rows(before), "recorded": watched.recorded[before:]}
        if "counting" in self._document:
            order = list(range(before, len(watched.events)))
            part["order"] = order
            known = self._document["counting"]
            self._document["counting"] = {**known, "order": [*known["order"], *order]}
        told = stories(watched, texts)
        part |= {name: self._retold(name, told[name]) for name in _STORIES if name in told}
        self._document["recorded"] = list(watched.recorded)
        part |= {"texts": texts.entries[known_texts:], "paths": watched.changes.paths.entries[self._known_paths :]}
        self._known_paths += len(part["paths"])
        return part

    def _new_rows(self, before: int) -> list[list[Any]]:
        """The rows of new events, and of those with a new text: a window says who let it pass."""
        touched: dict[int, list[Event]] = {}
        for event in self._watched.events[before:]:
            group = self._groups.setdefault(event.declaration, [])
            group.append(event)
            touched[event.declaration] = group
        events = sorted((event for group in touched.values() for event in group), key=lambda event: event.seq)
        rows = event_rows(events, self._watched.cast, {}, self._texts)
        other = [row for row in rows if self._rows.get(row[0]) != row]
        self._rows |= {row[0]: row for row in other}
        self._document["events"] = list(self._rows.values())
        return other

    def _retold(self, name: str, lines: list[list[int]]) -> list[Any]:
        """The number of lines of the story that stay, and the lines after them."""
        known = self._document[name]
        pairs = zip(known, lines, strict=False)
        kept = next((number for number, (old, new) in enumerate(pairs) if old != new), min(len(known), len(lines)))
        self._document[name] = lines
        return [kept, lines[kept:]]
