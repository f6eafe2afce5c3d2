"""What is answered for somebody who may react and lets the time pass."""

from __future__ import annotations

from datetime import datetime

from combatlog.rules.engine.commands import Reply
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import policy_of
from ledger.events import Offer, Policy
from projections.battle import Battle
from projections.time_limits import TIME_UP, TimeUp, answer_until


def overdue_offer(battle: Battle, now: datetime) -> Offer:
    """The offer that nobody has answered in time; refused if there is none."""
    waiting = battle.window.waiting if battle.window is not None else None
    if waiting is None:
        raise Refusal("reaction/no-window", "Nobody is being asked to react.")
    until = answer_until(battle)
    if until is None:
        raise Refusal(
            "reaction/no-limit", f"{waiting.reactor} may take any time to answer in this fight.", asked=waiting.reactor
        )
    if now < until:
        left = max(1, round((until - now).total_seconds()))
        raise Refusal(
            "reaction/time-left",
            f"{waiting.reactor} still has {left} second{'s' if left != 1 else ''} to answer.",
            asked=waiting.reactor,
            needed=left,
        )
    return waiting


def answer_for(battle: Battle, offer: Offer, by: str | None = None) -> Reply:
    """What is answered for a combatant that did not answer."""
    return Reply(reactor=offer.reactor, reaction=_chosen(battle, offer), by=by or "system")


def _chosen(battle: Battle, offer: Offer) -> str | None:
    if battle.encounter.options.get(TIME_UP) != TimeUp.WHEN_USEFUL:
        return None
    reactor = battle.combatants[offer.reactor]
    useful = [reaction for reaction in offer.reactions if reaction in offer.useful]
    return next((reaction for reaction in useful if policy_of(reactor, reaction) is not Policy.NEVER), None)
