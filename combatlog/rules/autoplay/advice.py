"""Advice from scores: the best choices first, each with what was measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from combatlog.rules.autoplay.auto import WORTH_IT
from combatlog.rules.autoplay.scoring import Score, legal, rank
from combatlog.rules.engine.ruleset import Advice, Ruleset
from projections.battle import Battle
from projections.combatant import Combatant

SHOWN = 10


def ranked_advice(rules: Ruleset, battle: Battle, actor: Combatant) -> list[Advice]:
    """The best legal aim of each option. The first one is recommended, unless doing nothing is as good."""
    ranked = rank(rules.options(battle, actor), rules.metrics())
    shown = islice(_one_each(legal(ranked)), SHOWN)
    return [_advice(actor, score, first=number == 0) for number, score in enumerate(shown)]


def _one_each(scores: Iterable[Score]) -> Iterator[Score]:
    """The first score of each option: nobody wants to read about thirty squares that are equally good."""
    seen: set[str] = set()
    for score in scores:
        if score.option.id not in seen:
            seen.add(score.option.id)
            yield score


def _advice(actor: Combatant, score: Score, *, first: bool) -> Advice:
    cost = score.option.cost_at(score.aim)
    return Advice(
        choice=score.words,
        recommended=first and score.total > WORTH_IT,
        why=score.why,
        leaves={resource: actor.economy.left(resource) - amount for resource, amount in cost.items()},
        score=round(score.total, 2),
        metrics={name: round(value, 3) for name, value in score.metrics.items() if value},
    )
