"""Turns: how much was declared in them, apart from their end, and how long they took."""

from __future__ import annotations

from projections.statistics.question import Question

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
        "declarations_a_turn": "round(avg(own.number), 2)",
        "idle_turns": "count(*) FILTER (WHERE own.number = 0)",
        "mean_seconds": "round(avg(extract(epoch FROM f.ended_at - f.started_at)), 1)",
        "longest_seconds": "round(max(extract(epoch FROM f.ended_at - f.started_at)), 1)",
    },
)
