"""Damage dealt."""

from __future__ import annotations

from projections.analytics_names import By
from projections.statistics.question import BY_ACTION, Question
from projections.statistics.ratio import Ratio, mean

DAMAGE = Question(
    title="Damage dealt",
    facts="damage",
    actor="coalesce(f.actor, 'nobody')",
    measures={
        "times": "count(*)",
        "damage": "sum(f.amount)",
        "overkill": "sum(f.overkill)",
        "mean": mean("f.amount"),
        "largest": "max(f.amount)",
        "per_round": Ratio("sum(f.amount)", "(SELECT sum(rounds) FROM scope)", 2),
    },
    also={**BY_ACTION, By.WEAPON: "coalesce(f.weapon, 'none')"},
    notes=("per_round is over all rounds that these fights have lasted.",),
)
