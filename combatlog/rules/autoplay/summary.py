"""A summary of many simulated fights: who won how often and how certain that is, how long they took, what was left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, median

from pydantic import BaseModel

from combatlog.rules.autoplay.simulate import Result
from ledger.json_shapes import Documented

Z = 1.959963984540054
"""Standard deviations around the mean that contain 95%."""
NOBODY = "nobody"


class Win(BaseModel):
    side: str
    fights: int
    share: float
    low: float
    high: float


class Range(BaseModel):
    mean: float
    least: float
    middle: float
    most: float


class Summary(Documented, BaseModel):
    fights: int
    wins: list[Win]
    figures: dict[str, Range]


def summarize(results: Sequence[Result]) -> Summary:
    return Summary(fights=len(results), wins=_wins(results), figures=_figures(results))


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95% confidence interval of a share, by Wilson's score."""
    share = successes / trials
    centre = share + Z**2 / (2 * trials)
    spread = Z * sqrt(share * (1 - share) / trials + Z**2 / (4 * trials**2))
    scale = 1 + Z**2 / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def _wins(results: Sequence[Result]) -> list[Win]:
    sides = sorted({side for result in results for side in result.standing})
    counted = Counter(result.winner or NOBODY for result in results)
    names = [*sides, NOBODY] if counted[NOBODY] else sides
    return [_win(name, counted[name], len(results)) for name in names]


def _win(side: str, fights: int, of: int) -> Win:
    low, high = wilson(fights, of)
    return Win(side=side, fights=fights, share=fights / of, low=low, high=high)


def _figures(results: Sequence[Result]) -> dict[str, Range]:
    columns: dict[str, list[float]] = {
        "rounds": [result.rounds for result in results],
        "events": [result.events for result in results],
    }
    for side in sorted(results[0].damage):
        columns[f"damage by {side}"] = [result.damage[side] for result in results]
    for side in sorted(results[0].standing):
        columns[f"{side} standing"] = [result.standing[side] for result in results]
    for name, pools in results[0].left.items():
        for pool in pools:
            columns[f"{name}'s {pool} left"] = [result.left[name][pool] for result in results]
    return {title: _range(values) for title, values in columns.items()}


def _range(values: Sequence[float]) -> Range:
    return Range(mean=fmean(values), least=min(values), middle=median(values), most=max(values))
