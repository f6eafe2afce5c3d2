"""What all figures share: their tables and fights, styles that differ in colour and in grey, and labels."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from psycopg import Cursor

from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from projections.readmodels.reading import Row, fetch
from projections.statistics.scope import StatisticScope
from projections.story.phrases import who
from projections.story.text import clean

STANDS = "(NOT f.undone OR %(undone)s)"
IN_SCOPE = f"JOIN scope s USING (encounter) WHERE {STANDS}"
"""Follows a table of facts `f`: the rows that count, of the fights asked for."""


class NamedCombatant(NamedTuple):
    combatant: str
    name: str


@dataclass(frozen=True, slots=True)
class FigureQuery:
    cursor: Cursor[Any]
    scope: StatisticScope

    def rows(self, row: type[Row], sql: str) -> list[Row]:
        """Made of the figures' own constants; input from users is in the parameters."""
        return fetch(self.cursor, row, f"WITH {self.scope.sql()} {sql}", self.scope.parameters())

    def some(self, row: type[Row], sql: str) -> list[Row]:
        """The same, but refused where the figure would be empty."""
        rows = self.rows(row, sql)
        if not rows:
            raise nothing_to_draw()
        return rows

    def names(self) -> DisplayNames:
        sql = "SELECT c.combatant, max(c.name) AS name FROM combatants c JOIN scope s USING (encounter) GROUP BY 1"
        return DisplayNames({row.combatant: clean(row.name) for row in self.rows(NamedCombatant, sql)})


@dataclass(frozen=True, slots=True)
class FigureFromLedger:
    """A figure that needs more than the tables. It reads the ledger after the tables are closed."""

    draw: Callable[[LedgerStore], Any]


class DisplayNames(dict[str, str]):
    """The display names of combatants."""

    def __missing__(self, combatant: str) -> str:
        return clean(who(combatant))


def nothing_to_draw() -> Problem:
    return Problem("plot/nothing", "There is nothing to draw; choose other fights or another figure.")


# Okabe and Ito's palette, without its yellow, which is hard to see on white.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", "*", ">", "p", "d", "h")
LINES = ("-", "--", "-.", ":")
HATCHES = ("", "///", "...", "xxx", "\\\\\\", "+++", "ooo")
FORMATS = (".svg", ".png")
DOTS_PER_INCH = 150
LABEL_WIDTH = 24
"""Characters per line of a label. Longer names take several lines, so that none is cut off."""
LINE_HEIGHT = 0.17
"""Height of a line of a label in inches."""


class FigureLook(NamedTuple):
    colour: str
    marker: str
    line: str
    hatch: str


def looks(names: Sequence[str]) -> dict[str, FigureLook]:
    """A style for each name.

    Colour, marker and line cycle at different lengths, so that styles repeat only after hundreds of names. The markers
    alone distinguish thirteen where there are no colours.
    """
    return {name: _look(place) for place, name in enumerate(dict.fromkeys(names))}


def _look(place: int) -> FigureLook:
    cycles: tuple[Sequence[str], ...] = (PALETTE, MARKERS, LINES, HATCHES)
    return FigureLook(*(cycle[place % len(cycle)] for cycle in cycles))


def label(name: str) -> str:
    return "\n".join(wrap(name, LABEL_WIDTH)) or name


def check_file(path: Path) -> None:
    if path.suffix.lower() not in FORMATS:
        raise Problem(
            "plot/format",
            f"{path.name} has to end in .svg or .png.",
            file=str(path),
            available=list(FORMATS),
        )
    if not path.parent.is_dir():
        raise Problem("file/unusable", f"There is no folder {path.parent}.", file=str(path), folder=str(path.parent))


def new_figure(size: tuple[float, float] = (9, 5)) -> Any:
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained")


def titled_axes(figure: Any, title: str) -> Any:
    axes = figure.subplots()
    set_title(axes, title)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def set_title(axes: Any, title: str) -> None:
    axes.set_title("\n".join(wrap(title, 80)), loc="left", fontweight="bold", parse_math=False)


def save(figure: Any, file: Any, form: str, *, salt: str = "combatlog") -> None:
    """Write a figure to a file; the same figure always gives the same file. Text stays text, for searching and
    screen readers."""
    from matplotlib import rc_context

    with rc_context({"svg.fonttype": "none", "svg.hashsalt": salt}), _any_letters():
        figure.savefig(file, format=form, dpi=DOTS_PER_INCH, metadata={"Date": None} if form == "svg" else None)


INK = "#010203"
"""A figure drawn in this colour takes the text colour of its page, light or dark."""


def inline_svg(figure: Any, salt: str) -> str:
    """A figure as part of a page: without a background, and in the colour of the text. The salt makes ids unique."""
    figure.patch.set_visible(False)
    for axes in figure.axes:
        axes.patch.set_visible(False)
        _use_ink(axes)
    file = StringIO()
    save(figure, file, "svg", salt=salt)
    svg = file.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)  # unused, and the same in every figure
    return svg.replace(INK, "currentColor").replace("#000000", "currentColor")


def _use_ink(axes: Any) -> None:
    words = [axes.title, axes.xaxis.label, axes.yaxis.label]
    for loc in ("left", "right"):
        words.append(getattr(axes, f"_{loc}_title"))
    drawn = axes.get_legend()
    for text in [*words, *axes.texts, *(drawn.get_texts() if drawn else [])]:
        text.set_color(INK)
    axes.tick_params(colors=INK)
    for spine in axes.spines.values():
        spine.set_edgecolor(INK)


@contextmanager
def _any_letters() -> Iterator[None]:
    """Allow letters that matplotlib's font lacks: viewers of SVG have them, and a PNG shows boxes."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support")
        yield


def rows_size(names: Sequence[str], *, width: float = 9, row: float = 0.36) -> tuple[float, float]:
    """The size of a figure with a row for each name, with room for every label."""
    heights = [max(row, LINE_HEIGHT * (1 + label(name).count("\n"))) for name in names]
    return width, 1.7 + len(heights) * max(heights, default=row)


def name_rows(axes: Any, names: Sequence[str]) -> None:
    """A row for each name, the first one at the top."""
    axes.set_yticks(range(len(names)), [label(name) for name in names], parse_math=False)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def whole_numbers(axis: Any) -> None:
    """Ticks at whole numbers only: counts have no fractions."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def percentages(axes: Any) -> None:
    """Rates always use the full scale, so that figures can be compared."""
    axes.set_xlim(0, 100)
    axes.set_xticks(range(0, 101, 20), [f"{percent} %" for percent in range(0, 101, 20)])


def legend(axes: Any) -> None:
    """A legend beside the figure, where it covers nothing; in columns if it is long."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        columns = 1 + len(handles) // 28
        drawn = axes.legend(
            handles, labels, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, ncols=columns, handlelength=3.2
        )
        for text in drawn.get_texts():
            text.set_parse_math(False)
