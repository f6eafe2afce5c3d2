from __future__ import annotations

from combatlog.rules.dnd5e.attack import ROLLED
from combatlog.rules.dnd5e.contexts import Attack, feet_between
from combatlog.rules.dnd5e.economy import REACTION
from combatlog.rules.dnd5e.inspiration import INSPIRATION, inspiration_die, inspirations, rest_for_inspiration
from combatlog.rules.dnd5e.late_modifiers import adjust
from combatlog.rules.dnd5e.pieces import Feature, Reaction, piece
from combatlog.rules.dnd5e.sheet import Sheet
from combatlog.rules.dnd5e.sight import can_see
from combatlog.rules.dnd5e.state import can_hear, is_hostile
from combatlog.rules.engine.ruleset import RestKind
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant

RANGE = 60


@piece
class CuttingWords(Feature, Reaction[Attack]):
    """Subtract an inspiration die from an enemy's attack roll, if it can hear the mockery."""

    name = "cutting_words"
    moments = (ROLLED,)

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {INSPIRATION: inspirations(sheet)}

    def rest_needed(self, sheet: Sheet) -> RestKind | None:
        return rest_for_inspiration(sheet)

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {REACTION: 1, INSPIRATION: 1}

    def obstacle(self, context: Attack, reactor: Combatant) -> str | None:
        attacker = context.attacker
        if not is_hostile(reactor, attacker):
            return f"{attacker.name} is not an enemy"
        if feet_between(reactor, attacker) > RANGE or not can_see(context.battle, reactor, attacker):
            return f"{reactor.name} cannot see {attacker.name} within {RANGE} feet"
        if not can_hear(attacker):
            return f"{attacker.name} cannot hear it"
        if not context.hits or context.natural == 20:
            return "it would change nothing"
        return None

    def is_useful(self, context: Attack, reactor: Combatant) -> bool:
        return context.total - inspiration_die(reactor) < context.armor_class

    def react(self, table: Table, context: Attack, reactor: Combatant, paid: dict[str, int]) -> None:
        rolled = table.roll(self.name, reactor.id, f"1d{inspiration_die(reactor)}")
        adjust(table, context, self.ref, reactor, "Cutting Words", -rolled.total)
