"""Dice rolled, against what fair dice would show."""

from __future__ import annotations

from projections.analytics_names import By
from projections.statistics.question import BY_ACTION, Question
from projections.statistics.ratio import Ratio, mean

ROLLS = Question(
    title="Dice",
    facts="dice",
    actor="r.roller",
    joins="JOIN rolls r ON r.encounter = f.encounter AND r.seq = f.seq",
    groups={"die": "f.die"},
    measures={
        "dice": "count(*)",
        "mean": mean("f.value"),
        "fair_mean": Ratio("max(f.sides) + 1", "max(2)", 1),
        "lowest": "min(f.value)",
        "highest": "max(f.value)",
    },
    also={**BY_ACTION, By.SOURCE: "f.dice_source"},
)
