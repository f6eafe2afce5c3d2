"""Scoring: measures every option at every aim with every metric. A score keeps each measurement for explanations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

from combatlog.rules.autoplay.option import Option, OptionAim
from combatlog.rules.engine.commands import Declaration

DIGITS = 9
"""The decimal places of totals that are compared, so that the order of additions does not decide."""
SLACK = 1e-8
"""Added to a bound, so that it remains an upper bound despite rounding."""

Measure = Callable[[Any, OptionAim], float]
"""Measures one aspect of an option at an aim. Takes the ruleset's own kind of option."""


@dataclass(frozen=True, slots=True)
class Metric:
    name: str
    weight: float
    """The worth of one unit, in hit points of damage dealt."""
    measure: Measure
    about: str


class Metrics(dict[str, Metric]):
    """The registry of a ruleset's metrics, by name."""

    def add(self, weight: float) -> Callable[[Measure], Measure]:
        """Decorator: register a function as the metric with its name."""

        def register(measure: Measure) -> Measure:
            name = measure.__name__
            if name in self:
                raise ValueError(f"the metric {name} is registered twice")
            self[name] = Metric(name, weight, measure, (measure.__doc__ or "").strip())
            return measure

        return register


class Score(NamedTuple):
    """The score of an option at an aim: each measurement, and their weighted sum."""

    option: Option
    aim: OptionAim
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


def score(option: Option, aim: OptionAim, metrics: Metrics) -> Score:
    """Score an option. Only metrics that can be relevant to it are measured; all others are 0."""
    measured = dict.fromkeys(metrics, 0.0)
    total = 0.0
    for name in metrics if option.concerns is None else option.concerns:
        metric = metrics[name]
        value = measured[name] = metric.measure(option, aim)
        total += metric.weight * value
    return Score(option, aim, measured, total)


def rank(options: Iterable[Option], metrics: Metrics) -> list[Score]:
    """All scores, the best first. Only the best one is exact."""
    candidates = _candidates(options, -inf)
    first = _settled(candidates, metrics, -inf)
    if first is None:
        return []
    rest = [candidate.scored(metrics) for candidate in candidates if candidate is not first]
    return [first.scored(metrics), *sorted(rest, key=_order)]


def best_first(options: Iterable[Option], metrics: Metrics, above: float = -inf) -> Iterator[Score]:
    """Scores, the best first; ties are broken by name, so that the same battle always leads to the same choice.

    Only the best score is computed exactly, then the one that replaces it, until the best one is exact. The next score
    is only computed on demand. Scores of `above` or less are left out.
    """
    candidates = _candidates(options, above)
    while (found := _settled(candidates, metrics, above)) is not None:
        yield found.scored(metrics)
        candidates.remove(found)


def _candidates(options: Iterable[Option], above: float) -> list[_Candidate]:
    open_options = [option for option in options if option.is_open()]
    considered = (_Candidate(option, aim) for option in open_options for aim in option.aims())
    return [candidate for candidate in considered if candidate.hope > above]


class _Candidate:
    """An option at an aim that may turn out to be the best."""

    def __init__(self, option: Option, aim: OptionAim) -> None:
        self.option = option
        self.aim = aim
        self.score: Score | None = None
        bound = option.bound(aim)
        self.hope = inf if bound is None else bound + SLACK
        """The upper bound of its total or, once it is scored, its total, rounded for comparison."""

    @cached_property
    def tie_break(self) -> tuple[object, ...]:
        """The key that decides between equal totals."""
        return _names(self.option, self.aim)

    def scored(self, metrics: Metrics) -> Score:
        if self.score is None:
            self.score = score(self.option, self.aim, metrics)
            self.hope = round(self.score.total, DIGITS)
        return self.score

    def is_settled(self, metrics: Metrics) -> bool:
        """Whether its total is exact; if not, it is scored again with a lower total."""
        if not self.option.look_closer(self.aim):
            return True
        self.score = None
        self.scored(metrics)
        return False


def _settled(candidates: Sequence[_Candidate], metrics: Metrics, above: float) -> _Candidate | None:
    """The candidate with the best exact total; None if no total can exceed `above`."""
    for candidate in candidates:
        if candidate.hope == inf:
            candidate.scored(metrics)
    while candidates:
        most = max([candidate.hope for candidate in candidates])
        if most <= above:
            return None
        equals = [candidate for candidate in candidates if candidate.hope == most]
        unscored = [candidate for candidate in equals if candidate.score is None]
        for candidate in unscored:
            candidate.scored(metrics)
        if unscored:
            continue
        best = min(equals, key=lambda candidate: candidate.tie_break)
        if best.is_settled(metrics):
            return best
    return None


def _order(found: Score) -> tuple[object, ...]:
    return (-round(found.total, DIGITS), *_names(found.option, found.aim))


def _names(option: Option, aim: OptionAim) -> tuple[object, ...]:
    return option.id, aim.targets, option.words(aim)


def legal(scores: Iterable[Score]) -> Iterator[Score]:
    """The scores with legal declarations, checked lazily, so that finding the best one is cheap."""
    return (found for found in scores if found.option.permits(found.aim))


def best(scores: Iterable[Score], tag: str | None = None) -> Score | None:
    """The best legal choice, or the best one with a tag: `attack.weapon`, `area`, ..."""
    return next(legal(found for found in scores if tag is None or tag in found.option.tags), None)
