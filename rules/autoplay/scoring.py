"""Scoring: measures every option at every aim by every metric. A score keeps each measurement, to be explained."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, slots=True)
class Score:
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
    measured = {name: metric.measure(option, aim) for name, metric in metrics.items()}
    return Score(option, aim, measured, sum(metrics[name].weight * value for name, value in measured.items()))


def rank(options: Iterable[Option], metrics: Metrics) -> list[Score]:
    """The best first; ties are broken by name, so that the same battle always leads to the same choice.

    Only the best score is computed exactly, then whatever takes its place, until one stays the best.
    """
    scores = [score(option, aim, metrics) for option in options if option.is_open() for aim in option.aims()]
    scores.sort(key=_order)
    while scores and scores[0].option.look_closer(scores[0].aim):
        hoped = scores.pop(0)
        insort(scores, score(hoped.option, hoped.aim, metrics), key=_order)
    return scores


def _order(found: Score) -> tuple[object, ...]:
    return (-round(found.total, 9), found.option.id, found.aim.targets, found.words)


def legal(scores: Iterable[Score]) -> Iterator[Score]:
    """The scores whose declaration is legal. Checked one by one, so that looking for the best is cheap."""
    return (found for found in scores if found.option.permits(found.aim))


def best(scores: Iterable[Score], tag: str | None = None) -> Score | None:
    """The best legal choice, or the best of those with a tag: `attack.weapon`, `area`, ..."""
    return next(legal(found for found in scores if tag is None or tag in found.option.tags), None)
