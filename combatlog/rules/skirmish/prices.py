"""What the choices in a window use up: cards, tokens, surges, attachments, health."""

from __future__ import annotations

from collections.abc import Callable

from combatlog.rules.engine.prices import Price, price
from combatlog.rules.skirmish.card_piles import DISCARD_FROM_DECK
from combatlog.rules.skirmish.conditions.round_rules import ACT_MORE
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.tokens import TokenKind, resource_of
from combatlog.rules.skirmish.vitality import DISCARD_TOP
from combatlog.rules.skirmish.vocabulary import HEALTH, name_in, ref
from projections.battle import Battle
from projections.combatant import Combatant

CARD, TOP_CARD, SURGE = "card", "top card of the deck", "surge"
_SEEN_ONLY = ("hand.seen", "cards.steal", "cards.discard_theirs")
"""Moments at which the cards to choose from are the opponent's."""
OVERDRIVE = ref("condition", "overdrive")


def prices_of(battle: Battle, player: Combatant, choice: str) -> list[Price]:
    kind = choice.split(":")[1]
    find = _ONE.get(choice) or _BY_TYPE.get(kind)
    if choice == DISCARD_FROM_DECK:
        return []  # how many cards, only the card says that is being played
    return [price(find(battle, player, choice) if find is not None else {}, _words)]


def _card(battle: Battle, player: Combatant, choice: str) -> dict[str, int]:
    moment = battle.window.moment if battle.window is not None else None
    return {} if moment in _SEEN_ONLY else {CARD: 1}


def _token(battle: Battle, player: Combatant, choice: str) -> dict[str, int]:
    return {resource_of(TokenKind(name_in(choice).partition("_as_")[0])): 1}


def _surge(battle: Battle, player: Combatant, choice: str) -> dict[str, int]:
    known = library_of(battle).by_ref.get(choice)
    return {SURGE: known.surge_cost if known is not None else 1}


def _overdrive(battle: Battle, player: Combatant, choice: str) -> dict[str, int]:
    return {HEALTH: int(player.conditions[OVERDRIVE].data["damage"])}


Find = Callable[[Battle, Combatant, str], dict[str, int]]
_ONE: dict[str, Find] = {
    DISCARD_TOP: lambda battle, player, choice: {TOP_CARD: 1},
    ACT_MORE: _overdrive,
}
_BY_TYPE: dict[str, Find] = {
    "card": _card,
    "token": _token,
    "surge": _surge,
    "exhaust": lambda battle, player, choice: {choice: 1},
    "deplete": lambda battle, player, choice: {choice: 1},
}
"""By the type of the ref. Choosing a figure, a space, a die or a side costs nothing."""


def _words(resource: str, amount: int) -> str:
    if resource.startswith("skirmish:"):
        _, how, name = resource.split(":")
        return f"{how}s {name.replace('_', ' ')}"
    plural = "s" if amount > 1 and resource != HEALTH else ""
    return f"{amount} {resource.replace('_', ' ')}{plural}"
