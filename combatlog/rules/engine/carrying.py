"""From fight to fight: who comes along, with what, and where it shows in the next fight."""

from __future__ import annotations

from typing import Any

from combatlog.rules.engine.carried import Carried, CarriedCondition
from combatlog.rules.engine.commands import GM
from combatlog.rules.engine.naming import known_id, unknown_combatant
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import Recruit, Ruleset
from ledger.events import Gauge
from projections.battle import Battle
from projections.combatant import Combatant, Condition


def comrade(before: Battle, rules: Ruleset, name: str) -> Combatant:
    """Somebody of an earlier fight who can go on to the next: not the dead."""
    found = known_id(before, name)
    if found == GM:
        raise unknown_combatant(before, name)
    combatant = before.combatants[found]
    if rules.is_dead(combatant):
        raise Refusal(
            "join/dead",
            f"{combatant.name} died in {before.name!r} and cannot come along.",
            who=combatant.id,
            encounter=before.name,
        )
    return combatant


def check_same_rules(before: Battle, rules: Ruleset) -> None:
    if before.encounter.ruleset != rules.name:
        raise Refusal(
            "join/other-ruleset",
            f"{before.name!r} was played by {before.encounter.ruleset}, and this fight is played by {rules.name}; "
            "choose a fight with the same rules.",
            encounter=before.name,
            ruleset=before.encounter.ruleset,
        )


def carried_from(before: Battle, rules: Ruleset, combatant: Combatant) -> dict[str, Any]:
    """The combatant as it stands in an earlier fight, as the options of a join have it."""
    pools = ((name, combatant.economy.get(name)) for name in rules.carried_resources(combatant))
    carried = Carried(
        fight=before.id,
        seq=before.seq,
        combatant=combatant.id,
        vitals={name: vital.current for name, vital in combatant.vitals.items()},
        resources={name: Gauge(current=pool.current, maximum=pool.maximum) for name, pool in pools if pool is not None},
        conditions=tuple(map(_carried, rules.lasting_conditions(combatant))),
    )
    return carried.model_dump(mode="json", exclude_none=True)


def _carried(held: Condition) -> CarriedCondition:
    return CarriedCondition(condition=held.ref, source=held.source, level=held.level, data=held.data)


def enlistment_of(before: Battle, rules: Ruleset, combatant: Combatant, side: str | None) -> dict[str, Any]:
    """The options with which somebody of an earlier fight joins the next: the same sheet, name and reactions."""
    policies = {name: policy.value for name, policy in combatant.policies.items()}
    return {
        "sheet": combatant.sheet,
        "name": combatant.name,
        "side": side or combatant.side,
        "controller": combatant.controller.value,
        **({"policies": policies} if policies else {}),
        "carried": carried_from(before, rules, combatant),
    }


def worn(recruit: Recruit, carried: Carried | None) -> Recruit:
    """A recruit in the state in which it left the earlier fight. The sheet still sets the limits."""
    if carried is None:
        return recruit
    vitals = {
        name: gauge.model_copy(update={"current": _within(carried.vitals.get(name, gauge.current), gauge.maximum)})
        for name, gauge in recruit.vitals.items()
    }
    return recruit.model_copy(update={"vitals": vitals, "resources": {**recruit.resources, **carried.resources}})


def _within(value: int, maximum: int | None) -> int:
    return max(0, value if maximum is None else min(value, maximum))
