"""What all figures have in common: a palette that people with any colour vision can tell apart, and clear labels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ledger.errors import Problem

# Okabe and Ito's palette, without its yellow, which is hard to see on white.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""Lines are told apart by their markers, too."""
FORMATS = (".svg", ".png")


def colours(names: list[str]) -> dict[str, str]:
    return {name: PALETTE[place % len(PALETTE)] for place, name in enumerate(names)}


def markers(names: list[str]) -> dict[str, str]:
    return {name: MARKERS[place % len(MARKERS)] for place, name in enumerate(names)}


def check_file(path: Path) -> None:
    if path.suffix.lower() not in FORMATS:
        raise Problem("plot/format", f"{path.name} is neither .svg nor .png; name the file accordingly.")
    if not path.parent.is_dir():
        raise Problem("file/unusable", f"There is no folder {path.parent}; make it, or name another file.")


@contextmanager
def drawing(path: Path, title: str, *, size: tuple[float, float] = (9, 5)) -> Iterator[Any]:
    """Axes to draw on; saved when all went well."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots()
    axes.set_title(title, loc="left", fontweight="bold", parse_math=False)
    axes.spines[["top", "right"]].set_visible(False)
    yield axes
    with rc_context({"svg.fonttype": "none"}):  # text stays text: it can be searched and read aloud
        figure.savefig(path, dpi=150)


def legend(axes: Any, *, columns: int = 1) -> None:
    """Beside the figure, where it hides nothing."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        drawn = axes.legend(handles, labels, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, ncols=columns)
        for text in drawn.get_texts():
            text.set_parse_math(False)
