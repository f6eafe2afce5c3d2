"""The state of a fight for programs and screens, and the roster of a campaign.

The status contains the facts, the open question, and a summary of each combatant. The roster lists each character with
its state in its newest fight.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, NotRequired, cast
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema
from typing_extensions import TypedDict

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.ruleset import Ruleset, find
from combatlog.rules.engine.summary import CombatantSummary, summaries
from ledger.events import Controller, Gauge, Offer
from ledger.json_shapes import Documented
from projections.battle.combatant import Combatant
from projections.battle.consent import answer_until
from projections.battle.fold import Battle
from projections.views.state import BattleState, SeenBattle, battle_state

CombatantSummaryData = Annotated[
    dict[str, Any], WithJsonSchema(CombatantSummary.model_json_schema(mode="serialization"))
]


class CostData(TypedDict):
    resource: Annotated[str, Field(description="what is used up, as events name it: a resource, a pool, or a ref")]
    amount: int
    words: Annotated[str, Field(description="the same in words")]


class PriceData(TypedDict):
    options: Annotated[dict[str, Any], Field(description="the options of the answer that select this way to pay")]
    costs: Annotated[list[CostData], Field(description="empty: it is free")]


class ChoiceData(TypedDict):
    reaction: str
    prices: Annotated[
        list[PriceData], Field(description="the ways to pay, the usual one first; empty: the ruleset does not say")
    ]


class AskedData(TypedDict):
    window: Annotated[int, Field(description="seq of the window")]
    moment: str
    reactor: Annotated[str, Field(description="who has to answer")]
    reactions: list[str]
    choices: Annotated[list[ChoiceData], Field(description="the cost of each reaction")]
    until: Annotated[str | None, Field(description="when the time to answer is up; null: no limit")]
    binding: NotRequired[Annotated[str, Field(description="for a roll of shared dice: SHA-256 of the host's link")]]


class StatusData(BattleState):
    asked: Annotated[AskedData | None, Field(description="the question that the fight waits for; null: none")]
    labels: Annotated[list[str], Field(description="`practice`, `archived` and others, sorted")]
    glances: Annotated[
        dict[str, CombatantSummaryData],
        Field(description="the ruleset's summary of each combatant for a screen, by id: armour class, resources left"),
    ]


def status_of(battle: Battle) -> StatusData:
    """The status of a fight, or what a seat sees of it."""
    return {
        **battle_state(battle),
        "asked": asked_data(battle),
        "labels": list(battle.labels),
        "glances": {combatant: glance.model_dump() for combatant, glance in summaries(battle).items()},
    }


def asked_data(battle: Battle) -> AskedData | None:
    """The open question, in the state or as a seat sees it; None if it is not for a combatant of the seat."""
    whole = battle.whole if isinstance(battle, SeenBattle) else battle
    window, asked = battle.window, whole.window
    offer = window.waiting if window is not None else None
    if window is None or offer is None or asked is None or asked.waiting is None:
        return None
    if asked.waiting.reactor != offer.reactor:
        return None  # another combatant is asked first
    until = answer_until(whole)
    asking: AskedData = {
        "window": window.seq,
        "moment": window.moment,
        "reactor": offer.reactor,
        "reactions": list(offer.reactions),
        "choices": choices_data(whole, offer),
        "until": until.replace(microsecond=0).isoformat() if until is not None else None,
    }
    if window.binding is not None:
        asking["binding"] = window.binding
    return asking


def choices_data(battle: Battle, offer: Offer) -> list[ChoiceData]:
    """Each reaction that is offered, with the ways to pay for it."""
    rules, reactor = find(battle.encounter.ruleset), battle.combatants[offer.reactor]
    return [
        {
            "reaction": reaction,
            "prices": [
                cast("PriceData", price.model_dump()) for price in rules.reaction_prices(battle, reactor, reaction)
            ],
        }
        for reaction in offer.reactions
    ]


class Member(Documented, BaseModel):
    """A character that a player controls. Within a campaign, characters are told apart by name."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(description="its name")
    encounter: UUID = Field(description="the newest fight that it took part in")
    fight: str = Field(description="the name of that fight")
    combatant: str = Field(description="its id in that fight")
    dead: bool = Field(description="whether it died there")
    vitals: dict[str, Gauge] = Field(description="hit points and the like, by name")
    resources: dict[str, Gauge] = Field(description="what it keeps for the next fight: slots, uses, items")
    conditions: tuple[str, ...] = Field(description="the refs of conditions that outlast the fight")


def roster(newest_first: Iterable[Battle]) -> list[Member]:
    """Each character once, by name."""
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
