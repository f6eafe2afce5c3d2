"""Scoring: every option at every aim by every metric. Each metric is kept in the score, so that it can be explained."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rules.autoplay.option import Aim, Option
from rules.engine.commands import Declaration

Measure = Callable[[Any, Aim], float]
"""Says how an option at an aim does in one respect. Takes a ruleset's own sort of option."""


@dataclass(frozen=True, slots=True)
class Metric:
    name: str
    weight: float
    """What one of it is worth, in hit points of damage dealt."""
    measure: Measure
    about: str


class Metrics(dict[str, Metric]):
    """The one registry of a ruleset's metrics, by name."""

    def add(self, weight: float) -> Callable[[Measure], Measure]:
        """Make a function known as the metric of its name; a decorator."""

        def register(measure: Measure) -> Measure:
            name = measure.__name__
            if name in self:
                raise ValueError(f"the metric {name} is there twice")
            self[name] = Metric(name, weight, measure, (measure.__doc__ or "").strip())
            return measure

        return register


@dataclass(frozen=True, slots=True)
class Score:
    """How good an option is at an aim: by metric, as measured, and all of them weighted and added up."""

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
        return ", ".join(measured) or "nothing speaks for or against it"

    @property
    def declaration(self) -> Declaration:
        return self.option.declaration(self.aim)


def score(option: Option, aim: Aim, metrics: Metrics) -> Score:
    measured = {name: metric.measure(option, aim) for name, metric in metrics.items()}
    return Score(option, aim, measured, sum(metrics[name].weight * value for name, value in measured.items()))


def rank(options: Iterable[Option], metrics: Metrics) -> list[Score]:
    """The best first; ties by name, so that the same battle always leads to the same choice.

    Only the best is looked at closely, and whatever takes its place until one stands up to it.
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
    """Those whose declaration would be taken. Asked one by one, so that looking for the best is cheap."""
    return (found for found in scores if found.option.permits(found.aim))


def best(scores: Iterable[Score], tag: str | None = None) -> Score | None:
    """The best legal choice, or the best of those with a tag: `attack.weapon`, `area`, ..."""
    return next(legal(found for found in scores if tag is None or tag in found.option.tags), None)
