"""Join a fight: names, ids, squares and reaction policies, and what a combatant carries over from an earlier fight."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from combatlog.rules.engine.commands import GM, Declaration
from combatlog.rules.engine.declarations.rulings import keep_unrevealed
from combatlog.rules.engine.grid.squares import grid_of
from combatlog.rules.engine.naming import combatant_id, known_id, older_id, unknown_combatant
from combatlog.rules.engine.options_and_validation import Options
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset import Enlistment, Recruit, Ruleset
from combatlog.rules.engine.ruleset_types import Carried, CarriedCondition
from ledger.events import CombatantJoined, Declared, Gauge, PoliciesSet, Policy, Position
from projections.battle.combatant import Combatant, Condition
from projections.battle.fold import Battle


class JoiningCombatant(BaseModel):
    """One of the combatants that join."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str


class JoinOptions(Enlistment):
    """An enlistment as it is recorded."""

    entrants: tuple[JoiningCombatant, ...] = Field(
        default=(), description="the combatants that join; by default one, under its own name"
    )
    comes_late: bool = Field(
        default=False, description="whether the fight has started, so that initiative is rolled or set at once"
    )


def settle(battle: Battle, rules: Ruleset, said: Declaration, among: Battle) -> Declaration:
    """Choose the names and ids of joining combatants. They are recorded, so that corrections do not change them."""
    enlistment = Enlistment.read(said.options)
    name = enlistment.name or rules.recruit(enlistment).name
    if enlistment.name is not None and enlistment.count == 1:
        check_free(among, combatant_id(name))
    settled: dict[str, Any] = {}
    entrants = tuple(_entrants(among, name, enlistment.count))
    if enlistment.hidden or entrants != (JoiningCombatant(id=older_id(name), name=name),):
        settled["entrants"] = [entrant.model_dump() for entrant in entrants]
    if enlistment.policies:
        settled["policies"] = {policy_name(rules, one): policy for one, policy in enlistment.policies.items()}
    if battle.clock.started and rules.reinforcements_roll:
        settled["comes_late"] = True
    elif enlistment.initiative is not None:
        raise Refusal(
            "join/initiative", "Initiative can be given only when joining a fight that has started.", who=name
        )
    return said.model_copy(update={"options": {**said.options, **settled}})


def _entrants(battle: Battle, name: str, wanted: int) -> Iterator[JoiningCombatant]:
    """Number the names: the first goblin is `Goblin`, the second `Goblin 2`."""
    numbered = (name if number == 1 else f"{name} {number}" for number in count(1))
    free = (JoiningCombatant(id=key, name=one) for one in numbered if _is_free(battle, key := combatant_id(one)))
    return (next(free) for _ in range(wanted))


def join(table: Table, rules: Ruleset, declared: Declared) -> None:
    joining = JoinOptions.read(declared.options)
    recruit = worn(rules.recruit(joining), joining.carried)
    name = joining.name or recruit.name
    entrants = joining.entrants or (JoiningCombatant(id=older_id(name), name=name),)
    squares = _squares(table.battle, rules, joining.position, recruit)
    for entrant in entrants:
        check_free(table.battle, entrant.id)
        table.record(
            CombatantJoined,
            combatant=entrant.id,
            name=entrant.name,
            side=joining.side,
            controller=joining.controller or recruit.controller,
            position=next(squares),
            sheet=recruit.sheet,
            vitals=recruit.vitals,
            resources=recruit.resources,
            policies=joining.policies,
        )
        if joining.hidden:
            keep_unrevealed(table, table.battle.combatants[entrant.id], declared.action)
        for carried in joining.carried.conditions if joining.carried is not None else ():
            rules.carry_condition(table, table.battle.combatants[entrant.id], carried)
    if joining.comes_late:
        rules.reinforce(table, [entrant.id for entrant in entrants], joining.initiative)


def _is_free(battle: Battle, combatant: str) -> bool:
    return combatant not in battle.combatants and combatant != GM


def check_free(battle: Battle, combatant: str) -> None:
    if not _is_free(battle, combatant):
        raise Refusal(
            "join/name-taken", f"There is already a {combatant!r} in this fight; choose another name.", name=combatant
        )


