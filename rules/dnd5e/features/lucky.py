from __future__ import annotations

from projections.combatant import Combatant
from rules.dnd5e.adjusting import adjust
from rules.dnd5e.attack import ROLLED
from rules.dnd5e.occasions import Attack, Check, Save
from rules.dnd5e.pieces import Feature, Reaction, piece
from rules.dnd5e.saves import THROWN
from rules.dnd5e.sheet import Sheet
from rules.table import Table

POINTS = "luck"


@piece
class Lucky(Feature, Reaction[Attack | Save | Check]):
    """Spend a luck point for one more d20 and choose which counts: for one's own throws, or an attack against one.

    Not a reaction in the sense of the economy: it costs a luck point and nothing else.
    """

    name = "lucky"
    moments = (ROLLED, THROWN)

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {POINTS: 3}

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {POINTS: 1}

    def obstacle(self, occasion: Attack | Save | Check, reactor: Combatant) -> str | None:
        succeeds = occasion.hits if isinstance(occasion, Attack) else occasion.total >= occasion.against
        if occasion.subject is reactor:
            return "it succeeds already" if succeeds else None
        if isinstance(occasion, Attack) and occasion.target is reactor:
            return None if succeeds else "the attack misses already"
        return f"{reactor.id} has no part in it"

    def react(self, table: Table, occasion: Attack | Save | Check, reactor: Combatant, paid: dict[str, int]) -> None:
        drawn = int(table.roll(self.name, reactor.id, "1d20").kept[0])
        better = max if occasion.subject is reactor else min
        counting = better(occasion.natural, drawn)
        reason = f"Lucky: {counting} of {occasion.natural} and {drawn}"
        adjust(table, occasion, self.ref, reactor, reason, counting - occasion.natural)
        occasion.natural = counting
