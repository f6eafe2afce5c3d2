"""What verifying a fight found, for the badge of a page."""

from __future__ import annotations

from datetime import datetime

from combatlog.rules.engine.verify import Report
from ledger.events import Data
from projections.phrases import counted
from projections.text import clean
from projections.views import Seat

_STANDS = "The record is as it was written, and the dice and rules lead to the same events again."
_CHANGED = "The record is as it was written. Not everything comes out the same again."
_FAILS = "The record is not as it was written, or does not follow from its dice and rules."


def checked(report: Report, seat: Seat, now: datetime) -> Data:
    """Findings and numbers of events tell of things that not every seat sees, so most learn only whether it stands."""
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
