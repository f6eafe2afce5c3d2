"""What all figures share: the tables and fights they are drawn from, looks that differ in colour and in grey, and
labels.
"""

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
"""After a table of facts `f`: the rows that count, of the fights that were asked for."""


class NamedCombatant(NamedTuple):
    combatant: str
    name: str


@dataclass(frozen=True, slots=True)
class FigureQuery:
    cursor: Cursor[Any]
    scope: StatisticScope

    def rows(self, row: type[Row], sql: str) -> list[Row]:
        """Made of the figures' own constants; what a person gave is in the parameters."""
        return fetch(self.cursor, row, f"WITH {self.scope.sql()} {sql}", self.scope.parameters())

    def some(self, row: type[Row], sql: str) -> list[Row]:
        """The same, where a figure without any would be empty."""
        rows = self.rows(row, sql)
        if not rows:
            raise nothing_to_draw()
        return rows

    def names(self) -> DisplayNames:
        sql = "SELECT c.combatant, max(c.name) AS name FROM combatants c JOIN scope s USING (encounter) GROUP BY 1"
        return DisplayNames({row.combatant: clean(row.name) for row in self.rows(NamedCombatant, sql)})


@dataclass(frozen=True, slots=True)
class FigureFromLedger:
    """A figure that takes more than the tables have. The ledger can be read when the tables are done with."""

    draw: Callable[[LedgerStore], Any]


class DisplayNames(dict[str, str]):
    """Combatants as people call them."""

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
"""Characters in a line of a label; longer names take several lines, so that none is cut off."""
LINE_HEIGHT = 0.17
"""Inches that a line of a label takes."""


class FigureLook(NamedTuple):
    colour: str
    marker: str
    line: str
    hatch: str


def looks(names: Sequence[str]) -> dict[str, FigureLook]:
    """A look for each name.

    Colour, marker and line change at different paces, so that a look comes again only after hundreds of names, and the
    markers alone tell thirteen apart where there are no colours.
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
    """Write a figure to a file, the same one each time. Text stays text, which can be searched and read aloud."""
    from matplotlib import rc_context

    with rc_context({"svg.fonttype": "none", "svg.hashsalt": salt}), _any_letters():
        figure.savefig(file, format=form, dpi=DOTS_PER_INCH, metadata={"Date": None} if form == "svg" else None)


INK = "#010203"
"""Drawn in this colour, a page's figure has the colour of the text around it, on light paper and on dark."""


def inline_svg(figure: Any, salt: str) -> str:
    """A figure as part of a page: without a background, and in the colour of the text. Ids differ by the salt."""
    figure.patch.set_visible(False)
    for axes in figure.axes:
        axes.patch.set_visible(False)
        _use_ink(axes)
    file = StringIO()
    save(figure, file, "svg", salt=salt)
    svg = file.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)  # of a group, which nothing refers to, and the same in every figure
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
    """A name may have letters that matplotlib's font lacks: an SVG's viewer has them, and a PNG shows boxes."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support")
        yield


def rows_size(names: Sequence[str], *, width: float = 9, row: float = 0.36) -> tuple[float, float]:
    """The size of a figure with a row for each name, high enough for every label."""
    heights = [max(row, LINE_HEIGHT * (1 + label(name).count("\n"))) for name in names]
    return width, 1.7 + len(heights) * max(heights, default=row)


def name_rows(axes: Any, names: Sequence[str]) -> None:
    """A row for each name, the first one on top."""
    axes.set_yticks(range(len(names)), [label(name) for name in names], parse_math=False)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def whole_numbers(axis: Any) -> None:
    """Ticks at whole numbers only: nobody hits two and a half times."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def percentages(axes: Any) -> None:
    """A rate is always shown on the whole scale, so that figures can be compared."""
    axes.set_xlim(0, 100)
    axes.set_xticks(range(0, 101, 20), [f"{percent} %" for percent in range(0, 101, 20)])


def legend(axes: Any) -> None:
    """A legend beside the figure, where it hides nothing; in columns if there are many."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        columns = 1 + len(handles) // 28
        drawn = axes.legend(
            handles, labels, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, ncols=columns, handlelength=3.2
        )
        for text in drawn.get_texts():
            text.set_parse_math(False)
