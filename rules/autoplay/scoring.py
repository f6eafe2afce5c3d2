"""Scoring: measures every option at every aim by every metric. A score keeps each measurement, to be explained."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from rules.autoplay.option import Aim, Option
from rules.engine.commands import Declaration

Measure = Callable[[Any, Aim], float]
"""Measures an option at an aim in one respect. Takes the ruleset's own kind of option."""


@dataclass(frozen=True, slots=True)
class Metric:
    name: str
    weight: float
    """What one unit is worth, in hit points of damage dealt."""
    measure: Measure
    about: str


class Metrics(dict[str, Metric]):
    """The registry of a ruleset's metrics, by name."""

    def add(self, weight: float) -> Callable[[Measure], Measure]:
        """Register a function as the metric of its name; a decorator."""

        def register(measure: Measure) -> Measure:
            name = measure.__name__
            if name in self:
                raise ValueError(f"the metric {name} is registered twice")
            self[name] = Metric(name, weight, measure, (measure.__doc__ or "").strip())
            return measure

        return register


class Score(NamedTuple):
    """How good an option is at an aim: each measurement, and their weighted sum."""

    option: Option
    aim: Aim
    metrics: dict[str, float]
    total: float

    @property
    def words(self) -> str:
        return self.option.words(self.aim)

    @property
    def why(self) -> str:
        measured = [f"{name.replace('_', ' ')} {value:.1f}" for name, value in self.metrics.items() if value]
        return ", ".join(measured) or "nothing counts for or against it"

    @property
    def declaration(self) -> Declaration:
        return self.option.declaration(self.aim)


def score(option: Option, aim: Aim, metrics: Metrics) -> Score:
    """Only what can count for or against the option is measured; everything else is 0."""
    measured = dict.fromkeys(metrics, 0.0)
    total = 0.0
    for name in metrics if option.concerns is None else option.concerns:
        metric = metrics[name]
        value = measured[name] = metric.measure(option, aim)
        total += metric.weight * value
    return Score(option, aim, measured, total)


def rank(options: Iterable[Option], metrics: Metrics) -> list[Score]:
    """All scores, the best first."""
    return list(best_first(options, metrics))


def best_first(options: Iterable[Option], metrics: Metrics) -> Iterator[Score]:
    """The best first; ties are broken by name, so that the same battle always leads to the same choice.

    Only the best score is computed exactly, then whatever takes its place, until one stays the best. The rest is put
    in order only if somebody asks for it.
    """
    scores = [score(option, aim, metrics) for option in options if option.is_open() for aim in option.aims()]
    if scores:
        first = _settled(scores, metrics)
        yield scores.pop(first)
        yield from sorted(scores, key=_order)


def _settled(scores: list[Score], metrics: Metrics) -> int:
    """Where the score is that stays the best when it is looked at closely."""
    while True:
        place = _place_of_best(scores)
        option, aim, _, _ = scores[place]
        if not option.look_closer(aim):
            return place
        scores[place] = score(option, aim, metrics)


def _place_of_best(scores: list[Score]) -> int:
    totals = [round(found.total, 9) for found in scores]
    most = max(totals)
    return min((place for place, total in enumerate(totals) if total == most), key=lambda place: _order(scores[place]))


def _order(found: Score) -> tuple[object, ...]:
    return (-round(found.total, 9), found.option.id, found.aim.targets, found.words)


def legal(scores: Iterable[Score]) -> Iterator[Score]:
    """The scores whose declaration is legal. Checked one by one, so that looking for the best is cheap."""
    return (found for found in scores if found.option.permits(found.aim))


def best(scores: Iterable[Score], tag: str | None = None) -> Score | None:
    """The best legal choice, or the best of those with a tag: `attack.weapon`, `area`, ..."""
    return next(legal(found for found in scores if tag is None or tag in found.option.tags), None)
