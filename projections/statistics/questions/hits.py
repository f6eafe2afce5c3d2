"""How often attacks hit."""

from __future__ import annotations

from projections.analytics_names import By
from projections.statistics.question import BY_ACTION, Question
from projections.statistics.ratio import mean, percent

HITS = Question(
    title="Attacks",
    facts="attacks",
    actor="f.attacker",
    measures={
        "attacks": "count(*)",
        "hits": "count(*) FILTER (WHERE f.hit)",
        "misses": "count(*) FILTER (WHERE NOT f.hit)",
        "criticals": "count(*) FILTER (WHERE f.critical)",
        "hit_percent": percent("count(*) FILTER (WHERE f.hit)"),
        "mean_total": mean("f.total"),
        "mean_against": mean("f.against"),
    },
    also={**BY_ACTION, By.WEAPON: "coalesce(f.weapon, 'none')"},
)
