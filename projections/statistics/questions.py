"""The statistics that are one question each. The table at the end names them."""

from __future__ import annotations

from projections.analytics_names import By
from projections.statistics.question import Question, percent

_ACTION = {By.ACTION: "coalesce(d.action, 'none')"}

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
        "mean_total": "round(avg(f.total), 2)",
        "mean_against": "round(avg(f.against), 2)",
    },
    also={**_ACTION, By.WEAPON: "coalesce(f.weapon, 'none')"},
)

DAMAGE = Question(
    title="Damage dealt",
    facts="damage",
    actor="coalesce(f.actor, 'nobody')",
    measures={
        "times": "count(*)",
        "damage": "sum(f.amount)",
        "overkill": "sum(f.overkill)",
        "mean": "round(avg(f.amount), 2)",
        "largest": "max(f.amount)",
        "per_round": "round(sum(f.amount)::numeric / nullif((SELECT sum(rounds) FROM scope), 0), 2)",
    },
    also={**_ACTION, By.WEAPON: "coalesce(f.weapon, 'none')"},
    notes=("per_round is over all rounds that these fights have lasted.",),
)

ROLLS = Question(
    title="Dice",
    facts="dice",
    actor="r.roller",
    joins="JOIN rolls r ON r.encounter = f.encounter AND r.seq = f.seq",
    groups={"die": "f.die"},
    measures={
        "dice": "count(*)",
        "mean": "round(avg(f.value), 2)",
        "fair_mean": "round((max(f.sides) + 1) / 2.0, 1)",
        "lowest": "min(f.value)",
        "highest": "max(f.value)",
    },
    also={**_ACTION, By.SOURCE: "f.dice_source"},
)

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
    also={**_ACTION, By.SOURCE: "coalesce(f.reaction, array_to_string(f.offered, ', '))"},
    notes=("missed: declined although it could have changed the outcome.",),
)

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

TURNS = Question(
    title="Turns",
    facts="turns",
    actor="f.combatant",
    joins=(
        "CROSS JOIN LATERAL (SELECT count(*) AS number FROM declarations o WHERE o.encounter = f.encounter"
        " AND o.seq BETWEEN f.started_seq AND f.seq AND o.actor = f.combatant AND (NOT o.undone OR %(undone)s)) own"
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

CONDITIONS = Question(
    title="Conditions",
    facts="condition_changes",
    actor="f.target",
    groups={"condition": "f.condition"},
    measures={
        "began": "count(*) FILTER (WHERE f.applied)",
        "ended": "count(*) FILTER (WHERE NOT f.applied)",
    },
    also={**_ACTION, By.SOURCE: "coalesce(f.source, 'its end')"},
)

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

QUESTIONS = {
    "hits": HITS,
    "damage": DAMAGE,
    "rolls": ROLLS,
    "reactions": REACTIONS,
    "economy": ECONOMY,
    "turns": TURNS,
    "conditions": CONDITIONS,
    "corrections": CORRECTIONS,
}
