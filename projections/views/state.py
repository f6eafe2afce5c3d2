"""The state of a fight as a viewer sees it: the folded battle without what is not seen."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from ledger.events import ActionGranted, Offer
from projections.battle import Battle
from projections.clock import Clock
from projections.combatant import Combatant, Condition
from projections.economy import Economy, Resource
from projections.links import Links, Party
from projections.views.health import Health
from projections.views.numbers import Numbers
from projections.views.seats import Seat
from projections.views.secrets import A_CARD, FACE_DOWN, FACE_UP, Shown, public_options
from projections.views.viewer import GM, Viewer
from projections.window import Window


@dataclass(slots=True)
class Outline(Combatant):
    """A combatant that is known by sight only: it has no sheet, no numbers and no resources."""

    health: Health | None = None


class SeenBattle(Battle):
    """A battle without what is not seen. Nothing can be applied to it."""

    whole: Battle
    """Only for the rules, which work out the figures of the viewer's own combatants on the whole state."""
    seat: Seat
    told: dict[str, Any] | None = None
    """Everybody at a glance as data, where somebody else has worked that out and there is no whole state."""


def seen_battle(battle: Battle, viewer: Viewer, seat: Seat, numbers: Numbers | None = None) -> Battle:
    """The battle as it is seen, with the numbers of events that the seat knows; the same one for those who see
    everything."""
    if viewer.sees_all:
        return battle
    numbers = numbers or Numbers()
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
    """How far a chain has been revealed tells how often dice were rolled, to those who do not see its links."""
    last = party.last if viewer.knows(name, Shown.DICE) else party.anchor
    return replace(party, last=last, since=0, asked=0)


def _clock(clock: Clock, viewer: Viewer) -> Clock:
    """The numbers stay for one's own; for the others, the place in the order says all that is seen."""
    turn = clock.turn if clock.turn is None or viewer.sees(clock.turn) else None
    order = [
        entry if viewer.knows(entry.combatant, Shown.INITIATIVE) else entry.model_copy(update={"value": None})
        for entry in clock.order
        if viewer.sees(entry.combatant)
    ]
    return Clock(clock.round, turn, order, clock.closed)


def _combatant(combatant: Combatant, viewer: Viewer, numbers: Numbers) -> Combatant:
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
    shows_sheet, shows_hp = (viewer.knows(combatant.id, what) for what in (Shown.SHEETS, Shown.HIT_POINTS))
    return Outline(
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


def _economy(economy: Economy, numbers: Numbers) -> Economy:
    return Economy({name: _resource(resource, numbers) for name, resource in economy.items()})


def _resource(resource: Resource, numbers: Numbers) -> Resource:
    recent = tuple(change.model_copy(update={"seq": numbers.since(change.seq)}) for change in resource.recent)
    return replace(resource, recent=recent)


def _granted(combatant: Combatant, numbers: Numbers) -> dict[str, ActionGranted]:
    named = {numbers.grant(combatant.id, id): grant for id, grant in combatant.granted.items()}
    return {id: grant.model_copy(update={"grant": id, "seq": numbers.since(grant.seq)}) for id, grant in named.items()}


def _condition(held: Condition, viewer: Viewer, numbers: Numbers) -> Condition:
    until = held.until
    if until is not None and until.whose is not None and not viewer.sees(until.whose):
        until = None
    return replace(held, owner=viewer.masked(held.owner), since=numbers.since(held.since), until=until, data={})


def _window(window: Window, viewer: Viewer, numbers: Numbers) -> Window | None:
    own = tuple(_offer(offer) for offer in window.offers if offer.reactor in viewer.own)
    seen = copy(window)
    hides = window.is_for_dice and not viewer.sees_roll(window.subject, window.declaration)
    seen.subject, seen.offers = GM if hides else viewer.masked(window.subject), own
    seen.seq, seen.declaration = numbers.since(window.seq), numbers.group(window.declaration) or 1
    return seen if own else None


def _offer(offer: Offer) -> Offer:
    return offer.model_copy(update={"useful": ()})
