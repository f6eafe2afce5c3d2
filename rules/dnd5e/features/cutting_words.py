from __future__ import annotations

from projections.combatant import Combatant
from rules.dnd5e.attack import ROLLED
from rules.dnd5e.contexts import Attack, feet_between
from rules.dnd5e.economy import REACTION
from rules.dnd5e.late_modifiers import adjust
from rules.dnd5e.pieces import Feature, Reaction, piece
from rules.dnd5e.sheet import Sheet, sheet_of
from rules.dnd5e.sight import can_see
from rules.dnd5e.state import can_hear, is_hostile
from rules.dnd5e.words import AbilityScore
from rules.engine.ruleset import RestKind
from rules.engine.table import Table

INSPIRATION = "bardic_inspiration"
FONT_OF_INSPIRATION = 5
"""The level from which a short rest restores inspiration."""
RANGE = 60


@piece
class CuttingWords(Feature, Reaction[Attack]):
    """Subtract an inspiration die from an enemy's attack roll, if it can hear the mockery."""

    name = "cutting_words"
    moments = (ROLLED,)

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {INSPIRATION: max(1, sheet.modifier(AbilityScore.CHA))}

    def rest_needed(self, sheet: Sheet) -> RestKind | None:
        return RestKind.SHORT if sheet.level >= FONT_OF_INSPIRATION else RestKind.LONG

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {REACTION: 1, INSPIRATION: 1}

    def obstacle(self, context: Attack, reactor: Combatant) -> str | None:
        attacker = context.attacker
        if not is_hostile(reactor, attacker):
            return f"{attacker.id} is not an enemy"
        if feet_between(reactor, attacker) > RANGE or not can_see(context.battle, reactor, attacker):
            return f"{reactor.id} cannot see {attacker.id} within {RANGE} feet"
        if not can_hear(attacker):
            return f"{attacker.id} cannot hear it"
        if not context.hits or context.natural == 20:
            return "it would change nothing"
        return None

    def is_useful(self, context: Attack, reactor: Combatant) -> bool:
        return context.total - _sides(reactor) < context.armor_class

    def react(self, table: Table, context: Attack, reactor: Combatant, paid: dict[str, int]) -> None:
        rolled = table.roll(self.name, reactor.id, f"1d{_sides(reactor)}")
        adjust(table, context, self.ref, reactor, "Cutting Words", -rolled.total)


def _sides(bard: Combatant) -> int:
    level = sheet_of(bard).level
    return 6 if level < 5 else 8 if level < 10 else 10 if level < 15 else 12
