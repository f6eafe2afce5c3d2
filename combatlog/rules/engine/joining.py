"""Joining a fight: under which names and ids, and on which squares."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from combatlog.rules.engine.carrying import worn
from combatlog.rules.engine.commands import GM, Declaration
from combatlog.rules.engine.grid import grid_of
from combatlog.rules.engine.naming import combatant_id, older_id
from combatlog.rules.engine.policies import policy_name
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.revealing import keep_unrevealed
from combatlog.rules.engine.ruleset import Enlistment, Recruit, Ruleset
from combatlog.rules.engine.table import Table
from ledger.events import CombatantJoined, Declared, Position
from projections.battle import Battle
from projections.combatant import Combatant


class Entrant(BaseModel):
    """One combatant who joins."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str


class Joining(Enlistment):
    """An enlistment as it is recorded."""

    entrants: tuple[Entrant, ...] = Field(default=(), description="who joins; by default one, under its own name")
    comes_late: bool = Field(default=False, description="the fight has started, so initiative is rolled or set at once")


def settle(battle: Battle, rules: Ruleset, said: Declaration, among: Battle) -> Declaration:
    """Decide names and ids when somebody joins. They are recorded, so that no correction of others changes them."""
    enlistment = Enlistment.read(said.options)
    name = enlistment.name or rules.recruit(enlistment).name
    if enlistment.name is not None and enlistment.count == 1:
        check_free(among, combatant_id(name))
    settled: dict[str, Any] = {}
    entrants = tuple(_entrants(among, name, enlistment.count))
    if enlistment.hidden or entrants != (Entrant(id=older_id(name), name=name),):
        settled["entrants"] = [entrant.model_dump() for entrant in entrants]
    if enlistment.policies:
        settled["policies"] = {policy_name(rules, one): policy for one, policy in enlistment.policies.items()}
    if battle.clock.started and rules.reinforcements_roll:
        settled["comes_late"] = True
    elif enlistment.initiative is not None:
        raise Refusal("join/initiative", "Initiative is set when somebody joins a fight that has started.", who=name)
    return said.model_copy(update={"options": {**said.options, **settled}})


def _entrants(battle: Battle, name: str, wanted: int) -> Iterator[Entrant]:
    """The first goblin is Goblin, the second Goblin 2."""
    numbered = (name if number == 1 else f"{name} {number}" for number in count(1))
    free = (Entrant(id=key, name=one) for one in numbered if _is_free(battle, key := combatant_id(one)))
    return (next(free) for _ in range(wanted))


def join(table: Table, rules: Ruleset, declared: Declared) -> None:
    joining = Joining.read(declared.options)
    recruit = worn(rules.recruit(joining), joining.carried)
    name = joining.name or recruit.name
    entrants = joining.entrants or (Entrant(id=older_id(name), name=name),)
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
    """The square that was named, and then the free ones around it, the nearest first; nowhere if none was named."""
    while wanted is None:
        yield None
    rules.place(battle, wanted, recruit)
    yield wanted
    for square in _around(battle, wanted):
        if _can_stand(battle, rules, square, recruit):
            yield square
    raise Refusal("place/full", "There is no room left on the map.")


def nearest_free(battle: Battle, rules: Ruleset, wanted: Position, who: Recruit | Combatant) -> Position:
    """The free square that is nearest to another one, or that square itself."""
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
