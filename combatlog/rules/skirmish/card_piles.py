"""Decks, hands and discard piles. The order of a deck is rolled, so it is on the tape; drawing only reads it."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine.dice import Dice, Die, Notation
from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.pieces import conditions_of
from combatlog.rules.skirmish.vocabulary import DECK, DISCARD, HAND, NO_DRAWING, ref
from ledger.events import CardsMoved
from projections.combatant import Combatant

DISCARD_FROM_DECK = ref("choice", "discard_from_deck")
"""What a player answers who discards from the deck because a card gives it the choice."""


def shuffle_in(table: Table, player: Combatant, cards: Sequence[str]) -> None:
    """Make these cards the player's deck, in random order."""
    if cards:
        table.move_cards(player, _in_rolled_order(table, player, cards), None, DECK, "shuffled")


def _in_rolled_order(table: Table, player: Combatant, cards: Sequence[str]) -> list[str]:
    """Each die picks the next of the remaining cards; the last card needs no die."""
    left = list(cards)
    if len(left) == 1:
        return left
    sizes = range(len(left), 1, -1)
    notation = Notation("+".join(f"1d{size}" for size in sizes), tuple(Dice(1, Die.with_sides(n)) for n in sizes))
    rolled = table.roll("shuffle", player.id, notation)
    return [left.pop(int(face) - 1) for face in rolled.faces] + left


def draw(table: Table, player: Combatant, amount: int, why: str) -> list[str]:
    """Draw from the top of the deck, or as many cards as are left."""
    cards = () if player.has(NO_DRAWING) else player.pile(DECK)[:amount]
    if cards:
        table.move_cards(player, cards, DECK, HAND, why)
    return list(cards)


def discard(table: Table, player: Combatant, card: str, why: str, origin: str = HAND) -> CardsMoved:
    """Discard a card without playing it."""
    discarded = table.move_cards(player, [card], origin, DISCARD, why)
    with table.because_of(discarded):
        for piece in conditions_of(player):
            piece.on_discard(table, player, card)
    return discarded


def shuffle_deck(table: Table, player: Combatant) -> None:
    """Put the deck into a random order."""
    cards = player.pile(DECK)
    if len(cards) > 1:
        table.move_cards(player, _in_rolled_order(table, player, cards), DECK, DECK, "shuffled")


def pick_at_random(table: Table, player: Combatant, cards: Sequence[str]) -> str:
    """One of the cards; a single one needs no die."""
    if len(cards) == 1:
        return cards[0]
    return cards[table.roll("random card", player.id, f"1d{len(cards)}").total - 1]


def put_on_top(table: Table, player: Combatant, card: str, why: str) -> None:
    """Put a card from the hand on top of the deck: under it, then the rest under that."""
    below = player.pile(DECK)
    table.move_cards(player, [card], HAND, DECK, why)
    if below:
        table.move_cards(player, below, DECK, DECK, why)
