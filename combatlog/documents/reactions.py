"""What somebody is asked who may react: until when, and what each choice costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from projections.time_limits import answer_until
from projections.views.state import SeenBattle
from rules.engine.ruleset import find

if TYPE_CHECKING:
    from combatlog.documents.shapes import AskedData, ChoiceData, PriceData
    from ledger.events import Offer
    from projections.battle import Battle


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
        "until": until.isoformat() if until is not None else None,
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
