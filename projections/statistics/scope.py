"""Which facts a statistic is about: one encounter, a campaign, a span of dates, or all there are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

SCOPE = """scope AS (
    SELECT encounter, ruleset, round AS rounds FROM encounters
    WHERE (%(encounter)s::uuid IS NULL OR encounter = %(encounter)s)
      AND (%(campaign)s::text IS NULL OR campaign = %(campaign)s)
      AND (%(since)s::timestamptz IS NULL OR begun >= %(since)s)
      AND (%(before)s::timestamptz IS NULL OR begun < %(before)s)
)"""


@dataclass(frozen=True, slots=True)
class Scope:
    """None means: any. Dates are those on which encounters began, in UTC, the last one included."""

    encounter: UUID | None = None
    campaign: str | None = None
    since: date | None = None
    until: date | None = None
    with_undone: bool = False

    def parameters(self) -> dict[str, Any]:
        return {
            "encounter": self.encounter,
            "campaign": self.campaign,
            "since": f"{self.since}T00:00:00Z" if self.since else None,
            "before": f"{self.until + timedelta(days=1)}T00:00:00Z" if self.until else None,
            "undone": self.with_undone,
        }
