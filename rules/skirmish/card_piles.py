"""Decks, hands and discard piles. The order of a deck is rolled, so it is on the tape; drawing only reads it."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import CardsMoved
from projections.combatant import Combatant
from rules.engine.dice import Dice, Die, Notation
from rules.engine.table import Table
from rules.skirmish.vocabulary import DECK, DISCARD, HAND


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
    cards = player.pile(DECK)[:amount]
    if cards:
        table.move_cards(player, cards, DECK, HAND, why)
    return list(cards)


def discard(table: Table, player: Combatant, card: str, why: str, origin: str = HAND) -> CardsMoved:
    return table.move_cards(player, [card], origin, DISCARD, why)
