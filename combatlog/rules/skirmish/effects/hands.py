"""What happens to hands, decks and discard piles."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.skirmish.card_piles import (
    DISCARD_FROM_DECK,
    discard,
    draw,
    pick_at_random,
    put_on_top,
    shuffle_deck,
)
from combatlog.rules.skirmish.conditions.card_rules import SIGNAL_JAMMER
from combatlog.rules.skirmish.conditions.held import UNTIL_ROUND_ENDS
from combatlog.rules.skirmish.effects.victory_points import gain_points
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.player_choice import ask, choose
from combatlog.rules.skirmish.registry import Amount, Flag, effect, setting
from combatlog.rules.skirmish.usefulness import never
from combatlog.rules.skirmish.vitality import suffer_strain
from combatlog.rules.skirmish.vocabulary import DECK, DISCARD, HAND, NO_CARDS, NO_DRAWING, Need, Timing, ref
from projections.combatant import Combatant

_DURING = Timing.DURING_ACTIVATION


def _chosen_card(play: Play, moment: str, cards: Sequence[str]) -> str:
    """The player chooses; by default the first one."""
    by_ref = {ref("card", card): card for card in cards}
    return by_ref[choose(play.table, moment, play.player, play.player.id, list(by_ref), default=next(iter(by_ref)))]


def _others(play: Situation) -> list[str]:
    """The player's discard pile without this card, which has just come there."""
    return [card for card in play.player.pile(DISCARD) if card != play.ability.id]


@effect("returnDiscardToHand", Flag, needs=Need.PLAYER, timing=_DURING, changes=lambda play, _: bool(_others(play)))
def take_back(play: Play, _: bool) -> None:
    """the player takes a card back from its discard pile"""
    if cards := _others(play):
        card = _chosen_card(play, "cards.take_back", cards)
        play.table.move_cards(play.player, [card], DISCARD, HAND, play.reason)


@effect(
    "shuffleOneFromDiscardIntoDeck",
    Flag,
    needs=Need.PLAYER,
    timing=Timing.SPECIAL_ACTION,
    changes=lambda play, _: bool(_others(play)),
)
def put_back(play: Play, _: bool) -> None:
    """the player shuffles a card of its discard pile into its deck"""
    if cards := _others(play):
        card = _chosen_card(play, "cards.put_back", cards)
        play.table.move_cards(play.player, [card], DISCARD, DECK, play.reason)
        shuffle_deck(play.table, play.player)


@effect(
    "shuffleHandIntoDeckThenDraw",
    Amount,
    needs=Need.PLAYER,
    timing=Timing.SPECIAL_ACTION,
    changes=lambda play, amount: len(play.player.pile(HAND)) < amount,
)
def start_over(play: Play, amount: int) -> None:
    """a player, whom the player chooses, shuffles its hand into its deck, then draws cards"""
    both = {ref("player", one.id): one for one in (play.player, play.opponent)}
    name = choose(play.table, "cards.whose", play.player, play.player.id, list(both), default=next(iter(both)))
    chosen = both[name]
    if hand := chosen.pile(HAND):
        play.table.move_cards(chosen, hand, HAND, DECK, play.reason)
    shuffle_deck(play.table, chosen)
    draw(play.table, chosen, amount, play.reason)


def _discard_at_random(play: Play, player: Combatant, amount: int) -> None:
    for _ in range(min(amount, len(player.pile(HAND)))):
        discard(play.table, player, pick_at_random(play.table, player, player.pile(HAND)), play.reason)


@effect("discardRandomFromHand", Amount, needs=Need.PLAYER, timing=_DURING, changes=never)
def discard_own(play: Play, amount: int) -> None:
    """the player discards random cards from its hand"""
    _discard_at_random(play, play.player, amount)


@effect(
    "opponentDiscardRandomFromHand",
    Amount,
    needs=Need.PLAYER,
    timing=_DURING,
    changes=lambda play, _: bool(play.opponent.pile(HAND)),
)
def discard_opponents(play: Play, amount: int) -> None:
    """the opponent discards random cards from its hand"""
    _discard_at_random(play, play.opponent, amount)


@effect(
    "opponentHandRandomToDeckTop",
    Amount,
    needs=Need.PLAYER,
    timing=Timing.START_OF_ROUND,
    changes=lambda play, _: bool(play.opponent.pile(HAND)),
)
def stall(play: Play, amount: int) -> None:
    """the opponent puts random cards of its hand on top of its deck"""
    for _ in range(min(amount, len(play.opponent.pile(HAND)))):
        card = pick_at_random(play.table, play.opponent, play.opponent.pile(HAND))
        put_on_top(play.table, play.opponent, card, play.reason)


