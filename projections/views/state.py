"""The state of a fight as a viewer sees it: the folded battle without what is not seen."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace

from ledger.events import Offer
from projections.battle import Battle
from projections.clock import Clock
from projections.combatant import Combatant, Condition
from projections.economy import Economy
from projections.views.health import Health
from projections.views.seats import Seat
from projections.views.secrets import A_CARD, FACE_DOWN, FACE_UP, UNNOTICED
from projections.views.viewer import Viewer
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


def seen_battle(battle: Battle, viewer: Viewer, seat: Seat) -> Battle:
    """The battle as it is seen; the same one for those who see everything."""
    if viewer.sees_all:
        return battle
    seen = SeenBattle()
    seen.whole, seen.seat = battle, seat
    seen.seq, seen.fork, seen.labels = battle.seq, battle.fork, ()
    seen.map = battle.map
    opened = battle.opened
    if opened is not None:
        seen.opened = opened.model_copy(update={"dice": opened.dice.partition(":")[0], "options": {}})
    seen.clock = _clock(battle.clock, viewer)
    seen.combatants = {
        id: _combatant(combatant, viewer) for id, combatant in battle.combatants.items() if viewer.sees(id)
    }
    seen.window = _window(battle.window, viewer) if battle.window is not None else None
    return seen


def _clock(clock: Clock, viewer: Viewer) -> Clock:
    """The numbers stay for one's own; for the others, the place in the order says all that is seen."""
    turn = clock.turn if clock.turn is None or viewer.sees(clock.turn) else None
    order = [
        entry if entry.combatant in viewer.own else entry.model_copy(update={"value": None})
        for entry in clock.order
        if viewer.sees(entry.combatant)
    ]
    return Clock(clock.round, turn, order, clock.closed)


def _combatant(combatant: Combatant, viewer: Viewer) -> Combatant:
    conditions = {ref: _condition(held, viewer) for ref, held in combatant.conditions.items()}
    if combatant.id in viewer.own:
        deck = {FACE_DOWN: [A_CARD] * len(combatant.pile(FACE_DOWN))} if combatant.pile(FACE_DOWN) else {}
        return replace(combatant, conditions=conditions, piles={**combatant.piles, **deck}, view=None)
    return Outline(
        id=combatant.id,
        name=combatant.name,
        side=combatant.side,
        controller=combatant.controller,
        position=combatant.position,
        sheet={},
        vitals={},
        economy=Economy(),
        policies={},
        conditions={ref: held for ref, held in conditions.items() if ref not in UNNOTICED},
        piles={name: cards if name == FACE_UP else [A_CARD] * len(cards) for name, cards in combatant.piles.items()},
        present=combatant.present,
        health=viewer.health.get(combatant.id),
    )


def _condition(held: Condition, viewer: Viewer) -> Condition:
    until = held.until
    if until is not None and until.whose is not None and not viewer.sees(until.whose):
        until = None
    return replace(held, owner=viewer.masked(held.owner), until=until, data={})


def _window(window: Window, viewer: Viewer) -> Window | None:
    own = tuple(_offer(offer) for offer in window.offers if offer.reactor in viewer.own)
    seen = copy(window)
    seen.subject, seen.offers = viewer.masked(window.subject), own
    return seen if own else None


def _offer(offer: Offer) -> Offer:
    return offer.model_copy(update={"useful": ()})
