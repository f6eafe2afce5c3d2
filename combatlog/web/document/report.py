"""The fight in numbers: the sections of its report, as far as a seat may see them."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine import ruleset as rulesets
from ledger.errors import Problem
from ledger.events import Data, EncounterOpened, Event
from projections.report.fight import report_of
from projections.report.models import FightReport
from projections.report.page import Page, page_of
from projections.report.seen import seen_report
from projections.report.tables import Cell
from projections.text import clean
from projections.views import Onlooker


def report_data(events: Sequence[Event], opened: EncounterOpened) -> Data:
    """Nothing if the ruleset is not installed: only it knows who is still in the fight."""
    try:
        report = report_of(events, rulesets.find(opened.ruleset))
    except Problem:
        return {}
    page = page_of(report)
    return {"lead": list(map(clean, page.lead)), "sections": _sections(page), "balance": _balance(report)}


def seen_report_data(seen: Onlooker) -> Data:
    """From a seat that does not see everything; when the fight was opened is left out, like all times."""
    page = page_of(seen_report(seen))
    return {"lead": [clean(page.lead[0])], "sections": _sections(page), "balance": []}


def _sections(page: Page) -> list[Data]:
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
