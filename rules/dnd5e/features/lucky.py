from __future__ import annotations

from projections.combatant import Combatant
from rules.dnd5e.adjusting import adjust
from rules.dnd5e.attack import ROLLED
from rules.dnd5e.occasions import Attack
from rules.dnd5e.pieces import Feature, Reaction, piece
from rules.dnd5e.sheet import Sheet
from rules.table import Table

POINTS = "luck"


@piece
class Lucky(Feature, Reaction[Attack]):
    """Spend a luck point for one more d20: the owner chooses which counts, its own attack's or one against it.

    Not a reaction in the sense of the economy: it costs a luck point and nothing else.
    """

    name = "lucky"
    moments = (ROLLED,)

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {POINTS: 3}

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {POINTS: 1}

    def obstacle(self, occasion: Attack, reactor: Combatant) -> str | None:
        if occasion.attacker is reactor:
            return "the attack hits already" if occasion.hits else None
        if occasion.target is reactor:
            return None if occasion.hits else "the attack misses already"
        return f"{reactor.id} has no part in the attack"

    def react(self, table: Table, occasion: Attack, reactor: Combatant, paid: dict[str, int]) -> None:
        drawn = int(table.roll(self.name, reactor.id, "1d20").kept[0])
        better = max if occasion.attacker is reactor else min
        counting = better(occasion.natural, drawn)
        reason = f"Lucky: {counting} of {occasion.natural} and {drawn}"
        adjust(table, occasion, self.ref, reactor, reason, counting - occasion.natural)
        occasion.natural = counting
