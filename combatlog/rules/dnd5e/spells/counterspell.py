from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from combatlog.rules.dnd5e.contexts import Casting, feet_between
from combatlog.rules.dnd5e.economy import REACTION, slot
from combatlog.rules.dnd5e.magic import BEGUN, HIGHEST_SLOT, ReactionSpell, slot_level
from combatlog.rules.dnd5e.pieces import piece
from combatlog.rules.dnd5e.prices import with_other_slots
from combatlog.rules.dnd5e.saves import resolve_ability_check
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.sight import can_see
from combatlog.rules.dnd5e.state import is_hostile
from combatlog.rules.engine.options import Options
from combatlog.rules.engine.table import Table
from ledger.events import Data
from projections.combatant import Combatant

BASE_DIFFICULTY = 10
WORTH_A_SLOT = 2
"""The spell level from which on it is worth a slot to those who play by rule of thumb."""


class CounterspellOptions(Options):
    slot: int | None = Field(
        default=None, ge=3, le=HIGHEST_SLOT, description="the level of the slot to spend; the lowest left if omitted"
    )


@piece
class Counterspell(ReactionSpell[Casting]):
    """Interrupt an enemy within 60 feet who casts a spell. If it is above the slot's level, that takes a check."""

    name = "counterspell"
    level = 3
    range = 60
    moments = (BEGUN,)
    tags = ("spell", "defense")
    reaction_options = CounterspellOptions

    def price_said(self, reactor: Combatant, said: Data) -> dict[str, int]:
        named = CounterspellOptions.read(said).slot
        return {REACTION: 1, slot(named): 1} if named is not None else self.reaction_price(reactor)

    def prices(self, reactor: Combatant) -> Iterator[tuple[Data, dict[str, int]]]:
        return with_other_slots(self, reactor, slot_level(self.reaction_price(reactor), self.level))

    def obstacle(self, context: Casting, reactor: Combatant) -> str | None:
        caster = context.caster
        if caster is reactor or not is_hostile(reactor, caster):
            return f"{caster.name} is not an enemy"
        if context.countered:
            return "the spell has failed already"
        if feet_between(reactor, caster) > self.range or not can_see(context.battle, reactor, caster):
            return f"{reactor.name} cannot see {caster.name} within {self.range} feet"
        return None

    def is_useful(self, context: Casting, reactor: Combatant) -> bool:
        return context.level >= WORTH_A_SLOT

    def respond(self, table: Table, context: Casting, reactor: Combatant, level: int) -> None:
        if context.level > level:
            ability, against = sheet_of(reactor).spellcasting, BASE_DIFFICULTY + context.level
            assert ability is not None
            if not resolve_ability_check(table, reactor, ability, against):
                return
        context.countered = True
