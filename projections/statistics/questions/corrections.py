"""Corrections made, and why."""

from __future__ import annotations

from projections.statistics.question import Question

CORRECTIONS = Question(
    title="Corrections",
    facts="corrections",
    actor="f.said_by",
    groups={"kind": "f.kind"},
    measures={
        "corrections": "count(*)",
        "taken_back": "count(*) FILTER (WHERE f.undone)",
        "declarations_retracted": "sum(cardinality(f.retracts))",
        "latest_reason": "(array_agg(f.reason ORDER BY f.recorded_at DESC, f.seq DESC))[1]",
    },
    counts_undone=True,
)
