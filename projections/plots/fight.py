"""Figures of one fight, event by event."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from psycopg import Cursor

from ledger.errors import Problem
from projections.plots.style import colours, drawing, legend, markers
from projections.statistics.scope import Scope

_STANDING = "encounter = %(encounter)s AND (NOT undone OR %(undone)s)"

_POOLS = f"""
SELECT target, pool, seq, amount, remaining, true FROM damage WHERE {_STANDING}
UNION ALL SELECT target, pool, seq, amount, remaining, false FROM healing WHERE {_STANDING}
ORDER BY 1, 2, 3"""  # noqa: S608

_MARKS = f"""
SELECT actor, seq, 'declares' FROM declarations WHERE {_STANDING} AND actor <> 'gm'
UNION ALL SELECT attacker, seq, CASE WHEN hit THEN 'hits' ELSE 'misses' END FROM attacks WHERE {_STANDING}
UNION ALL SELECT reactor, seq, 'reacts' FROM reactions WHERE {_STANDING} AND outcome = 'used'
UNION ALL SELECT target, seq, 'is hurt' FROM damage WHERE {_STANDING}
UNION ALL SELECT target, seq, 'is healed' FROM healing WHERE {_STANDING}
ORDER BY 1, 2"""  # noqa: S608

_ROUNDS = f"SELECT round, min(seq) FROM declarations WHERE {_STANDING} AND round > 0 GROUP BY 1 ORDER BY 1"  # noqa: S608


def hit_points(cursor: Cursor[tuple[Any, ...]], scope: Scope, path: Path) -> None:
    """Every pool over time, with a mark at each event that changed it."""
    rows = _ask(cursor, scope, _POOLS)
    last = _ask(cursor, scope, "SELECT seq, name FROM encounters WHERE encounter = %(encounter)s")[0]
    lines: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for target, pool, seq, amount, remaining, is_damage in rows:
        line = lines[f"{target} {pool}"]
        if not line:
            line.append((1, remaining + amount if is_damage else remaining - amount))
        line.append((seq, remaining))
    with drawing(path, f"Hit points over time: {last[1]}") as axes:
        for name, line in lines.items():
            _step(axes, name, [*line, (last[0], line[-1][1])], list(lines))
        _mark_rounds(axes, cursor, scope)
        axes.set(xlabel="event (R: round)", ylabel="points left", xlim=(0, last[0] + 1))
        axes.set_ylim(bottom=-0.3)  # so that marks at 0 are not cut off
        axes.yaxis.get_major_locator().set_params(integer=True)
        legend(axes)


def _step(axes: Any, name: str, line: list[tuple[int, int]], names: list[str]) -> None:
    colour, marker = colours(names)[name], markers(names)[name]
    places = list(range(1, len(line) - 1))  # the events, without the beginning and the end
    at, left = zip(*line, strict=True)
    axes.step(at, left, where="post", color=colour, marker=marker, markevery=places, label=name, linewidth=2)


def timeline(cursor: Cursor[tuple[Any, ...]], scope: Scope, path: Path) -> None:
    """Who did what when: a row for each combatant."""
    rows = _ask(cursor, scope, _MARKS)
    name = _ask(cursor, scope, "SELECT name FROM encounters WHERE encounter = %(encounter)s")[0][0]
    people = list(dict.fromkeys(row[0] for row in rows))
    sorts = ["declares", "hits", "misses", "reacts", "is hurt", "is healed"]
    with drawing(path, f"Timeline: {name}", size=(10, 1.8 + 0.6 * len(people))) as axes:
        for sort in sorts:
            marks = [(seq, people.index(who)) for who, seq, what in rows if what == sort]
            if marks:
                at, rank = zip(*marks, strict=True)
                axes.scatter(at, rank, color=colours(sorts)[sort], marker=markers(sorts)[sort], label=sort, zorder=3)
        axes.set_yticks(range(len(people)), people, parse_math=False)
        axes.set_ylim(len(people) - 0.5, -0.5)
        axes.grid(axis="y", alpha=0.3)
        axes.set_xlabel("event (R: round)")
        _mark_rounds(axes, cursor, scope)
        legend(axes)


def _mark_rounds(axes: Any, cursor: Cursor[tuple[Any, ...]], scope: Scope) -> None:
    cursor.execute(_ROUNDS, scope.parameters())
    rounds = cursor.fetchall()
    for number, seq in rounds[:: 1 + len(rounds) // 15]:
        axes.axvline(seq, color="#999999", linewidth=1, linestyle=":")
        place = {"xycoords": ("data", "axes fraction"), "xytext": (2, -9), "textcoords": "offset points"}
        axes.annotate(f"R{number}", (seq, 1), fontsize=8, color="#555555", **place)


def _ask(cursor: Cursor[tuple[Any, ...]], scope: Scope, sql: str) -> list[tuple[Any, ...]]:
    cursor.execute(sql, scope.parameters())
    rows = cursor.fetchall()
    if not rows:
        raise Problem("plot/nothing", "There is nothing to draw; choose another fight or another figure.")
    return rows
