"""Cards that let a player look at the opponent's cards, or play them."""

from __future__ import annotations

from combatlog.rules.skirmish.conditions.borrowed import borrow
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.play import Play
from combatlog.rules.skirmish.player_choice import ask, choose
from combatlog.rules.skirmish.registry import Amount, Flag, effect
from combatlog.rules.skirmish.usefulness import never
from combatlog.rules.skirmish.vocabulary import DECK, DISCARD, HAND, Need, Timing, ref

_DURING = Timing.DURING_ACTIVATION


@effect("revealsOpponentHand", Flag, needs=Need.PLAYER, timing=_DURING, changes=never)
def look_at_hand(play: Play, _: bool) -> None:
    """the player sees the opponent's hand: its cards are shown as a choice, which changes nothing"""
    shown = [ref("card", card) for card in play.opponent.pile(HAND)]
    ask(play.table, "hand.seen", play.player, play.opponent.id, shown)


@effect("revealsOpponentDeckTop", Amount, needs=Need.PLAYER, timing=_DURING, changes=never)
def look_at_deck(play: Play, amount: int) -> None:
    """the player sees the top cards of the opponent's deck, and puts them back in any order"""
    deck = play.opponent.pile(DECK)
    in_order = _in_chosen_order(play, list(deck[:amount]))
    if in_order != list(deck[:amount]):
        play.table.move_cards(play.opponent, [*in_order, *deck[amount:]], DECK, DECK, play.reason)


def _in_chosen_order(play: Play, cards: list[str]) -> list[str]:
    """One card after the other, the top one first. Passing leaves the rest as it is; the last one needs no choice."""
    chosen: list[str] = []
    while cards and not (chosen and len(cards) == 1):
        by_ref = {ref("secret", card): card for card in cards}
        answer = ask(play.table, "deck.order", play.player, play.opponent.id, list(by_ref))
        if answer is None:
            break
        cards.remove(by_ref[answer.reaction])
        chosen.append(by_ref[answer.reaction])
    return [*chosen, *cards]


@effect(
    "stealsFromOpponentDiscard",
    Flag,
    needs=Need.PLAYER,
    timing=_DURING,
    changes=lambda play, _: bool(play.opponent.pile(DISCARD)),
)
def steal(play: Play, _: bool) -> None:
    """the player takes a card from the opponent's discard pile and can play it until the round ends"""
    by_ref = {ref("card", card): card for card in play.opponent.pile(DISCARD)}
    if by_ref:
        dearest = max(by_ref, key=lambda name: library_of(play.battle).card(by_ref[name]).cost)
        name = choose(play.table, "cards.steal", play.player, play.player.id, list(by_ref), default=dearest)
        borrow(play.table, play.player, by_ref[name], play.source)
