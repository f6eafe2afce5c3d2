from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.attack import ROLLED
from combatlog.rules.dnd5e.contexts import Attack, Check, Save
from combatlog.rules.dnd5e.features.bardic_inspiration import INSPIRED
from combatlog.rules.dnd5e.late_modifiers import adjust
from combatlog.rules.dnd5e.pieces import Condition, Reaction, piece
from combatlog.rules.dnd5e.saves import THROWN
from combatlog.rules.dnd5e.state import end_condition
from combatlog.rules.engine.table import Table
from ledger.events import Data
from projections.combatant import Combatant

Roll = Attack | Save | Check


@piece
class Inspired(Condition, Reaction[Roll]):
    """Has a bard's die to add to one attack, save or check after seeing the d20. It takes no reaction."""

    name = "inspired"
    is_single = True
    moments = (ROLLED, THROWN)

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {}

    def prices(self, reactor: Combatant) -> Iterator[tuple[Data, dict[str, int]]]:
        yield {}, {INSPIRED: 1}

    def obstacle(self, context: Roll, reactor: Combatant) -> str | None:
        if context.subject is not reactor:
            return f"the roll is not {reactor.name}'s"
        if "die" not in reactor.conditions[INSPIRED].data:
            return f"a ruling inspired {reactor.name} without a die"
        if isinstance(context, Attack):
            return "it would change nothing" if context.hits or context.natural == 1 else None
        return "the roll succeeds anyway" if context.total >= context.against else None

    def is_useful(self, context: Roll, reactor: Combatant) -> bool:
        needed = context.armor_class if isinstance(context, Attack) else context.against
        sides: int = reactor.conditions[INSPIRED].data["die"]
        return context.total + sides >= needed

    def react(self, table: Table, context: Roll, reactor: Combatant, paid: dict[str, int]) -> None:
        sides = reactor.conditions[INSPIRED].data["die"]
        end_condition(table, reactor, INSPIRED, "used")
        rolled = table.roll(self.name, reactor.id, f"1d{sides}")
        adjust(table, context, self.ref, reactor, "Bardic Inspiration", rolled.total)
