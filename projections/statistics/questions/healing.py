"""Healing: by whom or what, and of whom."""

from __future__ import annotations

from projections.analytics_names import By
from projections.statistics.question import BY_ACTION, Question
from projections.statistics.ratio import mean

HEALING = Question(
    title="Healing",
    facts="healing",
    actor="coalesce(f.actor, f.source, 'nobody')",
    other="f.target",
    groups={"healed": "coalesce(other.name, f.target)"},
    measures={
        "times": "count(*)",
        "points": "sum(f.amount)",
        "mean": mean("f.amount"),
        "largest": "max(f.amount)",
    },
    also={**BY_ACTION, By.SOURCE: "coalesce(f.source, f.action, 'none')"},
    notes=("points: what the pools gained; healing beyond their maximum is not in it.",),
)
