"""What all spells made from data have in common."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from ledger.events import Data, Declared
from projections.combatant import Combatant
from rules.dnd5e.archetype_registry import options
from rules.dnd5e.archetypes.parts import MAX_DICE, Feet, Growth, PieceName, Throw
from rules.dnd5e.archetypes.powers import MadePower, Text
from rules.dnd5e.magic import HIGHEST_SLOT, Spell
from rules.dnd5e.sheet import sheet_of
from rules.engine.table import Table


@options
class MadeSpell(Spell, MadePower):
    """A spell made from data."""

    name: PieceName
    level: Annotated[int, Field(ge=0, le=HIGHEST_SLOT, description="0 for a cantrip, whose dice grow with the caster")]
    casting: Literal["action", "bonus_action"] = "action"
    range: Annotated[Feet, Field(description="its range in feet")]
    ask: Annotated[
        Text | None, Field(description="what else it does, which the rules do not carry out; the GM is told then")
    ] = None

    def cast(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.happen(table, actor, declared)


@options
class GrowingSpell(MadeSpell):
    """A spell that a higher slot can make stronger."""

    more_per_slot: Annotated[Growth, Field(description="extra dice, darts or targets per slot level above its own")] = 0

    @model_validator(mode="after")
    def _stays_in_bounds(self) -> GrowingSpell:
        thrown = [getattr(self, name, None) for name in ("damage", "healing")]
        if self.level == 0 and any(text and Throw.of(text).count > MOST_CANTRIP_DICE for text in thrown):
            raise ValueError(f"a cantrip has at most {MOST_CANTRIP_DICE} dice, as they grow with its caster")
        return self

    def dice(self, actor: Combatant, options: Data, text: str) -> Throw:
        throw = Throw.of(text)
        if self.level == 0:
            return throw.times(cantrip_dice(sheet_of(actor).level))
        return throw.more(self.more_per_slot * self.steps(options))

    def number(self, options: Data, least: int) -> int:
        return least + self.more_per_slot * self.steps(options)


MOST_CANTRIP_DICE = MAX_DICE // 4


def cantrip_dice(level: int) -> int:
    return 1 + (level >= 5) + (level >= 11) + (level >= 17)
