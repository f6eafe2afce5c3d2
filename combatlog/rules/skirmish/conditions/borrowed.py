"""Cards of the opponent that a player has in hand for a round."""

from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.conditions.held import add_entry, entries
from combatlog.rules.skirmish.library import name_of
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.sheet import opponent_of, players
from combatlog.rules.skirmish.vocabulary import DECK, DISCARD, HAND
from projections.combatant import Combatant

BORROWED = "skirmish:condition:borrowed"
PILES = (HAND, DISCARD, DECK)
"""Where a borrowed card may be when the round ends."""


@piece
class Borrowed(Condition):
    """The player has cards from the opponent's discard pile, which go back there when the round ends."""

    name = "borrowed"


def borrow(table: Table, player: Combatant, card: str, source: str) -> None:
    why = name_of(table.battle, source)
    table.move_cards(opponent_of(table.battle, player), [card], DISCARD, None, why)
    table.move_cards(player, [card], None, HAND, why)
    add_entry(table, player, BORROWED, {"source": source, "card": card})


def give_back(table: Table) -> None:
    """When a round ends, borrowed cards go back, wherever they are by then."""
    for player in players(table.battle):
        borrowed = [entry["card"] for entry in entries(player, BORROWED)]
        if borrowed:
            table.remove_condition(player, BORROWED, "the round ends")
        for card in borrowed:
            _give_back(table, player, card)


def _give_back(table: Table, player: Combatant, card: str) -> None:
    pile = next((pile for pile in PILES if card in player.pile(pile)), None)
    if pile is not None:
        table.move_cards(player, [card], pile, None, "the round ends")
        table.move_cards(opponent_of(table.battle, player), [card], None, DISCARD, "the round ends")
