"""Figures of one fight, event by event."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from psycopg import Cursor

from ledger.errors import Problem
from ledger.events import Run
from projections.order import Order
from projections.plots.style import colours, drawing, legend, markers
from projections.readmodels.reading import Row, fetch
from projections.statistics.scope import Scope

_ONE = "encounter = ANY(%(encounters)s)"
_STANDING = f"{_ONE} AND (NOT undone OR %(undone)s)"


class Fought(NamedTuple):
    name: str
    seq: int


class PoolChange(NamedTuple):
    target: str
    pool: str
    seq: int
    amount: int
    remaining: int
    is_damage: bool


class Correction(NamedTuple):
    seq: int
    places: list[int]


class Mark(NamedTuple):
    who: str
    seq: int
    what: str


class Round(NamedTuple):
    round: int
    seq: int


_FIGHT = f"SELECT name, seq FROM encounters WHERE {_ONE}"  # noqa: S608

_POOLS = f"""
SELECT target, pool, seq, amount, remaining, true AS is_damage FROM damage WHERE {_STANDING}
UNION ALL SELECT target, pool, seq, amount, remaining, false FROM healing WHERE {_STANDING}
UNION ALL SELECT target, pool, seq, change, remaining, false FROM rulings WHERE {_STANDING}
ORDER BY 1, 2, 3"""  # noqa: S608

_MARKS = f"""
SELECT actor AS who, seq, 'declares' AS what FROM declarations WHERE {_STANDING} AND actor <> 'gm'
UNION ALL SELECT attacker, seq, CASE WHEN hit THEN 'hits' ELSE 'misses' END FROM attacks WHERE {_STANDING}
UNION ALL SELECT reactor, seq, 'reacts' FROM reactions WHERE {_STANDING} AND outcome = 'used'
UNION ALL SELECT target, seq, 'is hurt' FROM damage WHERE {_STANDING}
UNION ALL SELECT target, seq, 'is healed' FROM healing WHERE {_STANDING}
ORDER BY 1, 2"""  # noqa: S608

_CORRECTIONS = f"SELECT seq, places FROM corrections WHERE {_ONE} ORDER BY seq"  # noqa: S608

_ROUNDS = f"SELECT round, min(seq) AS seq FROM declarations WHERE {_STANDING} AND round > 0 GROUP BY 1 ORDER BY 1"  # noqa: S608


def hit_points(cursor: Cursor[Any], scope: Scope, path: Path) -> None:
    """Every pool over time, with a mark at each event that changed it."""
    fight = _ask(cursor, scope, Fought, _FIGHT)[0]
    when = _moments(cursor, scope, fight.seq)
    changes = sorted(_ask(cursor, scope, PoolChange, _POOLS), key=lambda change: when[change.seq])
    lines: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for change in changes:
        line = lines[f"{change.target} {change.pool}"]
        if not line:
            line.append((1, change.remaining + (change.amount if change.is_damage else -change.amount)))
        line.append((when[change.seq], change.remaining))
    with drawing(path, f"Hit points over time: {fight.name}") as axes:
        for name, line in lines.items():
            _step(axes, name, [*line, (fight.seq, line[-1][1])], list(lines))
        _mark_rounds(axes, cursor, scope, when)
        axes.set(xlabel="event (R: round)", ylabel="points left", xlim=(0, fight.seq + 1))
        axes.set_ylim(bottom=-0.3)  # so that marks at 0 are not cut off
        axes.yaxis.get_major_locator().set_params(integer=True)
        legend(axes)


def _step(axes: Any, name: str, line: list[tuple[int, int]], names: list[str]) -> None:
    colour, marker = colours(names)[name], markers(names)[name]
    places = list(range(1, len(line) - 1))  # the events, without the beginning and the end
    at, left = zip(*line, strict=True)
    axes.step(at, left, where="post", color=colour, marker=marker, markevery=places, label=name, linewidth=2)


def timeline(cursor: Cursor[Any], scope: Scope, path: Path) -> None:
    """Who did what when: a row for each combatant."""
    rows = _ask(cursor, scope, Mark, _MARKS)
    name, last = _ask(cursor, scope, Fought, _FIGHT)[0]
    when = _moments(cursor, scope, last)
    people = list(dict.fromkeys(mark.who for mark in rows))
    sorts = ["declares", "hits", "misses", "reacts", "is hurt", "is healed"]
    with drawing(path, f"Timeline: {name}", size=(10, 1.8 + 0.6 * len(people))) as axes:
        for sort in sorts:
            marks = [(when[mark.seq], people.index(mark.who)) for mark in rows if mark.what == sort]
            if marks:
                at, rank = zip(*marks, strict=True)
                axes.scatter(at, rank, color=colours(sorts)[sort], marker=markers(sorts)[sort], label=sort, zorder=3)
        axes.set_yticks(range(len(people)), people, parse_math=False)
        axes.set_ylim(len(people) - 0.5, -0.5)
        axes.grid(axis="y", alpha=0.3)
        axes.set_xlabel("event (R: round)")
        _mark_rounds(axes, cursor, scope, when)
        legend(axes)


def _moments(cursor: Cursor[Any], scope: Scope, last: int) -> dict[int, int]:
    """When each event happened in the fight: its number, unless a correction placed events before others."""
    order = Order()
    for seq, places in fetch(cursor, Correction, _CORRECTIONS, scope.parameters()):
        runs = zip(places[::3], places[1::3], places[2::3], strict=True)
        order.add([Run(first=first, last=end, after=after) for first, end, after in runs], seq)
    return {seq: at for at, seq in enumerate(sorted(range(1, last + 1), key=order.of), 1)}


def _mark_rounds(axes: Any, cursor: Cursor[Any], scope: Scope, when: dict[int, int]) -> None:
    rounds = fetch(cursor, Round, _ROUNDS, scope.parameters())
    for number, first in rounds[:: 1 + len(rounds) // 15]:
        seq = when[first]
        axes.axvline(seq, color="#999999", linewidth=1, linestyle=":")
        place = {"xycoords": ("data", "axes fraction"), "xytext": (2, -9), "textcoords": "offset points"}
        axes.annotate(f"R{number}", (seq, 1), fontsize=8, color="#555555", **place)


def _ask(cursor: Cursor[Any], scope: Scope, row: type[Row], sql: str) -> list[Row]:
    rows = fetch(cursor, row, sql, scope.parameters())
    if not rows:
        raise Problem("plot/nothing", "There is nothing to draw; choose another fight or another figure.")
    return rows
