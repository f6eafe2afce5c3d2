"""The corrections of a fight: who took back what and why, what came instead, and what it changed."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.web.document.tables import Texts
from combatlog.web.document.tracks import Watched
from ledger.events import Data, Declared, Event, Redone
from projections.difference import Picture, compare, picture
from projections.difference_words import say_difference
from projections.timeline import Correction
from projections.views import Onlooker


def corrections(watched: Watched, texts: Texts) -> list[Data]:
    """Those that were seen, in the order in which they were made."""
    events = watched.events
    made = [event for event in events if isinstance(event, Correction)]
    if not made:
        return []
    afters = _afters(watched, {event.seq: _end(events, event) for event in made})
    return [_correction(event, watched, afters[event.seq], texts) for event in made]


def _correction(event: Correction, watched: Watched, after: Picture, texts: Texts) -> Data:
    changes = compare(watched.befores[watched.onlooker.recorded(event.seq)], after)
    return {
        "seq": event.seq,
        "by": texts.of(event.by),
        "reason": texts.of(event.reason),
        "retracts": [] if isinstance(event, Redone) else list(event.retracts),
        "undone": event.undone if isinstance(event, Redone) else None,
        "places": _placed(watched.events, event),
        "done": _end(watched.events, event),
        "changes": [texts.of(say_difference(change, watched.cast.names)) for change in changes],
    }


def _placed(events: Sequence[Event], correction: Event) -> list[int]:
    return [event.seq for event in events if isinstance(event, Declared) and event.cause == correction.seq]


def _end(events: Sequence[Event], correction: Event) -> int:
    """The last event of what a correction put in place: then it is done."""
    own = {correction.seq, *_placed(events, correction)}
    return max(event.seq for event in events if event.declaration in own)


def _afters(watched: Watched, ends: dict[int, int]) -> dict[int, Picture]:
    """What the state is when each correction is done, as the seat sees it. Numbers are those that the seat knows."""
    onlooker = Onlooker(watched.onlooker.seat)
    found: dict[int, Picture] = {}
    for event in watched.whole:
        seen = onlooker.see(event)
        done = [correction for correction, end in ends.items() if seen is not None and end == seen.seq]
        found |= {correction: picture(onlooker.battle) for correction in done}
    return found
