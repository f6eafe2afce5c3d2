"""The figures. The table at the end names them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from psycopg import Cursor

from ledger.errors import Problem
from ledger.store import Ledger
from projections.analytics_names import Figure, Statistic
from projections.plots.fight import hit_points, timeline
from projections.plots.style import PALETTE, check_file, colours, drawing, legend
from projections.readmodels.reading import Row, fetch, reading
from projections.readmodels.session import current_session
from projections.statistics.scope import Scope

Draw = Callable[[Cursor[Any], Scope, Path], None]


class Dealt(NamedTuple):
    actor: str
    round: int
    amount: int


class Face(NamedTuple):
    sides: int
    value: int
    number: int


class Arrivals(NamedTuple):
    x: int
    y: int
    number: int


SECONDS = 60.0


def draw(ledger: Ledger, figure: Figure, scope: Scope, path: Path) -> None:
    """Draw a figure into a file, from what is recorded until now."""
    check_file(path)
    if figure in OF_ONE_FIGHT and len(scope.encounters) != 1:
        raise Problem(
            "plot/one-fight", f"The figure {figure.value} shows one fight; name the encounter.", figure=figure.value
        )
    with current_session(ledger) as session, reading(session.conn, seconds=SECONDS) as cursor:
        FIGURES[figure](cursor, scope, path)


def ask(cursor: Cursor[Any], scope: Scope, row: type[Row], sql: str) -> list[Row]:
    rows = fetch(cursor, row, f"WITH {scope.sql()} {sql}", scope.parameters())
    if not rows:
        raise Problem("plot/nothing", "There is nothing to draw; choose other fights or another figure.")
    return rows


def damage_per_round(cursor: Cursor[Any], scope: Scope, path: Path) -> None:
    rows = ask(
        cursor,
        scope,
        Dealt,
        "SELECT coalesce(f.actor, 'nobody') AS actor, f.round, sum(f.amount)::bigint AS amount"
        " FROM damage f JOIN scope s USING (encounter)"
        " WHERE (NOT f.undone OR %(undone)s) GROUP BY 1, 2 ORDER BY 1, 2",
    )
    dealt: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for row in rows:
        dealt[row.actor][row.round] = row.amount
    rounds = sorted({row.round for row in rows})
    with drawing(path, "Damage per round") as axes:
        _stack(axes, rounds, dealt)
        axes.set(xlabel="round", ylabel="damage dealt")
        axes.set_xticks(rounds[:: 1 + len(rounds) // 20])
        legend(axes)


def _stack(axes: Any, rounds: list[int], dealt: dict[str, dict[int, int]]) -> None:
    base = [0] * len(rounds)
    for actor, colour in colours(list(dealt)).items():
        amounts = [dealt[actor].get(number, 0) for number in rounds]
        axes.bar(rounds, amounts, bottom=base, label=actor, color=colour, edgecolor="white")
        base = [one + more for one, more in zip(base, amounts, strict=True)]


def dice_histogram(cursor: Cursor[Any], scope: Scope, path: Path) -> None:
    """The die that was rolled most often, compared with a fair one."""
    rows = ask(
        cursor,
        scope,
        Face,
        "SELECT f.sides, f.value, count(*) AS number FROM dice f JOIN scope s USING (encounter)"
        " WHERE f.sides IS NOT NULL AND (NOT f.undone OR %(undone)s) GROUP BY 1, 2",
    )
    counts: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for face in rows:
        counts[face.sides][face.value] = face.number
    sides = max(counts, key=lambda die: sum(counts[die].values()))
    with drawing(path, f"d{sides}, rolled {sum(counts[sides].values())} times") as axes:
        _histogram(axes, sides, counts[sides])
        legend(axes)


def _histogram(axes: Any, sides: int, counts: dict[int, int]) -> None:
    rolled = sum(counts.values())
    fair, spread = rolled / sides, 1.96 * (rolled / sides * (1 - 1 / sides)) ** 0.5
    faces = range(1, sides + 1)
    axes.bar(faces, [counts.get(face, 0) for face in faces], color=PALETTE[0], label="rolled", zorder=2)
    axes.axhline(fair, color=PALETTE[1], linewidth=2, label="a fair die", zorder=3)
    axes.axhspan(max(0, fair - spread), fair + spread, color=PALETTE[1], alpha=0.2, label="95 % of fair dice")
    axes.set(xlabel="face", ylabel="times")
    axes.set_xticks(list(faces)[:: 1 + sides // 25])


def heat_map(cursor: Cursor[Any], scope: Scope, path: Path) -> None:
    """How often somebody moved to each square."""
    rows = ask(
        cursor,
        scope,
        Arrivals,
        "SELECT f.to_x AS x, f.to_y AS y, count(*) AS number FROM moves f JOIN scope s USING (encounter)"
        " WHERE (NOT f.undone OR %(undone)s) GROUP BY 1, 2",
    )
    width, height = max(row.x for row in rows) + 1, max(row.y for row in rows) + 1
    grid = [[0] * width for _ in range(height)]
    for row in rows:
        grid[row.y][row.x] = row.number
    with drawing(path, "Where people moved to", size=(8, 6)) as axes:
        image = axes.imshow(grid, cmap="cividis", origin="upper", vmin=0)
        axes.set(xlabel="column", ylabel="row")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.yaxis.get_major_locator().set_params(integer=True)
        bar = axes.figure.colorbar(image, ax=axes, label="arrivals", shrink=0.6)
        bar.ax.yaxis.get_major_locator().set_params(integer=True)


FIGURES: dict[Figure, Draw] = {
    Figure.DAMAGE: damage_per_round,
    Figure.HIT_POINTS: hit_points,
    Figure.DICE: dice_histogram,
    Figure.TIMELINE: timeline,
    Figure.HEAT_MAP: heat_map,
}

OF_ONE_FIGHT = {Figure.HIT_POINTS, Figure.TIMELINE}

SUITS = {
    Statistic.DAMAGE: Figure.DAMAGE,
    Statistic.HITS: Figure.DAMAGE,
    Statistic.ROLLS: Figure.DICE,
    Statistic.LUCK: Figure.DICE,
    Statistic.TURNS: Figure.TIMELINE,
    Statistic.REACTIONS: Figure.TIMELINE,
    Statistic.CONDITIONS: Figure.HIT_POINTS,
    Statistic.CORRECTIONS: Figure.TIMELINE,
    Statistic.ECONOMY: Figure.TIMELINE,
}
"""The figure for a statistic when no figure is named."""
