"""What all figures share: colours that people with any colour vision can tell apart, and clear labels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ledger.errors import Problem

# Okabe and Ito's palette, without its yellow, which is hard to see on white.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""Markers tell lines apart as well as colours do."""
FORMATS = (".svg", ".png")


def colours(names: list[str]) -> dict[str, str]:
    return {name: PALETTE[place % len(PALETTE)] for place, name in enumerate(names)}


def markers(names: list[str]) -> dict[str, str]:
    return {name: MARKERS[place % len(MARKERS)] for place, name in enumerate(names)}


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


@contextmanager
def drawing(path: Path, title: str, *, size: tuple[float, float] = (9, 5)) -> Iterator[Any]:
    """Axes to draw on. The figure is saved if nothing went wrong."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots()
    axes.set_title(title, loc="left", fontweight="bold", parse_math=False)
    axes.spines[["top", "right"]].set_visible(False)
    yield axes
    with rc_context({"svg.fonttype": "none"}):  # text stays text, which can be searched and read aloud
        figure.savefig(path, dpi=150)


def legend(axes: Any, *, columns: int = 1) -> None:
    """A legend beside the figure, where it hides nothing."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        drawn = axes.legend(handles, labels, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, ncols=columns)
        for text in drawn.get_texts():
            text.set_parse_math(False)
