"""The map of a fight with its walls, and how often combatants moved to each square.

A combatant that takes up several squares moves to all of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple
from uuid import UUID

from ledger.errors import Problem
from ledger.events import CombatantJoined, EncounterOpened, Position
from ledger.registry import stored_names
from ledger.store.ledger import LedgerStore
from projections.battle.clock_and_map import DIFFICULT, WALL, covered, footprint
from projections.plots.figure_basics import (
    IN_SCOPE,
    FigureFromLedger,
    FigureQuery,
    new_figure,
    set_title,
    whole_numbers,
)
from projections.story.text import clean

MOST_MAPS = 9
"""With more panels, the squares would be too small to see."""
MARGIN = 2
"""Margin in squares around those that were moved to, if the fight has no map."""
WIDEST_WITH_NUMBERS = 40


class SquareArrivals(NamedTuple):
    encounter: UUID
    name: str
    mover: str
    x: int
    y: int
    number: int


_ARRIVALS = (
    "SELECT f.encounter, e.name, f.mover, f.to_x AS x, f.to_y AS y, count(*) AS number"  # noqa: S608
    f" FROM moves f JOIN encounters e USING (encounter) {IN_SCOPE} GROUP BY 1, 2, 3, 4, 5, e.begun ORDER BY e.begun, 1"
)
Moves = Sequence[SquareArrivals]


def heat_map(asked: FigureQuery) -> FigureFromLedger:
    """A panel for each fight: overlapping maps would show a place that does not exist."""
    fights: defaultdict[UUID, list[SquareArrivals]] = defaultdict(list)
    for row in asked.some(SquareArrivals, _ARRIVALS):
        fights[row.encounter].append(row)
    _check_number(len(fights))
    names = {encounter: clean(rows[0].name) for encounter, rows in fights.items()}
    return FigureFromLedger(lambda ledger: _panels(ledger, arrivals_of(ledger, fights), names))


def arrivals_of(ledger: LedgerStore, fights: Mapping[UUID, Moves]) -> dict[UUID, dict[Position, int]]:
    """How often each square was moved to, in each fight."""
    return {encounter: _counted(rows, _footprints(ledger, encounter)) for encounter, rows in fights.items()}


def _footprints(ledger: LedgerStore, encounter: UUID) -> dict[str, tuple[int, int]]:
    """The columns and rows that each combatant takes up."""
    joined = ledger.read_kinds(encounter, stored_names([CombatantJoined]))
    return {event.combatant: footprint(event.sheet) for event in joined if isinstance(event, CombatantJoined)}


def _counted(rows: Moves, footprints: Mapping[str, tuple[int, int]]) -> dict[Position, int]:
    arrivals: Counter[Position] = Counter()
    for row in rows:
        for square in covered((row.x, row.y), *footprints.get(row.mover, (1, 1))):
            arrivals[square] += row.number
    return dict(arrivals)


def _panels(ledger: LedgerStore, fights: Mapping[UUID, Mapping[Position, int]], names: Mapping[UUID, str]) -> Any:
    columns = ceil(len(fights) ** 0.5)
    rows = ceil(len(fights) / columns)
    maps = {encounter: map_of(ledger, encounter) for encounter in fights}
    steepest = max(_steepness(maps[encounter], arrivals) for encounter, arrivals in fights.items())
    figure = new_figure(_size(columns, rows, steepest))
    figure.suptitle("Where people moved to", x=0.02, ha="left", fontweight="bold")
    panels = figure.subplots(rows, columns, squeeze=False).flatten()
    most = max(max(arrivals.values()) for arrivals in fights.values())
    for panel, (encounter, arrivals) in zip(panels, fights.items(), strict=False):
        image = _panel(panel, maps[encounter], arrivals, most)
        set_title(panel, names[encounter])
    for panel in panels[len(fights) :]:
        panel.set_axis_off()
    bar = figure.colorbar(image, ax=list(panels), label="arrivals", shrink=0.6)
    whole_numbers(bar.ax.yaxis)
    return figure


def _size(columns: int, rows: int, steepness: float) -> tuple[float, float]:
    """In inches, as high as the maps need: otherwise the heading is too far above them."""
    width = 6.5 if columns < 3 else 14.5 / columns
    return 1.5 + width * columns, 0.8 + rows * (1 + 0.75 * width * steepness)


def _steepness(drawn: Sequence[str] | None, arrivals: Mapping[Position, int]) -> float:
    """The ratio of a map's height to its width, within what can be drawn."""
    left, right, top, bottom = _frame(drawn, arrivals)
    return min(2.0, max(0.25, (bottom - top) / (right - left)))


def _check_number(maps: int) -> None:
    if maps > MOST_MAPS:
        raise Problem(
            "plot/too-many-maps",
            f"These are the maps of {maps} fights, and a figure shows at most {MOST_MAPS}; choose fewer fights.",
            found=maps,
            most=MOST_MAPS,
        )


def map_of(ledger: LedgerStore, encounter: UUID) -> Sequence[str] | None:
    """The map that a fight was opened with, or that of the fight whose past it shares; None if it has no map."""
    events = ledger.read_kinds(encounter, stored_names([EncounterOpened]))
    opened = next(event for event in events if isinstance(event, EncounterOpened))
    return opened.map


def _panel(axes: Any, drawn: Sequence[str] | None, arrivals: Mapping[Position, int], most: int) -> Any:
    left, right, top, bottom = _frame(drawn, arrivals)
    counts = [[arrivals.get((x, y), 0) for x in range(left, right)] for y in range(top, bottom)]
    extent = (left - 0.5, right - 0.5, bottom - 0.5, top - 0.5)
    image = axes.imshow(counts, cmap="Blues", origin="upper", vmin=0, vmax=most * 1.1, extent=extent)
    _terrain(axes, drawn or ())
    if right - left <= WIDEST_WITH_NUMBERS:
        for (x, y), number in arrivals.items():
            colour = "white" if number > most / 2 else "black"
            axes.text(x, y, str(number), ha="center", va="center", color=colour, fontsize=7)
    axes.set(xlabel="column", ylabel="row")
    whole_numbers(axes.xaxis)
    whole_numbers(axes.yaxis)
    return image


def _frame(drawn: Sequence[str] | None, arrivals: Mapping[Position, int]) -> tuple[int, int, int, int]:
    if drawn is not None:
        return 0, len(drawn[0]), 0, len(drawn)
    xs, ys = [x for x, _ in arrivals], [y for _, y in arrivals]
    return max(0, min(xs) - MARGIN), max(xs) + MARGIN + 1, max(0, min(ys) - MARGIN), max(ys) + MARGIN + 1


_LOOKS: dict[str, dict[str, Any]] = {
    WALL: {"gid": "wall", "facecolor": "#555555", "edgecolor": "#DDDDDD", "hatch": "xxxx", "linewidth": 0},
    DIFFICULT: {"gid": "difficult", "facecolor": "none", "edgecolor": "#888888", "hatch": "...", "linewidth": 0},
}
"""Walls are filled and crossed, so that they do not look like busy squares in grey."""


def _terrain(axes: Any, drawn: Sequence[str]) -> None:
    from matplotlib.patches import Rectangle

    for y, row in enumerate(drawn):
        for x, square in enumerate(row):
            if square in _LOOKS:
                axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, **_LOOKS[square]))
