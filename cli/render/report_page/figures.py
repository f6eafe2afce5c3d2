"""The figures of a report, as SVG that is part of the page."""

from __future__ import annotations

from projections.phrases import name_of
from projections.plots.balance import draw_balance
from projections.plots.fight import draw_pools
from projections.plots.style import inline_svg
from projections.report.models import CampaignReport, FightReport
from projections.report.page import BALANCE, POOLS
from projections.text import clean


def figures_of(report: FightReport | CampaignReport) -> dict[str, str]:
    """By key. A campaign has none: its fights have different maps, sides and lengths."""
    if isinstance(report, CampaignReport):
        return {}
    end = max([1, *(at for line in report.pools for at, _ in line.points), *(point.at for point in report.balance)])
    found = {}
    if report.balance:
        drawn = draw_balance("Share of all points left", report.balance, report.round_starts, end)
        found[BALANCE] = inline_svg(drawn, BALANCE)
    if report.pools:
        lines = {clean(f"{line.name} {name_of(line.pool)}"): line.points for line in report.pools}
        found[POOLS] = inline_svg(draw_pools("Points left", lines, report.round_starts, end), POOLS)
    return found
