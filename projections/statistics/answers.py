"""Every statistic by its name: from a question to its reports, on tables that are current."""

from __future__ import annotations

from datetime import date
from typing import Any

from psycopg import Cursor

from ledger.errors import Problem, unknown_encounter
from ledger.store import Ledger, encounter_id
from projections.analytics_names import By, Statistic
from projections.readmodels.reading import reading
from projections.readmodels.recorder import ReadModels
from projections.statistics.chance import chances_taken, dice_fairness
from projections.statistics.questions import QUESTIONS
from projections.statistics.report import Report
from projections.statistics.scope import Scope
from projections.statistics.worth import worth

SECONDS = 60.0


def statistics(url: str, statistic: Statistic, scope: Scope, by: By = By.ACTOR) -> list[Report]:
    """The reports that answer a question. What was recorded until now is brought in first."""
    catch_up(url)
    with reading(url, seconds=SECONDS) as cursor:
        _check_scope(cursor, scope)
        return answer(cursor, statistic, scope, by)


def answer(cursor: Cursor[tuple[Any, ...]], statistic: Statistic, scope: Scope, by: By) -> list[Report]:
    if statistic is Statistic.LUCK:
        return [chances_taken(cursor, scope, by), dice_fairness(cursor, scope)]
    if statistic is Statistic.DAMAGE and by is By.SOURCE:
        return [worth(cursor, scope)]
    return [QUESTIONS[statistic.value].ask(cursor, scope, by)]


def scope_of(
    url: str,
    encounter: str | None = None,
    campaign: str | None = None,
    since: date | None = None,
    until: date | None = None,
    *,
    with_undone: bool = False,
) -> Scope:
    """The scope that a person named."""
    known = None
    if encounter is not None:
        known = encounter_id(encounter)
        with Ledger.open(url) as ledger:
            if not ledger.recorder.select_rows(known):
                raise unknown_encounter(encounter)
    return Scope(known, campaign, since, until, with_undone)


def catch_up(url: str) -> int:
    with Ledger.open(url) as ledger, ReadModels.open(url) as view:
        return view.catch_up(ledger)


def _check_scope(cursor: Cursor[tuple[Any, ...]], scope: Scope) -> None:
    """An answer about nothing at all would look like one about fights where nothing happened."""
    if scope.campaign is not None:
        cursor.execute("SELECT FROM encounters WHERE campaign = %s LIMIT 1", (scope.campaign,))
        if cursor.fetchone() is None:
            raise Problem(
                "stats/unknown-campaign",
                f"No encounter has the campaign {scope.campaign!r}.",
                name=scope.campaign,
            )
