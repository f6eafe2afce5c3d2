"""The state of a battle as plain data, for JSON."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from ledger.events import Data
from projections.battle import Battle
from projections.combatant import Combatant
from projections.views.state import Outline, SeenBattle
from projections.window import Window


class PlaceInOrder(TypedDict):
    combatant: str
    value: Annotated[int, Field(description="its initiative")]


class VitalState(TypedDict):
    current: int
    maximum: int | None


class ResourceState(TypedDict):
    current: Annotated[int, Field(description="what is available")]
    maximum: int | None
    spent: Annotated[int, Field(description="since it was last renewed")]
    locked: Annotated[int, Field(description="committed: neither available nor spent")]


class ConditionState(TypedDict):
    source: Annotated[str, Field(description="what it comes from, as ruleset:type:name")]
    owner: Annotated[str, Field(description="who caused it")]
    since: Annotated[int, Field(description="seq of the event with which it began")]
    until: Annotated[Data | None, Field(description="when it ends by itself; null: it does not")]
    level: int | None


class GrantState(TypedDict):
    action: str
    grant: str
    source: str


class CombatantState(TypedDict):
    name: Annotated[str, Field(description="the name people call it by")]
    side: str
    controller: Literal["player", "gm"]
    present: Annotated[bool, Field(description="false: it has left the fight")]
    position: Annotated[list[int] | None, Field(description="column and row, both from 0")]
    vitals: dict[str, VitalState]
    health: NotRequired[
        Annotated[str, Field(description="how it looks, if it is known by sight only: it has no vitals then")]
    ]
    economy: dict[str, ResourceState]
    conditions: Annotated[dict[str, ConditionState], Field(description="by what they are, as ruleset:type:name")]
    granted: Annotated[list[GrantState], Field(description="actions it may take once")]
    piles: Annotated[dict[str, list[str]], Field(description="its cards, by pile")]


class OfferState(TypedDict):
    reactor: str
    reactions: list[str]
    useful: list[str]


class WindowState(TypedDict):
    seq: int
    moment: str
    subject: Annotated[str, Field(description="whose doing can be reacted to")]
    waiting: Annotated[OfferState | None, Field(description="who has to answer next")]
    binding: NotRequired[Annotated[str, Field(description="of a roll of shared dice: SHA-256 of the host's link")]]


class State(TypedDict):
    encounter: Annotated[str, Field(description="the encounter's id")]
    name: str
    ruleset: str
    dice: str
    seq: Annotated[int, Field(description="the last event of which this is the state")]
    round: Annotated[int, Field(description="0 before the first")]
    turn: Annotated[str | None, Field(description="the id of the combatant whose turn it is")]
    closed: bool
    initiative: list[PlaceInOrder]
    order: NotRequired[
        Annotated[list[str], Field(description="from a seat that does not see every initiative: who acts after whom")]
    ]
    combatants: Annotated[dict[str, CombatantState], Field(description="by their ids")]
    questions: Annotated[dict[str, str], Field(description="what the GM has to resolve, by the seq of the event")]
    window: Annotated[WindowState | None, Field(description="the open reaction window")]


def describe(battle: Battle) -> State:
    opened, clock = battle.encounter, battle.clock
    state: State = {
        "encounter": str(battle.id),
        "name": battle.name,
        "ruleset": opened.ruleset,
        "dice": opened.dice,
        "seq": battle.seq,
        "round": clock.round,
        "turn": clock.turn,
        "closed": clock.closed,
        "initiative": [
            {"combatant": entry.combatant, "value": entry.value} for entry in clock.order if entry.value is not None
        ],
        "combatants": {combatant.id: _combatant(combatant) for combatant in battle.combatants.values()},
        "questions": {str(seq): question.effect for seq, question in battle.questions.items()},
        "window": _window(battle.window) if battle.window else None,
    }
    if isinstance(battle, SeenBattle):
        state["order"] = [entry.combatant for entry in clock.order]
    return state


def _window(window: Window) -> WindowState:
    offer = window.waiting
    waiting: OfferState | None = (
        {"reactor": offer.reactor, "reactions": list(offer.reactions), "useful": list(offer.useful)} if offer else None
    )
    state: WindowState = {
        "seq": window.seq,
        "moment": window.moment,
        "subject": window.subject,
        "waiting": waiting,
    }
    if window.binding is not None:
        state["binding"] = window.binding
    return state


def _combatant(combatant: Combatant) -> CombatantState:
    known: CombatantState = {
        "name": combatant.name,
        "side": combatant.side,
        "controller": combatant.controller.value,
        "present": combatant.present,
        "position": list(combatant.position) if combatant.position else None,
        "vitals": {
            name: {"current": vital.current, "maximum": vital.maximum} for name, vital in combatant.vitals.items()
        },
        "economy": {
            name: {
                "current": resource.current,
                "maximum": resource.maximum,
                "spent": resource.spent,
                "locked": resource.locked,
            }
            for name, resource in combatant.economy.items()
        },
        "conditions": {
            condition.ref: {
                "source": condition.source,
                "owner": condition.owner,
                "since": condition.since,
                "until": condition.until.model_dump(mode="json", exclude_none=True) if condition.until else None,
                "level": condition.level,
            }
            for condition in combatant.conditions.values()
        },
        "granted": [
            {"action": grant.action, "grant": grant.grant, "source": grant.source}
            for grant in combatant.granted.values()
        ],
        "piles": {name: list(cards) for name, cards in combatant.piles.items()},
    }
    if isinstance(combatant, Outline) and combatant.health is not None:
        known["health"] = combatant.health.value
    return known


Combatants = dict[str, CombatantState]