def _squares(battle: Battle, rules: Ruleset, wanted: Position | None, recruit: Recruit) -> Iterator[Position | None]:
    """The given square, then the free ones around it, nearest first; always None if no square was given."""
    while wanted is None:
        yield None
    rules.place(battle, wanted, recruit)
    yield wanted
    for square in _around(battle, wanted):
        if _can_stand(battle, rules, square, recruit):
            yield square
    raise Refusal("place/full", "There is no room left on the map.")


def nearest_free(battle: Battle, rules: Ruleset, wanted: Position, who: Recruit | Combatant) -> Position:
    """The free square nearest to the given one, which may be that square itself."""
    for square in _around(battle, wanted):
        if _can_stand(battle, rules, square, who):
            return square
    raise Refusal("place/full", "There is no room left on the map.")


def _around(battle: Battle, centre: Position) -> list[Position]:
    grid = grid_of(battle.map)

    def distance(square: Position) -> tuple[int, int]:
        across, down = abs(square[0] - centre[0]), abs(square[1] - centre[1])
        return max(across, down), across + down

    return sorted(((x, y) for y in range(grid.height) for x in range(grid.width)), key=distance)


def _can_stand(battle: Battle, rules: Ruleset, square: Position, who: Recruit | Combatant) -> bool:
    try:
        rules.place(battle, square, who)
    except Refusal:
        return False
    return True


def carried_over_combatant(before: Battle, rules: Ruleset, name: str) -> Combatant:
    """A combatant of an earlier fight that can join the next one; refused if it is dead."""
    found = known_id(before, name)
    if found == GM:
        raise unknown_combatant(before, name)
    combatant = before.combatants[found]
    if rules.is_dead(combatant):
        raise Refusal(
            "join/dead",
            f"{combatant.name} died in {before.name!r} and cannot join another fight.",
            who=combatant.id,
            encounter=before.name,
        )
    return combatant


def check_same_rules(before: Battle, rules: Ruleset) -> None:
    if before.encounter.ruleset != rules.name:
        raise Refusal(
            "join/other-ruleset",
            f"{before.name!r} uses the ruleset {before.encounter.ruleset}, and this fight uses {rules.name}; "
            "choose a fight with the same ruleset.",
            encounter=before.name,
            ruleset=before.encounter.ruleset,
        )


def carried_from(before: Battle, rules: Ruleset, combatant: Combatant) -> dict[str, Any]:
    """A combatant's state in an earlier fight, in the form of join options."""
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
    """The options with which a combatant of an earlier fight joins the next: the same sheet, name and policies."""
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
    """A recruit with the vitals and resources that it had in the earlier fight. The sheet still sets the maximums."""
    if carried is None:
        return recruit
    vitals = {
        name: gauge.model_copy(update={"current": _within(carried.vitals.get(name, gauge.current), gauge.maximum)})
        for name, gauge in recruit.vitals.items()
    }
    return recruit.model_copy(update={"vitals": vitals, "resources": {**recruit.resources, **carried.resources}})


def _within(value: int, maximum: int | None) -> int:
    return max(0, value if maximum is None else min(value, maximum))


POLICIES = "core:reaction:policies"
ALL = "*"
"""The key for all reactions that have no policy of their own."""


class PolicyOptions(Options):
    policies: dict[str, Policy] = Field(
        min_length=1, description="its policy for reactions from now on, by name; `*` for all others"
    )


def policy_name(rules: Ruleset, reaction: str) -> str:
    return reaction if reaction == ALL else rules.policy_name(reaction)


def settle_policies(battle: Battle, rules: Ruleset, said: Declaration, among: Battle) -> Declaration:
    known_id(battle, said.actor)
    given = PolicyOptions.read(said.options).policies
    policies = {policy_name(rules, one): policy.value for one, policy in given.items()}
    return said.model_copy(update={"options": {"policies": policies}})


def set_policies(table: Table, rules: Ruleset, declared: Declared) -> None:
    combatant = table.combatant(declared.actor)
    table.record(PoliciesSet, combatant=combatant.id, policies=PolicyOptions.read(declared.options).policies)
