"""Turns: how much was declared in them, apart from their end, and how long they took."""

from __future__ import annotations

from projections.statistics.question import Question
from projections.statistics.ratio import Ratio, mean

_MICROSECONDS = "(extract(epoch FROM f.ended_at - f.started_at) * 1000000)::bigint"

TURNS = Question(
    title="Turns",
    facts="turns",
    actor="f.combatant",
    joins=(
        "CROSS JOIN LATERAL (SELECT count(*) AS number FROM declarations o WHERE o.encounter = f.encounter"
        " AND o.seq BETWEEN f.started_seq AND f.seq AND o.actor = f.combatant AND o.action <> 'core:time:end-turn'"
        " AND (NOT o.undone OR %(undone)s)) own"
    ),
    measures={
        "turns": "count(*)",
        "declarations": "sum(own.number)",
        "declarations_a_turn": mean("own.number"),
        "idle_turns": "count(*) FILTER (WHERE own.number = 0)",
        "mean_seconds": Ratio(f"sum({_MICROSECONDS})", "count(*) * 1000000", 1),
        "longest_seconds": Ratio(f"max({_MICROSECONDS})", "max(1000000)", 1),
    },
)
