"""The document of a replay: everything that a page shows of a fight from one seat. `modules/types.js` describes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from combatlog.web.document.corrections import corrections
from combatlog.web.document.events import event_rows
from combatlog.web.document.obstacles import why_nots
from combatlog.web.document.report import report_data, seen_report_data
from combatlog.web.document.tables import Texts
from combatlog.web.document.tracks import Progress, Watched, counting, watch
from ledger.events import Data, Event
from projections.story import Line, tell
from projections.text import clean
from projections.timeline import has_corrections, in_order, taken_back
from projections.views import Seat

VERSION = 1
"""Raised whenever a page that was written for the version before would misread the document."""


def replay_document(
    events: Sequence[Event],
    seat: Seat,
    *,
    checked: Data | None = None,
    progress: Progress = lambda done, total: None,
) -> Data:
    """The fight from a seat. `checked` is what verifying it found, and when, if it was verified."""
    watched, texts = watch(events, seat, progress), Texts()
    document = course(watched, texts)
    if seat.sees_all:
        opened = watched.onlooker.whole.encounter
        document["why_not"] = why_nots(events, opened.ruleset, texts)
        document["report"] = report_data(events, opened)
    else:
        document["report"] = seen_report_data(watched.onlooker)
    if checked is not None:
        document["checked"] = checked
    return {**document, "texts": texts.entries, "paths": watched.changes.paths.entries}


def course(watched: Watched, texts: Texts) -> Data:
    """How the fight went: its events, what each of them changed, and the story; without the two tables."""
    document: Data = {
        "version": VERSION,
        "fight": _fight(watched),
        "events": event_rows(watched.events, watched.cast, _taken_back(watched), texts),
        "recorded": list(watched.recorded),
        **stories(watched, texts),
        "corrections": corrections(watched, texts),
    }
    if has_corrections(watched.events):
        document["counting"] = _counting(watched)
    return document


def _taken_back(watched: Watched) -> dict[int, int]:
    """What does not stand, each with the correction that took it back, by the numbers that the seat knows."""
    pairs = ((watched.number(seq), watched.number(by)) for seq, by in taken_back(watched.whole).items())
    return {seq: by for seq, by in pairs if seq is not None and by is not None}


def _fight(watched: Watched) -> Data:
    battle = watched.onlooker.battle
    return {
        "name": clean(battle.name),
        "ruleset": clean(battle.encounter.ruleset),
        "seat": _seat_in_words(watched.onlooker.seat),
        "sees_all": watched.onlooker.seat.sees_all,
    }


def _seat_in_words(seat: Seat) -> str:
    named = f" of {clean(', '.join(sorted(seat.combatants)))}" if seat.combatants else ""
    return f"{seat.role.value}{named}" if seat.role.value != "players" else f"players of {clean(seat.side)}"


def _counting(watched: Watched) -> Data:
    """The events that stand, by their places in `events`; their changes where they are not those of the record."""
    before: Data = {}
    order: list[int] = []
    other: dict[int, Any] = {}
    for place, state in counting(watched):
        made = (watched.changes.between(before, state) or 0) if state is not before else 0
        if made != watched.recorded[place]:
            other[len(order)] = made
        order.append(place)
        before = state
    return {"order": order, "changes": other}


def stories(watched: Watched, texts: Texts) -> Data:
    """The story in the order of the fight and, if a correction made that another one, as it was recorded."""
    events, cast = watched.events, watched.cast
    ordered = [events[watched.places[event.seq]] for event in in_order(watched.whole) if event.seq in watched.places]
    told = {"story": _lines(tell(events, _declarations(ordered), cast), texts)}
    if has_corrections(events):
        told["recorded_story"] = _lines(tell(events, _declarations(events), cast), texts)
    return told


def _declarations(events: Iterable[Event]) -> list[int]:
    return list(dict.fromkeys(event.declaration for event in events))


def _lines(story: Sequence[Line], texts: Texts) -> list[list[int]]:
    """`[sentence, declaration, event, level]`; level 0 is a sentence, 1 the heading of a turn, 2 that of a round."""
    return [
        [texts.of(line.text), line.declaration or 0, line.seq or 0, 2 if line.round else 1 if line.turn else 0]
        for line in story
    ]
