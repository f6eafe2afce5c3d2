"""The document of a replay: everything that a page shows of a fight from one seat, with its report, its corrections
and its verification. `modules/types.js` describes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.verification.verify import VerificationReport
from combatlog.web.event_rows import event_rows, why_nots
from combatlog.web.state_deltas import NumberedTexts, Progress, Watched, counting, watch
from ledger.errors import Problem
from ledger.events import Data, Declared, EncounterOpened, Event, Redone
from projections.battle.timeline import Correction, has_corrections, in_order, taken_back
from projections.report.fight_report import report_of
from projections.report.models import FightReport
from projections.report.report_page import Cell, ReportPage, page_of
from projections.report.seat_report import seat_report
from projections.review.difference import StatePicture, compare_pictures, state_picture
from projections.story.difference_words import say_difference
from projections.story.phrases import counted
from projections.story.telling import StoryLine, tell
from projections.story.text import clean
from projections.views import Seat, SeatView

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
    watched, texts = watch(events, seat, progress), NumberedTexts()
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


def course(watched: Watched, texts: NumberedTexts) -> Data:
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


def stories(watched: Watched, texts: NumberedTexts) -> Data:
    """The story in the order of the fight and, if a correction made that another one, as it was recorded."""
    events, cast = watched.events, watched.cast
    ordered = [events[watched.places[event.seq]] for event in in_order(watched.whole) if event.seq in watched.places]
    told = {"story": _lines(tell(events, _declarations(ordered), cast), texts)}
    if has_corrections(events):
        told["recorded_story"] = _lines(tell(events, _declarations(events), cast), texts)
    return told


def _declarations(events: Iterable[Event]) -> list[int]:
    return list(dict.fromkeys(event.declaration for event in events))


def _lines(story: Sequence[StoryLine], texts: NumberedTexts) -> list[list[int]]:
    """`[sentence, declaration, event, level]`; level 0 is a sentence, 1 the heading of a turn, 2 that of a round."""
    return [
        [texts.of(line.text), line.declaration or 0, line.seq or 0, 2 if line.round else 1 if line.turn else 0]
        for line in story
    ]


def corrections(watched: Watched, texts: NumberedTexts) -> list[Data]:
    """The corrections that were seen, in the order in which they were made."""
    events = watched.events
    made = [event for event in events if isinstance(event, Correction)]
    if not made:
        return []
    afters = _afters(watched, {event.seq: _end(events, event) for event in made})
    return [_correction(event, watched, afters[event.seq], texts) for event in made]


def _correction(event: Correction, watched: Watched, after: StatePicture, texts: NumberedTexts) -> Data:
    changes = compare_pictures(watched.befores[watched.onlooker.recorded(event.seq)], after)
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
    """The last event that a correction put in place."""
    own = {correction.seq, *_placed(events, correction)}
    return max(event.seq for event in events if event.declaration in own)


def _afters(watched: Watched, ends: dict[int, int]) -> dict[int, StatePicture]:
    """The state after each correction, as the seat sees it, by the seat's own numbers."""
    onlooker = SeatView(watched.onlooker.seat)
    found: dict[int, StatePicture] = {}
    for event in watched.whole:
        seen = onlooker.see(event)
        done = [correction for correction, end in ends.items() if seen is not None and end == seen.seq]
        found |= {correction: state_picture(onlooker.battle) for correction in done}
    return found


def report_data(events: Sequence[Event], opened: EncounterOpened) -> Data:
    """Nothing if the ruleset is not installed: only it knows who is still in the fight."""
    try:
        report = report_of(events, rulesets.find(opened.ruleset))
    except Problem:
        return {}
    page = page_of(report)
    return {"lead": list(map(clean, page.lead)), "sections": _sections(page), "balance": _balance(report)}


def seen_report_data(seen: SeatView) -> Data:
    """From a seat that does not see everything; when the fight was opened is left out, like all times."""
    page = page_of(seat_report(seen))
    return {"lead": [clean(page.lead[0])], "sections": _sections(page), "balance": []}


def _sections(page: ReportPage) -> list[Data]:
    return [
        {
            "title": section.title,
            "columns": list(map(clean, section.table.columns)),
            "rows": [list(map(_cell, row)) for row in section.table.rows],
            "notes": list(map(clean, section.notes if section.table.rows else ())),
            "nothing": section.nothing,
        }
        for section in page.sections
        if section.table.columns
    ]


def _cell(cell: Cell) -> object:
    if isinstance(cell, list):
        return list(map(clean, cell))
    return cell if isinstance(cell, int | float) else clean(cell)


def _balance(report: FightReport) -> list[Data]:
    """Each side's share of all points left, by the event after which it was so."""
    sides = sorted({side for point in report.balance for side in point.shares})
    return [
        {"side": clean(side), "points": [[point.seq, round(point.shares.get(side, 0), 3)] for point in report.balance]}
        for side in sides
    ]


_STANDS = "The record is as it was written, and the dice and rules lead to the same events again."
_CHANGED = "The record is as it was written. Not everything comes out the same again."
_FAILS = "The record is not as it was written, or does not follow from its dice and rules."


def checked(report: VerificationReport, seat: Seat, now: datetime) -> Data:
    """Findings and event numbers could reveal unseen things, so most seats only learn whether the record stands."""
    summary = _FAILS if not report.stands else _CHANGED if report.findings else _STANDS
    findings = [f"Event {finding.seq}: {finding.problem}" for finding in report.findings] if seat.sees_all else []
    if seat.sees_all:
        summary += f" Checked: {counted(report.events, 'event')}, {counted(report.declarations, 'declaration')}."
    return {
        "stands": report.stands,
        "at": f"{now:%Y-%m-%d %H:%M} UTC",
        "summary": summary,
        "findings": list(map(clean, findings)),
    }
