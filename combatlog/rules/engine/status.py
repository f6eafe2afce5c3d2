"""The state of a fight for programs and screens: what is so, what somebody is asked, and everybody at a glance."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, cast

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from combatlog.rules.engine.glance import Glance, glances
from combatlog.rules.engine.ruleset import find
from ledger.events import Offer
from projections.battle import Battle
from projections.snapshot import State, describe
from projections.time_limits import answer_until
from projections.views.state import SeenBattle

GlanceData = Annotated[dict[str, Any], WithJsonSchema(Glance.model_json_schema(mode="serialization"))]


class CostData(TypedDict):
    resource: Annotated[str, Field(description="what is used up, as the events name it: a resource, a pool, or a ref")]
    amount: int
    words: Annotated[str, Field(description="the same for people")]


class PriceData(TypedDict):
    options: Annotated[dict[str, Any], Field(description="what has to be said with the answer to pay in this way")]
    costs: Annotated[list[CostData], Field(description="empty: it is free")]


class ChoiceData(TypedDict):
    reaction: str
    prices: Annotated[
        list[PriceData], Field(description="the ways to pay, the usual one first; empty: the ruleset does not tell")
    ]


class AskedData(TypedDict):
    window: Annotated[int, Field(description="seq of the window")]
    moment: str
    reactor: Annotated[str, Field(description="who has to answer")]
    reactions: list[str]
    choices: Annotated[list[ChoiceData], Field(description="what each of them costs")]
    until: Annotated[str | None, Field(description="when the time to answer is up; null: there is no limit")]
    binding: NotRequired[Annotated[str, Field(description="of a roll of shared dice: SHA-256 of the link of the host")]]


class StatusData(State):
    asked: Annotated[AskedData | None, Field(description="what the fight waits for somebody to answer")]
    labels: Annotated[list[str], Field(description="`practice`, `archived` and others, sorted")]
    glances: Annotated[
        dict[str, GlanceData],
        Field(description="each combatant as its ruleset sums it up for a screen, by id: armour class, what is left"),
    ]


def status_of(battle: Battle) -> StatusData:
    """The state, or what a seat sees of it."""
    return {
        **describe(battle),
        "asked": asked_data(battle),
        "labels": list(battle.labels),
        "glances": {combatant: glance.model_dump() for combatant, glance in glances(battle).items()},
    }


def asked_data(battle: Battle) -> AskedData | None:
    """The open question, in the state or in what a seat sees of it; None if nobody is asked whom the seat plays."""
    whole = battle.whole if isinstance(battle, SeenBattle) else battle
    window, asked = battle.window, whole.window
    offer = window.waiting if window is not None else None
    if window is None or offer is None or asked is None or asked.waiting is None:
        return None
    if asked.waiting.reactor != offer.reactor:
        return None  # somebody else is asked before
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
