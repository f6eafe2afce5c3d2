"""Figures that count: damage round by round, faces of dice, and what became of reactions."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any, NamedTuple

from projections.plots.asking import IN_SCOPE, Asked
from projections.plots.style import (
    PALETTE,
    label,
    legend,
    looks,
    name_rows,
    new_figure,
    rows_size,
    titled_axes,
    whole_numbers,
)
from projections.statistics.fairness import interval

MOST_NUMBERS = 25
"""With more columns, numbers in the cells would be too small to read."""


class Dealt(NamedTuple):
    actor: str
    round: int
    amount: int


class Face(NamedTuple):
    sides: int
    value: int
    number: int


class Answered(NamedTuple):
    reactor: str
    outcome: str
    number: int


_DAMAGE = (
    "SELECT coalesce(f.actor, 'nobody') AS actor, f.round, sum(f.amount)::bigint AS amount"  # noqa: S608
    f" FROM damage f {IN_SCOPE} AND coalesce(f.actor, '') <> 'gm' GROUP BY 1, 2 ORDER BY 1, 2"
)
_FACES = (
    "SELECT f.sides, f.value, count(*) AS number"  # noqa: S608
    f" FROM dice f {IN_SCOPE} AND f.sides IS NOT NULL GROUP BY 1, 2"
)
_REACTIONS = f"SELECT f.reactor, f.outcome, count(*) AS number FROM reactions f {IN_SCOPE} GROUP BY 1, 2"  # noqa: S608

OUTCOMES = ("used", "declined", "missed")


def damage(asked: Asked) -> Any:
    """A row for each combatant and a column for each round, the darker the more. It needs no colours."""
    rows = asked.some(Dealt, _DAMAGE)
    rounds = range(min(row.round for row in rows), max(row.round for row in rows) + 1)
    dealt: defaultdict[str, list[int]] = defaultdict(lambda: [0] * len(rounds))
    for row in rows:
        dealt[row.actor][row.round - rounds[0]] += row.amount
    people, names = sorted(dealt, key=lambda actor: -sum(dealt[actor])), asked.names()
    shown = [f"{names[actor]}: {sum(dealt[actor])}" for actor in people]
    figure = new_figure(rows_size(shown, width=max(6.0, min(16.0, 4 + 0.45 * len(rounds)))))
    axes = titled_axes(figure, "Damage per round")
    _cells(axes, [dealt[actor] for actor in people])
    name_rows(axes, shown)
    axes.set_xlabel("round (beside each name: damage dealt in all)")
    axes.set_xticks(range(len(rounds))[:: 1 + len(rounds) // MOST_NUMBERS], rounds[:: 1 + len(rounds) // MOST_NUMBERS])
    return figure


def _cells(axes: Any, numbers: list[list[int]]) -> None:
    most = max(map(max, numbers)) or 1
    image = axes.imshow(numbers, cmap="Blues", aspect="auto", vmin=0, vmax=most * 1.1)
    if len(numbers[0]) > MOST_NUMBERS:
        bar = axes.figure.colorbar(image, ax=axes, label="damage in a round")
        whole_numbers(bar.ax.yaxis)
        return
    for y, row in enumerate(numbers):
        for x, number in enumerate(row):
            if number:
                axes.text(x, y, str(number), ha="center", va="center", color="white" if number > most / 2 else "black")


def dice(asked: Asked) -> Any:
    """The die that was rolled most often, compared with a fair one."""
    counts: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for face in asked.some(Face, _FACES):
        counts[face.sides][face.value] = face.number
    sides = max(counts, key=lambda die: sum(counts[die].values()))
    figure = new_figure()
    axes = titled_axes(figure, f"d{sides}, rolled {sum(counts[sides].values())} times")
    _histogram(axes, sides, counts[sides])
    whole_numbers(axes.yaxis)
    legend(axes)
    return figure


def _histogram(axes: Any, sides: int, counts: dict[int, int]) -> None:
    low, fair, high = interval([(Fraction(1, sides), sum(counts.values()))])
    faces = range(1, sides + 1)
    axes.bar(faces, [counts.get(face, 0) for face in faces], color=PALETTE[0], label="rolled", zorder=2)
    axes.axhline(fair, color=PALETTE[1], linewidth=2, linestyle="--", label="a fair die", zorder=3)
    axes.axhspan(low, high, color=PALETTE[1], alpha=0.2, label="95 % of fair dice")
    axes.set(xlabel="face", ylabel="times")
    axes.set_xticks(list(faces)[:: 1 + sides // MOST_NUMBERS])


def reactions(asked: Asked) -> Any:
    """How many of each combatant's chances to react were used, declined and missed."""
    counts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for row in asked.some(Answered, _REACTIONS):
        counts[row.reactor][row.outcome] = row.number
    people, names = sorted(counts, key=lambda reactor: -sum(counts[reactor].values())), asked.names()
    figure = new_figure(rows_size([names[reactor] for reactor in people]))
    axes = titled_axes(figure, "Chances to react")
    begin = [0] * len(people)
    for outcome, look in looks(OUTCOMES).items():
        numbers = [counts[reactor].get(outcome, 0) for reactor in people]
        style = {"color": look.colour, "hatch": look.hatch, "edgecolor": "white"}
        axes.barh(range(len(people)), numbers, left=begin, height=0.7, label=label(outcome), **style)
        begin = [one + more for one, more in zip(begin, numbers, strict=True)]
    name_rows(axes, [names[reactor] for reactor in people])
    axes.set(xlabel="times", xlim=(0, max(begin) * 1.05))
    whole_numbers(axes.xaxis)
    legend(axes)
    return figure
