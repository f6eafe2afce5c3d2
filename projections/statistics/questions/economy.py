"""What was left at the end of a turn."""

from __future__ import annotations

from projections.statistics.question import Question

ECONOMY = Question(
    title="What was left at the end of a turn",
    facts="unspent",
    actor="f.combatant",
    groups={"resource": "f.resource"},
    measures={
        "turns": "count(*)",
        "spent": "sum(f.spent)",
        "unspent": "sum(f.unspent)",
        "turns_with_some_left": "count(*) FILTER (WHERE f.unspent > 0)",
        "mean_left": "round(avg(f.unspent), 2)",
    },
)
