from __future__ import annotations

from combatlog.rules.dnd5e.attack import ROLLED
from combatlog.rules.dnd5e.contexts import Attack, Check, Save
from combatlog.rules.dnd5e.late_modifiers import adjust
from combatlog.rules.dnd5e.pieces import Feature, Reaction, piece
from combatlog.rules.dnd5e.saves import THROWN
from combatlog.rules.dnd5e.sheet import Sheet
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant

POINTS = "luck"


@piece
class Lucky(Feature, Reaction[Attack | Save | Check]):
    """Spend a luck point to roll another d20 and choose which one counts, on one's own roll or an attack against one.

    This does not use up the reaction: it costs a luck point and nothing else.
    """

    name = "lucky"
    moments = (ROLLED, THROWN)

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {POINTS: 3}

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {POINTS: 1}

    def obstacle(self, context: Attack | Save | Check, reactor: Combatant) -> str | None:
        succeeds = context.hits if isinstance(context, Attack) else context.total >= context.against
        if context.subject is reactor:
            return "the roll succeeds anyway" if succeeds else None
        if isinstance(context, Attack) and context.target is reactor:
            return None if succeeds else "the attack misses anyway"
        return f"the roll does not concern {reactor.name}"

    def react(self, table: Table, context: Attack | Save | Check, reactor: Combatant, paid: dict[str, int]) -> None:
        rolled = int(table.roll(self.name, reactor.id, "1d20").kept[0])
        better = max if context.subject is reactor else min
        counting = better(context.natural, rolled)
        reason = f"Lucky: {counting} counts, of {context.natural} and {rolled}"
        adjust(table, context, self.ref, reactor, reason, counting - context.natural)
        context.natural = counting
