"""The report of a campaign: the reports of its fights added up, and how many fights it leaves out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar
from uuid import UUID

from ledger.store.ledger import LedgerStore
from projections.readmodels.reading import fetch, reading
from projections.readmodels.session import current_session
from projections.report.fight_totals import MOST
from projections.report.luck_and_reactions import luck_of
from projections.report.models import AttackLuck, CampaignReport, CombatantShare, FightLine, FightReport, ReactionWorth
from projections.statistics.answers import SECONDS, check_campaign
from projections.statistics.scope import StatisticScope

Row = TypeVar("Row", CombatantShare, ReactionWorth, AttackLuck)
_SUMMED = ("dealt", "taken", "healed", "recovered", "attacks", "hits", "falls")
_COUNTED = ("used", "declined", "missed", "damage", "healing", "prevented", "hits_prevented")


def campaign_report(
    campaign: str, reports: Sequence[FightReport], *, forks_left_out: int = 0, others_left_out: int = 0
) -> CampaignReport:
    turning = sorted((one for report in reports for one in report.turning_points), key=lambda one: -one.gained)
    return CampaignReport(
        campaign=campaign,
        fights=[_line(report) for report in reports],
        forks_left_out=forks_left_out,
        others_left_out=others_left_out,
        shares=_shares(reports),
        falls=[fall for report in reports for fall in report.falls],
        reactions=_reactions(reports),
        luck=_luck(reports),
        attacks_without_odds=sum(report.attacks_without_odds for report in reports),
        turning_points=turning[:MOST],
    )


def _line(report: FightReport) -> FightLine:
    return FightLine(
        fight=report.fight,
        id=report.id,
        ruleset=report.ruleset,
        opened=report.opened,
        rounds=report.rounds,
        result=report.result,
        falls=sum(not fall.left for fall in report.falls),
        corrections=len(report.corrections),
        rulings=len(report.rulings),
    )


def _grouped(rows: Iterable[Row], key: Callable[[Row], tuple[str, ...]]) -> list[list[Row]]:
    groups: defaultdict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return list(groups.values())


def _shares(reports: Sequence[FightReport]) -> list[CombatantShare]:
    rows = (row for report in reports for row in report.shares)
    groups = _grouped(rows, lambda row: (row.name.casefold(), row.side))
    return [group[0].model_copy(update=_sums(group, _SUMMED, pools={}, in_the_fight=False)) for group in groups]


def _reactions(reports: Sequence[FightReport]) -> list[ReactionWorth]:
    rows = (row for report in reports for row in report.reactions)
    groups = _grouped(rows, lambda row: (row.name.casefold(), row.reaction))
    return [group[0].model_copy(update=_sums(group, _COUNTED)) for group in groups]


def _sums(
    group: Sequence[CombatantShare | ReactionWorth], fields: Sequence[str], **others: object
) -> dict[str, object]:
    return {field: sum(getattr(row, field) for row in group) for field in fields} | others


def _luck(reports: Sequence[FightReport]) -> list[AttackLuck]:
    groups = _grouped((row for report in reports for row in report.luck), lambda row: (row.name.casefold(),))
    return [_luck_of(group) for group in groups]


def _luck_of(group: Sequence[AttackLuck]) -> AttackLuck:
    chances: Counter[str] = Counter()
    for row in group:
        chances.update(row.chances)
    return luck_of(group[0].who, group[0].name, sum(row.hits for row in group), chances)


class CountingFight(NamedTuple):
    encounter: UUID


class LeftOutCount(NamedTuple):
    forks: int
    others: int


class CampaignFights(NamedTuple):
    counting: list[UUID]
    forks: int
    others: int


# A what-if shares its past with a fight that already counts.
_COUNTING = (
    "SELECT f.encounter FROM encounters f JOIN scope s USING (encounter) WHERE f.parent IS NULL"
    " ORDER BY f.begun, f.encounter"
)
_LEFT_OUT = (
    "SELECT count(*) FILTER (WHERE parent IS NOT NULL) AS forks,"
    " count(*) FILTER (WHERE parent IS NULL AND encounter NOT IN (SELECT encounter FROM scope)) AS others"
    " FROM encounters WHERE campaign = %(campaign)s"
)


def fights_of(ledger: LedgerStore, scope: StatisticScope) -> CampaignFights:
    """The fights, in the order in which they began. Fights outside the scope do not count."""
    with current_session(ledger) as session, reading(session.conn, seconds=SECONDS) as cursor:
        check_campaign(cursor, scope.campaign)
        counting = fetch(cursor, CountingFight, f"WITH {scope.sql()} {_COUNTING}", scope.parameters())
        (left_out,) = fetch(cursor, LeftOutCount, f"WITH {scope.sql()} {_LEFT_OUT}", scope.parameters())
    return CampaignFights([row.encounter for row in counting], left_out.forks, left_out.others)
