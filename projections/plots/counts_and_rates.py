"""Figures over many events: damage by round, faces of dice, reactions, hit rates, and hits against their odds."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any, NamedTuple

from projections.plots.figure_basics import (
    IN_SCOPE,
    PALETTE,
    FigureQuery,
    label,
    legend,
    looks,
    name_rows,
    new_figure,
    nothing_to_draw,
    percentages,
    rows_size,
    titled_axes,
    whole_numbers,
)
from projections.statistics.luck import tallies
from projections.statistics.odds import interval
from projections.statistics.statistic_names import By

MOST_NUMBERS = 25
"""With more columns, the numbers in the cells would be too small to read."""


class DamageByRound(NamedTuple):
    actor: str
    round: int
    amount: int


class FaceRolled(NamedTuple):
    sides: int
    value: int
    number: int


class ReactionOutcome(NamedTuple):
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


def damage_figure(asked: FigureQuery) -> Any:
    """A row for each combatant and a column for each round; darker means more. It works without colours."""
    rows = asked.some(DamageByRound, _DAMAGE)
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


def dice_figure(asked: FigureQuery) -> Any:
    """The most frequently rolled die, compared with a fair one."""
    counts: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for face in asked.some(FaceRolled, _FACES):
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


def reaction_figure(asked: FigureQuery) -> Any:
    """How many of its chances to react each combatant used, declined and missed."""
    counts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for row in asked.some(ReactionOutcome, _REACTIONS):
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


class HitRate(NamedTuple):
    attacker: str
    attacks: int
    hits: int


_HITS = (
    "SELECT f.attacker, count(*) AS attacks, count(*) FILTER (WHERE f.hit) AS hits"  # noqa: S608
    f" FROM attacks f {IN_SCOPE} GROUP BY 1 ORDER BY count(*) FILTER (WHERE f.hit)::numeric / count(*) DESC, 1"
)


def hit_figure(asked: FigureQuery) -> Any:
    """The share of attacks that hit, next to the numbers: 1 of 1 is not better than 9 of 10."""
    rows, names = asked.some(HitRate, _HITS), asked.names()
    people = [names[row.attacker] for row in rows]
    figure = new_figure(rows_size(people))
    axes = titled_axes(figure, "Attacks that hit")
    axes.barh(range(len(rows)), [100 * row.hits / row.attacks for row in rows], height=0.7, color=PALETTE[0])
    for place, row in enumerate(rows):
        beside = {"xytext": (4, 0), "textcoords": "offset points", "va": "center", "annotation_clip": False}
        axes.annotate(f"{row.hits} of {row.attacks}", (100 * row.hits / row.attacks, place), **beside)
    name_rows(axes, people)
    percentages(axes)
    axes.set_xlabel("attacks that hit")
    return figure


def luck_figure(asked: FigureQuery) -> Any:
    """Each combatant's hits next to those that fair dice give 95 % of the time for the same attacks."""
    found = {who: tally for who, tally in sorted(tallies(asked.cursor, asked.scope, By.ACTOR).items()) if tally.chances}
    if not found:
        raise nothing_to_draw()
    names = asked.names()
    people = [names[who] for who in found]
    figure = new_figure(rows_size(people))
    axes = titled_axes(figure, "Hits compared with chance")
    for place, tally in enumerate(found.values()):
        attacks = sum(number for _, number in tally.chances)
        low, expected, high = (100 * hits / attacks for hits in interval(tally.chances))
        said = place == 0
        band = {"color": "#BBBBBB", "label": "95 % of fair dice" if said else None}
        axes.barh(place, high - low, left=low, height=0.5, zorder=1, **band)
        axes.plot([expected] * 2, [place - 0.25, place + 0.25], color="black", label="expected" if said else None)
        shown = {"c": [PALETTE[1]], "edgecolors": "black", "marker": "D", "label": "hits" if said else None}
        axes.scatter([100 * tally.hits / attacks], [place], clip_on=False, zorder=3, **shown)
    name_rows(
        axes, [f"{name} ({sum(n for _, n in t.chances)})" for name, t in zip(people, found.values(), strict=True)]
    )
    percentages(axes)
    axes.set_xlabel("attacks that hit (number of attacks in parentheses)")
    legend(axes)
    return figure
