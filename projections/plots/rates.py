"""Figures of rates, on a scale from 0 to 100 %: how often attacks hit, and how often they should have."""

from __future__ import annotations

from typing import Any, NamedTuple

from projections.analytics_names import By
from projections.plots.asking import IN_SCOPE, Asked, nothing
from projections.plots.style import PALETTE, legend, name_rows, new_figure, percentages, rows_size, titled_axes
from projections.statistics.chance import tallies
from projections.statistics.fairness import interval


class HitRate(NamedTuple):
    attacker: str
    attacks: int
    hits: int


_HITS = (
    "SELECT f.attacker, count(*) AS attacks, count(*) FILTER (WHERE f.hit) AS hits"  # noqa: S608
    f" FROM attacks f {IN_SCOPE} GROUP BY 1 ORDER BY count(*) FILTER (WHERE f.hit)::numeric / count(*) DESC, 1"
)


def hits(asked: Asked) -> Any:
    """The share of attacks that hit, with the numbers beside it: 1 of 1 is no better than 9 of 10."""
    rows, names = asked.some(HitRate, _HITS), asked.names()
    people = [names[row.attacker] for row in rows]
    figure = new_figure(rows_size(people))
    axes = titled_axes(figure, "Attacks that hit")
    axes.barh(range(len(rows)), [100 * row.hits / row.attacks for row in rows], height=0.7, color=PALETTE[0])
    for place, row in enumerate(rows):
        beside = {"xytext": (4, 0), "textcoords": "offset points", "va": "center", "annotation_clip": False}
        axes.annotate(f"{row.hits} of {row.attacks}", (100 * row.hits / row.attacks, place), **beside)
    name_rows(axes, people)
    percentages(axes)
    axes.set_xlabel("attacks that hit")
    return figure


def luck(asked: Asked) -> Any:
    """Each combatant's hits beside those that 95 % of fair dice give for the same attacks."""
    found = {who: tally for who, tally in sorted(tallies(asked.cursor, asked.scope, By.ACTOR).items()) if tally.chances}
    if not found:
        raise nothing()
    names = asked.names()
    people = [names[who] for who in found]
    figure = new_figure(rows_size(people))
    axes = titled_axes(figure, "Hits compared with chance")
    for place, tally in enumerate(found.values()):
        attacks = sum(number for _, number in tally.chances)
        low, expected, high = (100 * hits / attacks for hits in interval(tally.chances))
        said = place == 0
        band = {"color": "#BBBBBB", "label": "95 % of fair dice" if said else None}
        axes.barh(place, high - low, left=low, height=0.5, zorder=1, **band)
        axes.plot([expected] * 2, [place - 0.25, place + 0.25], color="black", label="expected" if said else None)
        shown = {"c": [PALETTE[1]], "edgecolors": "black", "marker": "D", "label": "hits" if said else None}
        axes.scatter([100 * tally.hits / attacks], [place], clip_on=False, zorder=3, **shown)
    name_rows(
        axes, [f"{name} ({sum(n for _, n in t.chances)})" for name, t in zip(people, found.values(), strict=True)]
    )
    percentages(axes)
    axes.set_xlabel("attacks that hit (number of attacks in parentheses)")
    legend(axes)
    return figure
