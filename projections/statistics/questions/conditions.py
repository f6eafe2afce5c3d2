"""Conditions that began and ended."""

from __future__ import annotations

from projections.analytics_names import By
from projections.statistics.question import BY_ACTION, Question

CONDITIONS = Question(
    title="Conditions",
    facts="condition_changes",
    actor="f.target",
    groups={"condition": "f.condition"},
    measures={
        "began": "count(*) FILTER (WHERE f.applied)",
        "ended": "count(*) FILTER (WHERE NOT f.applied)",
    },
    also={**BY_ACTION, By.SOURCE: "coalesce(f.source, 'its end')"},
)
