"""The fights that the report of a campaign is about, and how many of the campaign it leaves out."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from ledger.store import Ledger
from projections.readmodels.reading import fetch, reading
from projections.readmodels.session import current_session
from projections.statistics.answers import SECONDS, check_campaign
from projections.statistics.scope import Scope


class Counting(NamedTuple):
    encounter: UUID


class LeftOut(NamedTuple):
    forks: int
    others: int


class CampaignFights(NamedTuple):
    counting: list[UUID]
    forks: int
    others: int


# A what-if shares its past with a fight that counts already.
_COUNTING = (
    "SELECT f.encounter FROM encounters f JOIN scope s USING (encounter) WHERE f.parent IS NULL"
    " ORDER BY f.begun, f.encounter"
)
_LEFT_OUT = (
    "SELECT count(*) FILTER (WHERE parent IS NOT NULL) AS forks,"
    " count(*) FILTER (WHERE parent IS NULL AND encounter NOT IN (SELECT encounter FROM scope)) AS others"
    " FROM encounters WHERE campaign = %(campaign)s"
)


def fights_of(ledger: Ledger, scope: Scope) -> CampaignFights:
    """In the order in which they began. What the scope does not count, the report does not count either."""
    with current_session(ledger) as session, reading(session.conn, seconds=SECONDS) as cursor:
        check_campaign(cursor, scope.campaign)
        counting = fetch(cursor, Counting, f"WITH {scope.sql()} {_COUNTING}", scope.parameters())
        (left_out,) = fetch(cursor, LeftOut, f"WITH {scope.sql()} {_LEFT_OUT}", scope.parameters())
    return CampaignFights([row.encounter for row in counting], left_out.forks, left_out.others)
