"""Turns: how much was declared in them, apart from their end, and how long they took."""

from __future__ import annotations

from projections.statistics.question import Question
from projections.statistics.ratio import Ratio, mean

_MICROSECONDS = "(extract(epoch FROM f.ended_at - f.started_at) * 1000000)::bigint"

# Joined by what is equal, so that an engine can put those together that belong together. Asked for each turn by itself,
# Spark would compare every declaration of the lake with every turn.
_OWN = (
    "LEFT JOIN (SELECT t.encounter, t.seq, count(*) AS number FROM scope JOIN turns t USING (encounter)"
    " JOIN declarations o ON o.encounter = t.encounter AND o.actor = t.combatant"
    " WHERE o.seq BETWEEN t.started_seq AND t.seq AND o.action <> 'core:time:end-turn' AND (NOT o.undone OR %(undone)s)"
    " GROUP BY t.encounter, t.seq) own"
    " ON own.encounter = f.encounter AND own.seq = f.seq"
)
_NUMBER = "coalesce(own.number, 0)"

TURNS = Question(
    title="Turns",
    facts="turns",
    actor="f.combatant",
    joins=_OWN,
    measures={
        "turns": "count(*)",
        "declarations": f"sum({_NUMBER})",
        "declarations_a_turn": mean(_NUMBER),
        "idle_turns": "count(*) FILTER (WHERE own.number IS NULL)",
        "mean_seconds": Ratio(f"sum({_MICROSECONDS})", "count(*) * 1000000", 1),
        "longest_seconds": Ratio(f"max({_MICROSECONDS})", "max(1000000)", 1),
    },
)
