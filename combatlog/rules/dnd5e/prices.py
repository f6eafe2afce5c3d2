"""What reactions cost, for whoever is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from combatlog.rules.dnd5e.economy import in_words, slot
from combatlog.rules.dnd5e.magic import HIGHEST_SLOT
from combatlog.rules.dnd5e.pieces import Reaction
from combatlog.rules.engine.prices import Price, price
from ledger.events import Data
from projections.combatant import Combatant


def with_other_slots(reaction: Reaction[Any], reactor: Combatant, lowest: int) -> Iterator[tuple[Data, dict[str, int]]]:
    """The usual price with the lowest slot that is left, and then with each higher one."""
    yield {}, reaction.reaction_price(reactor)
    for level in range(lowest + 1, HIGHEST_SLOT + 1):
        if reactor.economy.left(slot(level)):
            said: Data = {"slot": level}
            yield said, reaction.price_said(reactor, said)


def prices_of(reaction: Reaction[Any], reactor: Combatant) -> list[Price]:
    return [price(costs, _words, said) for said, costs in reaction.prices(reactor)]


def _words(resource: str, amount: int) -> str:
    name = in_words(resource.rsplit(":", 1)[-1])
    return f"{amount} {name}" + ("s" if amount > 1 and not name.endswith("s") else "")
