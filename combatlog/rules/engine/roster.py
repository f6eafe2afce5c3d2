"""The characters of a campaign, each as it stands in the newest fight that it took part in."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.ruleset import Ruleset
from ledger.events import Controller, Gauge
from ledger.json_shapes import Documented
from projections.battle import Battle
from projections.combatant import Combatant


class Member(Documented, BaseModel):
    """A character whom a player controls. Within a campaign, a character is a name."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(description="what it is called")
    encounter: UUID = Field(description="the newest fight that it took part in")
    fight: str = Field(description="the name of that fight")
    combatant: str = Field(description="its id in that fight")
    dead: bool = Field(description="whether it died there")
    vitals: dict[str, Gauge] = Field(description="hit points and the like, by name")
    resources: dict[str, Gauge] = Field(description="what it brings to the next fight: slots, uses, items")
    conditions: tuple[str, ...] = Field(description="the refs of conditions that outlast the fight")


def roster(newest_first: Iterable[Battle]) -> list[Member]:
    """Everybody once, by name."""
    found: dict[str, Member] = {}
    for battle in newest_first:
        rules = rulesets.find(battle.encounter.ruleset)
        for combatant in battle.combatants.values():
            if combatant.controller is Controller.PLAYER and combatant.name not in found:
                found[combatant.name] = _member(battle, rules, combatant)
    return sorted(found.values(), key=lambda member: member.name.casefold())


def _member(battle: Battle, rules: Ruleset, combatant: Combatant) -> Member:
    pools = {name: combatant.economy.get(name) for name in rules.carried_resources(combatant)}
    return Member(
        name=combatant.name,
        encounter=battle.id,
        fight=battle.name,
        combatant=combatant.id,
        dead=rules.is_dead(combatant),
        vitals={name: Gauge(current=one.current, maximum=one.maximum) for name, one in combatant.vitals.items()},
        resources={name: Gauge(current=one.current, maximum=one.maximum) for name, one in pools.items() if one},
        conditions=tuple(held.ref for held in rules.lasting_conditions(combatant)),
    )
