"""Figures of one fight, event by event: pools, the timeline, and the balance as the report has it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ledger.events import Run
from projections.battle.timeline import EventOrder
from projections.plots.figure_basics import (
    IN_SCOPE,
    FigureLook,
    FigureQuery,
    label,
    legend,
    looks,
    name_rows,
    new_figure,
    rows_size,
    titled_axes,
    whole_numbers,
)
from projections.report.models import BalancePoint
from projections.story.phrases import name_of
from projections.story.text import clean

PoolPoints = list[tuple[int, int]]
"""What was left in a pool, by when it changed. The first entry is the beginning, the last one the end."""


class FightName(NamedTuple):
    name: str
    seq: int


class PoolChange(NamedTuple):
    target: str
    pool: str
    seq: int
    amount: int
    remaining: int
    is_damage: bool


class CorrectionMark(NamedTuple):
    seq: int
    places: list[int]


class TimelineMark(NamedTuple):
    who: str
    seq: int
    what: str


class RoundStart(NamedTuple):
    round: int
    seq: int


_FIGHT = "SELECT f.name, f.seq FROM encounters f JOIN scope s USING (encounter)"

_POOLS = f"""
SELECT target, pool, seq, amount, remaining, true AS is_damage FROM damage f {IN_SCOPE}
UNION ALL SELECT target, pool, seq, amount, remaining, false FROM healing f {IN_SCOPE}
UNION ALL SELECT target, pool, seq, change, remaining, false FROM rulings f {IN_SCOPE}
ORDER BY 1, 2, 3"""  # noqa: S608

_MARKS = f"""
SELECT actor AS who, seq, 'declares' AS what FROM declarations f {IN_SCOPE} AND actor <> 'gm'
UNION ALL SELECT attacker, seq, CASE WHEN hit THEN 'hits' ELSE 'misses' END FROM attacks f {IN_SCOPE}
UNION ALL SELECT reactor, seq, 'reacts' FROM reactions f {IN_SCOPE} AND outcome = 'used'
UNION ALL SELECT target, seq, 'is hurt' FROM damage f {IN_SCOPE}
UNION ALL SELECT target, seq, 'is healed' FROM healing f {IN_SCOPE}
ORDER BY 1, 2"""  # noqa: S608

_CORRECTIONS = "SELECT f.seq, f.places FROM corrections f JOIN scope s USING (encounter) ORDER BY f.seq"

_ROUNDS = f"SELECT f.round, min(f.seq) AS seq FROM declarations f {IN_SCOPE} AND f.round > 0 GROUP BY 1 ORDER BY 1"  # noqa: S608

_SORTS = ("declares", "hits", "misses", "reacts", "is hurt", "is healed")


def hit_points(asked: FigureQuery) -> Any:
    """Every pool over time, with a mark at each event that changed it."""
    fight = asked.some(FightName, _FIGHT)[0]
    when = _moments(asked, fight.seq)
    changes = sorted(asked.some(PoolChange, _POOLS), key=lambda change: when[change.seq])
    people = asked.names()
    lines: defaultdict[str, PoolPoints] = defaultdict(list)
    for change in changes:
        line = lines[f"{people[change.target]} {name_of(change.pool)}"]
        if not line:
            line.append((1, change.remaining + (change.amount if change.is_damage else -change.amount)))
        line.append((when[change.seq], change.remaining))
    for line in lines.values():
        line.append((fight.seq, line[-1][1]))
    return draw_pools(f"Hit points over time: {clean(fight.name)}", lines, _rounds(asked, when), fight.seq)


def draw_pools(title: str, lines: Mapping[str, PoolPoints], rounds: Mapping[int, int], end: int) -> Any:
    """A line for each pool; `rounds` says when each round began."""
    figure = new_figure((10, max(5.0, 1.5 + 0.24 * len(lines))))
    axes = titled_axes(figure, title)
    for name, look in looks(list(lines)).items():
        _step(axes, name, lines[name], look)
    mark_rounds(axes, rounds)
    axes.set(xlabel="event (R: round)", ylabel="points left", xlim=(0, end + 1))
    most = max((left for line in lines.values() for _, left in line), default=1)
    axes.set_ylim(-0.02 * most - 0.2, 1.06 * most)  # keeps marks at 0 and lines at the top from being cut off
    whole_numbers(axes.yaxis)
    whole_numbers(axes.xaxis)
    legend(axes)
    return figure


def _step(axes: Any, name: str, line: PoolPoints, look: FigureLook) -> None:
    places = list(range(1, len(line) - 1))  # the events, without the beginning and the end
    at, left = zip(*line, strict=True)
    style = {"color": look.colour, "marker": look.marker, "linestyle": look.line, "linewidth": 1.8, "markersize": 6}
    axes.step(at, left, where="post", markevery=places, label=label(name), **style)


def timeline(asked: FigureQuery) -> Any:
    """Who did what and when: a row for each combatant."""
    marks = asked.some(TimelineMark, _MARKS)
    name, last = asked.some(FightName, _FIGHT)[0]
    when, names = _moments(asked, last), asked.names()
    people = list(dict.fromkeys(mark.who for mark in marks))
    shown = [names[who] for who in people]
    figure = new_figure(rows_size(shown, width=min(22.0, 9 + last / 100), row=0.5))
    axes = titled_axes(figure, f"Timeline: {clean(name)}")
    for sort, look in looks(_SORTS).items():
        places = [(when[mark.seq], people.index(mark.who)) for mark in marks if mark.what == sort]
        if places:
            at, rank = zip(*places, strict=True)
            axes.scatter(at, rank, color=look.colour, marker=look.marker, label=sort, s=30, zorder=3)
    name_rows(axes, shown)
    axes.grid(axis="y", alpha=0.3)
    axes.set_xlabel("event (R: round)")
    whole_numbers(axes.xaxis)
    mark_rounds(axes, _rounds(asked, when))
    legend(axes)
    return figure


def mark_rounds(axes: Any, rounds: Mapping[int, int]) -> None:
    for number, at in list(rounds.items())[:: 1 + len(rounds) // 15]:
        axes.axvline(at, color="#999999", linewidth=1, linestyle=":", zorder=0)
        place = {"xycoords": ("data", "axes fraction"), "xytext": (2, -9), "textcoords": "offset points"}
        axes.annotate(f"R{number}", (at, 1), fontsize=8, color="#555555", **place)


def _rounds(asked: FigureQuery, when: Mapping[int, int]) -> dict[int, int]:
    return {row.round: when[row.seq] for row in asked.rows(RoundStart, _ROUNDS)}


def _moments(asked: FigureQuery, last: int) -> dict[int, int]:
    """The position of each event in the fight: its number, unless a correction placed events earlier."""
    order = EventOrder()
    for seq, places in asked.rows(CorrectionMark, _CORRECTIONS):
        order.add(_runs(places), seq)
    return {seq: at for at, seq in enumerate(sorted(range(1, last + 1), key=order.of), 1)}


def _runs(places: Sequence[int]) -> list[Run]:
    runs = zip(places[::3], places[1::3], places[2::3], strict=True)
    return [Run(first=first, last=last, after=after) for first, last, after in runs]


def draw_balance(title: str, balance: Sequence[BalancePoint], rounds: Mapping[int, int], end: int) -> Any:
    """A line for each side, from 0 to 100 % of all points left."""
    figure = new_figure((10, 3.6))
    axes = titled_axes(figure, title)
    sides = list(dict.fromkeys(side for point in balance for side in point.shares))
    at = [*(point.at for point in balance), end]
    for side, look in looks(sides).items():
        shares = [100 * point.shares.get(side, 0.0) for point in balance]
        style = {"color": look.colour, "linestyle": look.line, "linewidth": 2.2}
        axes.step(at, [*shares, shares[-1]], where="post", label=label(clean(side)), **style)
    mark_rounds(axes, rounds)
    axes.set(xlabel="event (R: round)", ylabel="share of all points left", ylim=(0, 100), xlim=(0, end + 1))
    axes.set_yticks(range(0, 101, 20), [f"{percent} %" for percent in range(0, 101, 20)])
    whole_numbers(axes.xaxis)
    legend(axes)
    return figure
