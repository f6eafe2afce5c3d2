"""The balance of a fight over time, as its report has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from projections.plots.fight import mark_rounds
from projections.plots.style import label, legend, looks, new_figure, titled_axes, whole_numbers
from projections.report.models import Balance
from projections.text import clean


def draw_balance(title: str, balance: Sequence[Balance], rounds: Mapping[int, int], end: int) -> Any:
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
