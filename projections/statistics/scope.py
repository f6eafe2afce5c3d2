"""Which facts a statistic is about: one encounter, a campaign, a span of dates, or all that count.

Across fights, a character is identified by its name within a campaign, whatever its id in each fight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from ledger.json_shapes import LATEST
from projections.readmodels.reading import QueryCursor
from projections.story.phrases import counted
from projections.story.text import and_list

CHARACTERS = """people AS (
    SELECT c.encounter, c.combatant, coalesce(s.campaign, '') AS campaign,
           CASE WHEN count(*) OVER (PARTITION BY c.encounter, c.character) > 1
                THEN c.combatant ELSE c.character END AS character
    FROM combatants c JOIN scope s USING (encounter)
),
characters AS (
    SELECT encounter, combatant, min(combatant COLLATE "C") OVER (PARTITION BY character, campaign) ||
           CASE WHEN campaign <> '' AND min(campaign) OVER named <> max(campaign) OVER named
                THEN ' (' || campaign || ')' ELSE '' END AS name
    FROM people WINDOW named AS (PARTITION BY character)
)"""
"""Parts of a query that follow the scope. PostgreSQL ignores those that a query does not use."""


def join_character(alias: str, facts: str, combatant: str) -> str:
    """The character that a column of a table of facts names; none if the value is not a combatant."""
    return f" LEFT JOIN characters {alias} ON {alias}.encounter = {facts}.encounter AND {alias}.combatant = {combatant}"


_CONDITIONS = {
    "encounters": "encounter = ANY(%(encounters)s)",
    "campaign": "campaign = %(campaign)s",
    "since": "begun >= %(since)s",
    "before": "begun < %(before)s",
}
_FORK, _PRACTICE, _ARCHIVED = "parent IS NOT NULL", "practice", "archived"


@dataclass(frozen=True, slots=True)
class StatisticScope:
    """Fields that are not given do not restrict anything. Dates are those on which encounters began, in UTC, inclusive.

    Forks, practice and archived fights are left out unless they are asked for. Naming an encounter asks for it.
    """

    encounters: tuple[UUID, ...] = ()
    campaign: str | None = None
    since: date | None = None
    until: date | None = None
    with_undone: bool = False
    with_forks: bool = False
    with_practice: bool = False
    with_archived: bool = False

    def sql(self) -> str:
        """The encounters and their characters, as the first parts of a query.

        It contains only the conditions that were asked for: optional ones would spoil PostgreSQL's estimates and plans.
        """
        conditions = [*self._given(), *(f"NOT ({reason})" for reason in self._reasons().values())]
        return (
            "scope AS (SELECT encounter, name, ruleset, round AS rounds, campaign"  # noqa: S608
            f" FROM encounters{_where(conditions)}), {CHARACTERS}"
        )

    def parameters(self) -> dict[str, Any]:
        return {
            "encounters": list(self.encounters) or None,
            "campaign": self.campaign,
            "since": f"{self.since}T00:00:00Z" if self.since else None,
            "before": f"{_day_after(self.until)}T00:00:00Z" if self.until else None,
            "undone": self.with_undone,
        }

    def left_out(self, cursor: QueryCursor) -> dict[str, int]:
        """How many encounters are left out, by the first reason that applies to each. Reasons without encounters are
        omitted."""
        reasons = self._reasons()
        if not reasons:
            return {}
        cases = " ".join(f"WHEN {reason} THEN '{name}'" for name, reason in reasons.items())
        cursor.execute(
            f"SELECT why, count(*) FROM (SELECT CASE {cases} END AS why FROM encounters{_where(self._given())}) judged"  # noqa: S608
            " WHERE why IS NOT NULL GROUP BY why",
            self.parameters(),
        )
        counts = dict(cursor.fetchall())
        return {name: counts[name] for name in reasons if name in counts}

    def _given(self) -> list[str]:
        given = self.parameters()
        return [sql for name, sql in _CONDITIONS.items() if given[name] is not None]

    def _reasons(self) -> dict[str, str]:
        """Why an encounter does not count, as SQL, by the name of the flag that includes it."""
        asked = {"forks": self.with_forks, "practice": self.with_practice, "archived": self.with_archived}
        reasons = {"forks": _FORK, "practice": _PRACTICE, "archived": _ARCHIVED}
        return {} if self.encounters else {name: sql for name, sql in reasons.items() if not asked[name]}


def left_out_in_words(left_out: dict[str, int]) -> Iterator[str]:
    """One sentence, or none if nothing is left out."""
    things = {"forks": "fork", "practice": "practice fight", "archived": "archived fight"}
    parts = [counted(number, things[name]) for name, number in left_out.items()]
    if parts:
        yield f"{and_list(parts)} {'is' if sum(left_out.values()) == 1 else 'are'} left out."


def _where(conditions: list[str]) -> str:
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""


def _day_after(day: date) -> date:
    """The day after. No date in the read models is later than `LATEST`, which is Python's last day."""
    return min(day, LATEST.date()) + timedelta(days=1)
