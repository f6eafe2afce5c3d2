"""Who fell, when, to whom, and by which blow."""

from __future__ import annotations

from projections.statistics.question import Question

DEATHS = Question(
    title="Who fell",
    facts="falls",
    actor="f.target",
    other="f.actor",
    groups={
        "encounter": "s.name",
        "round": "f.round",
        "event": "f.seq",
        "fell": "split_part(f.condition, ':', 3)",
        "felled_by": "coalesce(other.name, f.actor, 'nobody')",
        "last_blow": "coalesce(f.weapon, split_part(f.blow_action, ':', 3))",
    },
    measures={"damage": "max(f.amount)", "overkill": "max(f.overkill)"},
    notes=("damage: what the last blow before the fall took; event is where to look it up.",),
)
