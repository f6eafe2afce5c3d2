"""The report of a campaign: the reports of its fights, added up.

A character is one if its name is the same, upper or lower case, on the same side: Rurik may be `rurik` in one fight and
`rurik-2` in another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from projections.report.balance import MOST
from projections.report.luck import luck_of
from projections.report.models import CampaignReport, FightLine, FightReport, Luck, Share, Worth

Row = TypeVar("Row", Share, Worth, Luck)
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


def _shares(reports: Sequence[FightReport]) -> list[Share]:
    rows = (row for report in reports for row in report.shares)
    groups = _grouped(rows, lambda row: (row.name.casefold(), row.side))
    return [group[0].model_copy(update=_sums(group, _SUMMED, pools={}, in_the_fight=False)) for group in groups]


def _reactions(reports: Sequence[FightReport]) -> list[Worth]:
    rows = (row for report in reports for row in report.reactions)
    groups = _grouped(rows, lambda row: (row.name.casefold(), row.reaction))
    return [group[0].model_copy(update=_sums(group, _COUNTED)) for group in groups]


def _sums(group: Sequence[Share | Worth], fields: Sequence[str], **others: object) -> dict[str, object]:
    return {field: sum(getattr(row, field) for row in group) for field in fields} | others


def _luck(reports: Sequence[FightReport]) -> list[Luck]:
    groups = _grouped((row for report in reports for row in report.luck), lambda row: (row.name.casefold(),))
    return [_luck_of(group) for group in groups]


def _luck_of(group: Sequence[Luck]) -> Luck:
    chances: Counter[str] = Counter()
    for row in group:
        chances.update(row.chances)
    return luck_of(group[0].who, group[0].name, sum(row.hits for row in group), chances)