@effect(
    "opponentDiscardDeckTop",
    Amount,
    needs=Need.PLAYER,
    timing=_DURING,
    changes=lambda play, _: bool(play.opponent.pile(DECK)) or "elseGainVp" in play.ability.properties,
)
def discard_deck_top(play: Play, amount: int) -> None:
    """the opponent discards cards from the top of its deck, or may choose to if it pays in victory points otherwise"""
    otherwise = play.ability.properties.get("elseGainVp")
    top = play.opponent.pile(DECK)[:amount]
    if otherwise is not None and not (len(top) == amount and _agrees(play)):
        gain_points(play, otherwise)
        return
    for card in top:
        discard(play.table, play.opponent, card, play.reason, origin=DECK)


def _agrees(play: Play) -> bool:
    """The opponent may discard the cards instead."""
    offered = [DISCARD_FROM_DECK]
    return ask(play.table, "deck.discard", play.opponent, play.player.id, offered, useful=offered) is not None


setting(
    "elseGainVp",
    Amount,
    of="opponentDiscardDeckTop",
    does="the victory points that the player gains if the opponent does not discard",
)


@effect(
    "opponentDiscardFromHandChoice",
    Flag,
    needs=Need.PLAYER,
    timing=_DURING,
    changes=lambda play, _: bool(play.opponent.pile(HAND)),
)
def discard_chosen(play: Play, _: bool) -> None:
    """the player may choose a card from the opponent's hand, which the opponent discards"""
    by_ref = {ref("card", card): card for card in play.opponent.pile(HAND)}
    costs = {name: library_of(play.battle).card(card).cost for name, card in by_ref.items()}
    cheap = sorted(by_ref, key=lambda name: costs[name])[:1]
    chosen = ask(play.table, "cards.discard_theirs", play.player, play.player.id, list(by_ref), useful=cheap)
    if chosen is None:
        return
    discard(play.table, play.opponent, by_ref[chosen.reaction], play.reason)
    if play.ability.properties.get("selfStrainFromDiscardedCost") and play.figure_if_any is not None:
        suffer_strain(play.table, play.figure, costs[chosen.reaction], play.source)


setting(
    "selfStrainFromDiscardedCost",
    Flag,
    of="opponentDiscardFromHandChoice",
    does="the figure suffers the cost of that card in strain",
)


@effect("noCommandDrawThisRound", Flag, needs=Need.PLAYER, timing=Timing.START_OF_ROUND)
def cut_lines(play: Play, _: bool) -> None:
    """nobody draws Command cards until the round ends"""
    for player in (play.player, play.opponent):
        if not player.has(NO_DRAWING):
            play.table.apply_condition(
                player, NO_DRAWING, source=play.source, owner=play.player.id, until=UNTIL_ROUND_ENDS
            )


@effect(
    "opponentCannotPlayCCsThisRound",
    Flag,
    needs=Need.PLAYER,
    timing=Timing.SPECIAL_ACTION,
    changes=lambda play, _: bool(play.opponent.pile(HAND)) and not play.opponent.has(NO_CARDS),
)
def silence(play: Play, _: bool) -> None:
    """the opponent cannot play Command cards until the round ends"""
    opponent = play.opponent
    play.table.apply_condition(opponent, NO_CARDS, source=play.source, owner=play.player.id, until=UNTIL_ROUND_ENDS)


@effect("signalJammer", Flag, needs=Need.PLAYER, timing=Timing.START_OF_ROUND)
def jam(play: Play, _: bool) -> None:
    """the next Command card that anybody plays has no effect"""
    play.table.apply_condition(play.player, SIGNAL_JAMMER, source=play.source, owner=play.player.id)


def _costs_nothing(play: Situation) -> bool:
    return play.played_if_any is not None and play.played_if_any.ability.cost == 0


@effect(
    "negateCostZeroCc",
    Flag,
    needs=Need.PLAYED_CARD,
    timing=Timing.CARD_PLAYED,
    changes=lambda play, _: _costs_nothing(play),
)
def negate(play: Play, _: bool) -> None:
    """cancels the effects of a Command card with cost 0 that the opponent plays"""
    if play.played_if_any is not None and _costs_nothing(play):
        play.played_if_any.is_cancelled = True
