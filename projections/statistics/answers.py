"""Every statistic by its name: from a question to its reports, on tables that are current."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING

from ledger.errors import Problem
from ledger.store import Ledger
from projections.analytics_names import By, Statistic
from projections.readmodels.in_place import once_in_place
from projections.readmodels.reading import Asked, reading
from projections.readmodels.session import current_session
from projections.statistics.chance import chances_taken, dice_fairness
from projections.statistics.comparison import compare
from projections.statistics.questions import QUESTIONS
from projections.statistics.report import Report
from projections.statistics.scope import Scope
from projections.statistics.worth import worth

if TYPE_CHECKING:
    from projections.lake.reading import Lake

SECONDS = 60.0


def statistics(ledger: Ledger, statistic: Statistic, scope: Scope, by: By = By.ACTOR) -> list[Report]:
    """The reports that answer a question. What was recorded until now is brought in first."""
    if statistic is Statistic.COMPARE:
        return [compare(ledger, scope, by)]
    return once_in_place(lambda: _now(ledger, statistic, scope, by))


def _now(ledger: Ledger, statistic: Statistic, scope: Scope, by: By) -> list[Report]:
    with current_session(ledger) as session, reading(session.conn, seconds=SECONDS) as cursor:
        return reports(cursor, statistic, scope, by)


def lake_statistics(lake: Lake, statistic: Statistic, scope: Scope, by: By = By.ACTOR) -> list[Report]:
    """The same from a lake, of what was recorded when it was written."""
    if statistic is Statistic.COMPARE:
        return [compare(lake, scope, by)]
    return reports(lake.cursor(), statistic, scope, by)


def reports(cursor: Asked, statistic: Statistic, scope: Scope, by: By) -> list[Report]:
    check_campaign(cursor, scope.campaign)
    *others, last = answer(cursor, statistic, scope, by)
    return [*others, last.without(scope.left_out(cursor))]


def answer(cursor: Asked, statistic: Statistic, scope: Scope, by: By) -> list[Report]:
    if statistic is Statistic.LUCK:
        return [chances_taken(cursor, scope, by), dice_fairness(cursor, scope)]
    if statistic is Statistic.DAMAGE and by is By.SOURCE:
        return [worth(cursor, scope)]
    return [QUESTIONS[statistic.value].ask(cursor, scope, by)]


def scope_of(
    ledger: Ledger | Lake,
    encounters: Iterable[str] = (),
    campaign: str | None = None,
    since: date | None = None,
    until: date | None = None,
    *,
    with_undone: bool = False,
    with_forks: bool = False,
    with_practice: bool = False,
    with_archived: bool = False,
) -> Scope:
    """The scope that a person named, with encounters by name or id."""
    if campaign is not None and "\0" in campaign:
        raise _unknown_campaign(campaign)  # PostgreSQL takes no such text, not even in a question
    named = tuple(map(ledger.require, encounters))
    return Scope(named, campaign, since, until, with_undone, with_forks, with_practice, with_archived)


def check_campaign(cursor: Asked, campaign: str | None) -> None:
    """An answer about nothing at all would look like one about fights where nothing happened."""
    if campaign is None:
        return
    cursor.execute("SELECT 1 FROM encounters WHERE campaign = %(campaign)s LIMIT 1", {"campaign": campaign})
    if cursor.fetchone() is None:
        raise _unknown_campaign(campaign)


def _unknown_campaign(campaign: str) -> Problem:
    return Problem("stats/unknown-campaign", f"No encounter has the campaign {campaign!r}.", name=campaign)
