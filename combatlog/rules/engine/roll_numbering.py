"""Checking the numbers of committed rolls, which needs no seed: each must be the one that was next."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from uuid import UUID

from combatlog.rules.engine.roll_history import RollHistory
from ledger.events import Event, FaceOrigin, Rolled
from projections.roll_numbers import RollNumbers
from projections.timeline import Timeline, is_correction


def wrong_numbers(events: Sequence[Event], encounter: UUID) -> Iterator[tuple[int, str]]:
    """Rolls without the number that they should have, and what is wrong with it."""
    history, numbering = RollHistory(events), Numbering()
    for event in events:
        numbering.follow(event)
        if isinstance(event, Rolled) and event.encounter == encounter:
            if problem := _wrong_number(event, history, numbering):
                yield event.seq, problem
            numbering.add(event)


def _wrong_number(roll: Rolled, history: RollHistory, numbering: Numbering) -> str | None:
    carried = history.carried(roll)
    if roll.drawn is None:
        is_old = not numbering.has_begun or any(roll.faces == shown.faces[: len(roll.faces)] for shown in carried)
        if roll.dice_source is not FaceOrigin.COMMITTED or is_old:
            return None
        return "it has no number, although committed rolls before it have one"
    if any((roll.encounter, roll.drawn) == (shown.encounter, shown.drawn) for shown in carried):
        return None
    expected = numbering.next_number(in_correction=history.correction(roll) is not None)
    return None if roll.drawn in expected else f"it is committed roll {roll.drawn}, and roll {expected[0]} was next"


class Numbering:
    """Which numbers the rolls that stand hold, after each event."""

    def __init__(self) -> None:
        self.has_begun = False
        self._held = RollNumbers()
        self._before_correction = RollNumbers()
        """What was held when the last correction came, and what was drawn since. A correction gives out none of the
        numbers that it frees, because it does not know yet which of them it will need again."""
        self._timeline = Timeline()
        self._holders: Counter[int] = Counter()
        self._of: defaultdict[int, list[int]] = defaultdict(list)

    def follow(self, event: Event) -> None:
        """Take in the next event, and what it takes back or restores."""
        if is_correction(event):
            self._before_correction = self._held.copy()
        for declaration in sorted(self._timeline.add(event), reverse=True):
            change = self._drop if declaration in self._timeline.fallen else self._hold
            for number in reversed(self._of.get(declaration, ())):
                change(number)

    def next_number(self, *, in_correction: bool) -> list[int]:
        """The number that is next. What a correction put in place can draw during the correction, or when it goes on
        after an answer."""
        held = [self._before_correction, self._held] if in_correction else [self._held]
        return [numbers.lowest_free for numbers in held]

    def add(self, roll: Rolled) -> None:
        if roll.drawn is None:
            return
        self.has_begun = True
        self._of[roll.declaration].append(roll.drawn)
        self._before_correction.take(roll.drawn)
        if roll.declaration not in self._timeline.fallen:
            self._hold(roll.drawn)

    def _hold(self, number: int) -> None:
        self._holders[number] += 1
        self._held.take(number)

    def _drop(self, number: int) -> None:
        self._holders[number] -= 1
        if not self._holders[number]:
            self._held.release(number)
