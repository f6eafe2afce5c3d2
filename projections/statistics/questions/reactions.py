"""Reactions offered, used, declined and missed."""

from __future__ import annotations

from projections.analytics_names import By
from projections.statistics.question import BY_ACTION, Question
from projections.statistics.ratio import percent

REACTIONS = Question(
    title="Reactions",
    facts="reactions",
    actor="f.reactor",
    measures={
        "offered": "count(*)",
        "used": "count(*) FILTER (WHERE f.outcome = 'used')",
        "declined": "count(*) FILTER (WHERE f.outcome = 'declined')",
        "missed": "count(*) FILTER (WHERE f.outcome = 'missed')",
        "used_percent": percent("count(*) FILTER (WHERE f.outcome = 'used')"),
        "by_people": "count(*) FILTER (WHERE f.decided_by = 'person')",
    },
    also={**BY_ACTION, By.SOURCE: "coalesce(f.reaction, array_to_string(f.offered, ', '))"},
    notes=("missed: declined although it could have changed the outcome.",),
)
