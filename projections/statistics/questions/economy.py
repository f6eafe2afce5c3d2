"""What was spent, and what was left at the end of a turn."""

from __future__ import annotations

from projections.statistics.question import Question
from projections.statistics.ratio import mean

_LEFT_OR_SPENT = (
    "(SELECT encounter, undone, round, combatant, resource, unspent, 0 AS used FROM unspent UNION ALL"
    " SELECT encounter, undone, round, owner, resource, NULL, used FROM resource_changes WHERE used > 0)"
)

ECONOMY = Question(
    title="What was spent, and what was left at the end of a turn",
    facts=_LEFT_OR_SPENT,
    actor="f.combatant",
    groups={"resource": "f.resource"},
    measures={
        "turns": "count(f.unspent)",
        "spent": "sum(f.used)",
        "unspent": "sum(f.unspent)",
        "turns_with_some_left": "count(*) FILTER (WHERE f.unspent > 0)",
        "mean_left": mean("f.unspent"),
    },
    notes=("spent: also between turns, as for a reaction.",),
)
