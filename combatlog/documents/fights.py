"""Documents about a fight: its state, its events, why they are what they are, and what is possible now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from combatlog.documents.content import entry_data
from combatlog.documents.reactions import asked_data
from combatlog.documents.written import written
from projections.progress import with_progress
from projections.remarks import remarks
from projections.snapshot import describe
from projections.words import in_words
from rules.engine.glance import glances

if TYPE_CHECKING:
    from uuid import UUID

    from combatlog.documents.shapes import AutoStep, ExplainedEvent, ExplanationData, StatusData
    from ledger.events import Event
    from ledger.listing import Page
    from projections.battle import Battle
    from projections.cast import Cast
    from projections.explanation import Explanation, Node
    from projections.progress import Progress
    from rules.autoplay.auto import Played
    from rules.content.action_reference import Entry
    from rules.engine.ruleset import Section


def event_data(event: Event) -> dict[str, Any]:
    """An event; a field without a value is absent."""
    return event.model_dump(mode="json", exclude_none=True)


def events_data(events: Iterable[Event]) -> list[dict[str, Any]]:
    return [event_data(event) for event in events]


def log_data(events: Iterable[Event], gone: Mapping[int, int]) -> list[dict[str, Any]]:
    """Events for programs. One that does not stand says which correction took it back."""
    return [
        event_data(event) | ({"taken_back_by": by} if (by := gone.get(event.declaration)) is not None else {})
        for event in events
    ]


def status_data(battle: Battle) -> StatusData:
    return {
        **describe(battle),
        "asked": asked_data(battle),
        "labels": list(battle.labels),
        "glances": {combatant: glance.model_dump() for combatant, glance in glances(battle).items()},
    }


def listing_data(page: Page, progress: Mapping[UUID, Progress]) -> Any:
    return written(with_progress(page, progress))


def explanation_data(explanation: Explanation) -> ExplanationData:
    return {
        "seq": explanation.seq,
        "path": list(explanation.path),
        "retracted": explanation.taken_back_by is not None,
        "taken_back_by": explanation.taken_back_by,
        "successor": explanation.successor,
        "tree": _node_data(explanation.tree, explanation.cast),
    }


def _node_data(node: Node, cast: Cast) -> ExplainedEvent:
    return {
        "event": event_data(node.event),
        "words": in_words(node.event, cast),
        "remarks": remarks(node),
        "effects": [_node_data(child, cast) for child in node.effects],
    }


def menu_data(sections: Sequence[Section], entries: Mapping[str, Entry]) -> list[dict[str, Any]]:
    data = [section.model_dump() for section in sections]
    for choice in (choice for section in data for choice in section["choices"]):
        choice["takes"] = entry_data(entries[choice["name"]]) if choice["name"] in entries else None
    return data


def auto_data(step: Played) -> AutoStep:
    return {"who": step.who, "what": step.what, "why": step.why, "events": events_data(step.events)}
