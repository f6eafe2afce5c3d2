"""The statistics that are one question each: hits, damage, taken, healing, deaths, rolls, reactions, economy, turns,
conditions and corrections. The table at the end names them.
"""

from __future__ import annotations

from projections.statistics.question import BY_ACTION, Ratio, StatisticQuestion, mean, percent
from projections.statistics.statistic_names import By

HITS = StatisticQuestion(
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


DAMAGE = StatisticQuestion(
    title="Damage dealt",
    facts="damage",
    actor="coalesce(f.actor, 'nobody')",
    measures={
        "times": "count(*)",
        "damage": "sum(f.amount)",
        "overkill": "sum(f.overkill)",
        "mean": mean("f.amount"),
        "largest": "max(f.amount)",
        "per_round": Ratio("sum(f.amount)", "(SELECT sum(rounds) FROM scope)", 2),
    },
    also={**BY_ACTION, By.WEAPON: "coalesce(f.weapon, 'none')"},
    notes=("per_round is over all rounds that these fights have lasted.",),
)


TAKEN = StatisticQuestion(
    title="Damage taken",
    facts="damage",
    actor="f.target",
    other="f.actor",
    groups={"dealt_by": "coalesce(other.name, f.actor, 'nobody')"},
    measures={
        "times": "count(*)",
        "damage": "sum(f.amount)",
        "overkill": "sum(f.overkill)",
        "mean": mean("f.amount"),
        "largest": "max(f.amount)",
    },
    also={**BY_ACTION, By.WEAPON: "coalesce(f.weapon, 'none')"},
)


HEALING = StatisticQuestion(
    title="Healing",
    facts="healing",
    actor="coalesce(f.actor, f.source, 'nobody')",
    other="f.target",
    groups={"healed": "coalesce(other.name, f.target)"},
    measures={
        "times": "count(*)",
        "points": "sum(f.amount)",
        "mean": mean("f.amount"),
        "largest": "max(f.amount)",
    },
    also={**BY_ACTION, By.SOURCE: "coalesce(f.source, f.action, 'none')"},
    notes=("points: what the pools gained, without healing beyond their maximum.",),
)


DEATHS = StatisticQuestion(
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
    notes=("damage: of the last blow before the fall; event: where to look it up.",),
)


ROLLS = StatisticQuestion(
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


REACTIONS = StatisticQuestion(
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
    also={**BY_ACTION, By.SOURCE: "coalesce(f.reaction, array_to_string(f.offered, ', '))"},
    notes=("missed: declined although it could have changed the outcome.",),
)


_LEFT_OR_SPENT = (
    "(SELECT encounter, undone, round, combatant, resource, unspent, 0 AS used FROM unspent UNION ALL"
    " SELECT encounter, undone, round, owner, resource, NULL, used FROM resource_changes WHERE used > 0)"
)

ECONOMY = StatisticQuestion(
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
    notes=("spent: includes spending between turns, such as on reactions.",),
)


_MICROSECONDS = "(extract(epoch FROM f.ended_at - f.started_at) * 1000000)::bigint"

# Joined on equality, so that an engine can use a hash join. With a subquery per turn, Spark would compare every
# declaration of the lake with every turn.
_OWN = (
    "LEFT JOIN (SELECT t.encounter, t.seq, count(*) AS number FROM scope JOIN turns t USING (encounter)"
    " JOIN declarations o ON o.encounter = t.encounter AND o.actor = t.combatant"
    " WHERE o.seq BETWEEN t.started_seq AND t.seq AND o.action <> 'core:time:end-turn' AND (NOT o.undone OR %(undone)s)"
    " GROUP BY t.encounter, t.seq) own"
    " ON own.encounter = f.encounter AND own.seq = f.seq"
)
_NUMBER = "coalesce(own.number, 0)"

TURNS = StatisticQuestion(
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


CONDITIONS = StatisticQuestion(
    title="Conditions",
    facts="condition_changes",
    actor="f.target",
    groups={"condition": "f.condition"},
    measures={
        "began": "count(*) FILTER (WHERE f.applied)",
        "ended": "count(*) FILTER (WHERE NOT f.applied)",
    },
    also={**BY_ACTION, By.SOURCE: "coalesce(f.source, 'its end')"},
)


CORRECTIONS = StatisticQuestion(
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
    "taken": TAKEN,
    "healing": HEALING,
    "deaths": DEATHS,
    "rolls": ROLLS,
    "reactions": REACTIONS,
    "economy": ECONOMY,
    "turns": TURNS,
    "conditions": CONDITIONS,
    "corrections": CORRECTIONS,
}
