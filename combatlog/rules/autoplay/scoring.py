"""Scoring: measures every option at every aim by every metric. A score keeps each measurement, to be explained."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

from combatlog.rules.autoplay.option import Option, OptionAim
from combatlog.rules.engine.commands import Declaration

DIGITS = 9
"""Digits after the point that count when totals are compared: the order of additions must not decide."""
SLACK = 1e-8
"""What is added to a bound, so that it stays one in spite of rounding."""

Measure = Callable[[Any, OptionAim], float]
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
    """Only what can count for or against the option is measured; everything else is 0."""
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
    """The best first; ties are broken by name, so that the same battle always leads to the same choice.

    Only the best score is computed exactly, then whatever takes its place, until one stays the best. The next one is
    looked for only if somebody asks for it. Scores that are not above a number are left out.
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
        """What its total cannot exceed, or its total once it is scored, rounded as totals are compared."""

    @cached_property
    def tie_break(self) -> tuple[object, ...]:
        """What decides between equals, whatever their total."""
        return _names(self.option, self.aim)

    def scored(self, metrics: Metrics) -> Score:
        if self.score is None:
            self.score = score(self.option, self.aim, metrics)
            self.hope = round(self.score.total, DIGITS)
        return self.score

    def is_settled(self, metrics: Metrics) -> bool:
        """Whether its total is exact; if not, it is scored again, and has less hope than before."""
        if not self.option.look_closer(self.aim):
            return True
        self.score = None
        self.scored(metrics)
        return False


def _settled(candidates: Sequence[_Candidate], metrics: Metrics, above: float) -> _Candidate | None:
    """The one that stays the best when it is looked at closely; None if there is no hope for any."""
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
    """The scores whose declaration is legal. Checked one by one, so that looking for the best is cheap."""
    return (found for found in scores if found.option.permits(found.aim))


def best(scores: Iterable[Score], tag: str | None = None) -> Score | None:
    """The best legal choice, or the best of those with a tag: `attack.weapon`, `area`, ..."""
    return next(legal(found for found in scores if tag is None or tag in found.option.tags), None)
