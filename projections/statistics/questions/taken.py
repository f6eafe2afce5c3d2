"""Damage taken, and from whom."""

from __future__ import annotations

from projections.analytics_names import By
from projections.statistics.question import BY_ACTION, Question
from projections.statistics.ratio import mean

TAKEN = Question(
    title="Damage taken",
    facts="damage",
    actor="f.target",
    other="f.actor",
    groups={"dealt_by": "coalesce(other.name, f.actor, 'nobody')"},
    measures={
        "times": "count(*)",
        "damage": "sum(f.amount)",
        "overkill": "sum(f.overkill)",
        "mean": mean("f.amount"),
        "largest": "max(f.amount)",
    },
    also={**BY_ACTION, By.WEAPON: "coalesce(f.weapon, 'none')"},
)
