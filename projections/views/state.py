"""The state of a fight as a seat sees it, and the state as plain data for JSON."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from ledger.events import ActionGranted, Data, Offer
from projections.battle.clock_and_map import Clock, ReactionWindow
from projections.battle.combatant import Combatant, Condition, Economy, Resource
from projections.battle.dice import Links, Party
from projections.battle.fold import Battle
from projections.views.redacted_events import ApparentHealth
from projections.views.seats import Seat, SeatNumbering
from projections.views.visibility import A_CARD, FACE_DOWN, FACE_UP, GM, ShownDetail, Viewer, public_options


@dataclass(slots=True)
class CombatantOutline(Combatant):
    """A combatant that is known by sight only: it has no sheet, no numbers and no resources."""

    health: ApparentHealth | None = None


class SeenBattle(Battle):
    """A battle without anything that the seat does not see. Events cannot be applied to it."""

    whole: Battle
    """Only for the rules, which work out the figures of the viewer's own combatants on the complete state."""
    seat: Seat
    told: dict[str, Any] | None = None
    """The summaries of all combatants as data, from a service that has the complete state."""


def seen_battle(battle: Battle, viewer: Viewer, seat: Seat, numbers: SeatNumbering | None = None) -> Battle:
    """The battle as it is seen, with the event numbers of the seat; the battle itself for seats that see everything."""
    if viewer.sees_all:
        return battle
    numbers = numbers or SeatNumbering()
    seen = SeenBattle()
    seen.whole, seen.seat = battle, seat
    seen.seq, seen.fork, seen.labels = numbers.last, battle.fork, ()
    seen.map = battle.map
    opened = battle.opened
    if opened is not None:
        seen.opened = opened.model_copy(
            update={"dice": opened.dice.partition(":")[0], "options": public_options(opened.options)}
        )
    seen.clock = _clock(battle.clock, viewer)
    seen.combatants = {
        id: _combatant(combatant, viewer, numbers) for id, combatant in battle.combatants.items() if viewer.sees(id)
    }
    seen.window = _window(battle.window, viewer, numbers) if battle.window is not None else None
    parties = {name: party for name, party in battle.links.parties.items() if viewer.sees(name)}
    seen.links = Links({name: _party(name, party, viewer) for name, party in parties.items()})
    return seen


def _party(name: str, party: Party, viewer: Viewer) -> Party:
    """How far a chain has been revealed tells how often dice were rolled, so it is hidden from seats that do not see
    its links."""
    last = party.last if viewer.knows(name, ShownDetail.DICE) else party.anchor
    return replace(party, last=last, since=0, asked=0)


def _clock(clock: Clock, viewer: Viewer) -> Clock:
    """Numbers stay for the viewer's own combatants. Of others, only the place in the order is seen."""
    turn = clock.turn if clock.turn is None or viewer.sees(clock.turn) else None
    order = [
        entry if viewer.knows(entry.combatant, ShownDetail.INITIATIVE) else entry.model_copy(update={"value": None})
        for entry in clock.order
        if viewer.sees(entry.combatant)
    ]
    return Clock(clock.round, turn, order, clock.closed)


def _combatant(combatant: Combatant, viewer: Viewer, numbers: SeatNumbering) -> Combatant:
    conditions = {ref: _condition(held, viewer, numbers) for ref, held in combatant.conditions.items()}
    if combatant.id in viewer.own:
        deck = {FACE_DOWN: [A_CARD] * len(combatant.pile(FACE_DOWN))} if combatant.pile(FACE_DOWN) else {}
        return replace(
            combatant,
            conditions=conditions,
            piles={**combatant.piles, **deck},
            economy=_economy(combatant.economy, numbers),
            granted=_granted(combatant, numbers),
            view=None,
        )
    shows_sheet, shows_hp = (viewer.knows(combatant.id, what) for what in (ShownDetail.SHEETS, ShownDetail.HIT_POINTS))
    return CombatantOutline(
        id=combatant.id,
        name=combatant.name,
        side=combatant.side,
        controller=combatant.controller,
        position=combatant.position,
        sheet=combatant.sheet if shows_sheet else {},
        vitals={name: replace(vital) for name, vital in combatant.vitals.items()} if shows_hp else {},
        economy=_economy(combatant.economy, numbers) if shows_sheet else Economy(),
        policies={},
        conditions={ref: held for ref, held in conditions.items() if ref not in viewer.unnoticed},
        piles={name: cards if name == FACE_UP else [A_CARD] * len(cards) for name, cards in combatant.piles.items()},
        present=combatant.present,
        health=viewer.health.get(combatant.id),
    )


def _economy(economy: Economy, numbers: SeatNumbering) -> Economy:
    return Economy({name: _resource(resource, numbers) for name, resource in economy.items()})


def _resource(resource: Resource, numbers: SeatNumbering) -> Resource:
    recent = tuple(change.model_copy(update={"seq": numbers.since(change.seq)}) for change in resource.recent)
    return replace(resource, recent=recent)


def _granted(combatant: Combatant, numbers: SeatNumbering) -> dict[str, ActionGranted]:
    named = {numbers.grant(combatant.id, id): grant for id, grant in combatant.granted.items()}
    return {id: grant.model_copy(update={"grant": id, "seq": numbers.since(grant.seq)}) for id, grant in named.items()}


def _condition(held: Condition, viewer: Viewer, numbers: SeatNumbering) -> Condition:
    until = held.until
    if until is not None and until.whose is not None and not viewer.sees(until.whose):
        until = None
    return replace(held, owner=viewer.masked(held.owner), since=numbers.since(held.since), until=until, data={})


def _window(window: ReactionWindow, viewer: Viewer, numbers: SeatNumbering) -> ReactionWindow | None:
    own = tuple(_offer(offer) for offer in window.offers if offer.reactor in viewer.own)
    seen = copy(window)
    hides = window.is_for_dice and not viewer.sees_roll(window.subject, window.declaration)
    seen.subject, seen.offers = GM if hides else viewer.masked(window.subject), own
    seen.seq, seen.declaration = numbers.since(window.seq), numbers.group(window.declaration) or 1
    return seen if own else None


def _offer(offer: Offer) -> Offer:
    return offer.model_copy(update={"useful": ()})


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


class BattleState(TypedDict):
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


def battle_state(battle: Battle) -> BattleState:
    opened, clock = battle.encounter, battle.clock
    state: BattleState = {
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
        "combatants": {combatant.id: _combatant_state(combatant) for combatant in battle.combatants.values()},
        "questions": {str(seq): question.effect for seq, question in battle.questions.items()},
        "window": _window_state(battle.window) if battle.window else None,
    }
    if isinstance(battle, SeenBattle):
        state["order"] = [entry.combatant for entry in clock.order]
    return state


def _window_state(window: ReactionWindow) -> WindowState:
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


def _combatant_state(combatant: Combatant) -> CombatantState:
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
    if isinstance(combatant, CombatantOutline) and combatant.health is not None:
        known["health"] = combatant.health.value
    return known


Combatants = dict[str, CombatantState]
