"""Which facts a statistic is about: one encounter, a campaign, a span of dates, or all there are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from ledger.dates import LATEST

_CONDITIONS = {
    "encounters": "encounter = ANY(%(encounters)s)",
    "campaign": "campaign = %(campaign)s",
    "since": "begun >= %(since)s",
    "before": "begun < %(before)s",
}


@dataclass(frozen=True, slots=True)
class Scope:
    """What is not given does not matter. Dates are those on which encounters began, in UTC, the last one included."""

    encounters: tuple[UUID, ...] = ()
    campaign: str | None = None
    since: date | None = None
    until: date | None = None
    with_undone: bool = False

    def sql(self) -> str:
        """The encounters, as the first part of a query.

        Only conditions that were asked for: one that may or may not hold spoils PostgreSQL's estimates, and the plans
        that it makes of them.
        """
        given = self.parameters()
        conditions = [sql for name, sql in _CONDITIONS.items() if given[name] is not None]
        chosen = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        return f"scope AS (SELECT encounter, ruleset, round AS rounds FROM encounters{chosen})"  # noqa: S608

    def parameters(self) -> dict[str, Any]:
        return {
            "encounters": list(self.encounters) or None,
            "campaign": self.campaign,
            "since": f"{self.since}T00:00:00Z" if self.since else None,
            "before": f"{_day_after(self.until)}T00:00:00Z" if self.until else None,
            "undone": self.with_undone,
        }


def _day_after(day: date) -> date:
    """No date in the read models is later than `LATEST`, and the last day that Python knows has none after it."""
    return min(day, LATEST.date()) + timedelta(days=1)
