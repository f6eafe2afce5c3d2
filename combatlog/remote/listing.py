"""Lists and statistics as a service sends them, as what they are in a ledger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from ledger.listing import Listed, Page
from projections.progress import Progress, State
from projections.statistics.report import Report


def page_of(pages: Sequence[Mapping[str, Any]]) -> Page:
    """One page of several that follow each other."""
    last = pages[-1]
    return Page(
        tuple(_listed(one) for page in pages for one in page["encounters"]),
        int(last["total"]),
        UUID(last["next"]) if last["next"] else None,
        sum(int(page["archived"]) for page in pages),
    )


def progress_of(pages: Iterable[Mapping[str, Any]]) -> dict[UUID, Progress]:
    return {
        UUID(one["encounter"]): Progress(one["round"], one["state"] == State.OVER)
        for page in pages
        for one in page["encounters"]
        if one["state"] is not None
    }


def _listed(one: Mapping[str, Any]) -> Listed:
    return Listed(
        name=one["name"],
        encounter=UUID(one["encounter"]),
        ruleset=one["ruleset"],
        begun=datetime.fromisoformat(one["begun"]) if one["begun"] else None,
        events=one["events"],
        parent=UUID(one["parent"]) if one["parent"] else None,
        problem=one.get("problem"),
        labels=tuple(one["labels"]),
    )


def reports_of(found: Iterable[Mapping[str, Any]]) -> list[Report]:
    return [_report(one) for one in found]


def _report(one: Mapping[str, Any]) -> Report:
    rows = one["rows"]
    columns = list(one.get("columns") or (rows[0] if rows else ()))
    made = Report.of(one["title"], columns, ([row[name] for name in columns] for row in rows), one["notes"])
    made.left_out.update(one["left_out"])
    return made
