"""What all spells made from data have in common."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from combatlog.rules.dnd5e.archetype_registry import options
from combatlog.rules.dnd5e.archetypes.parts import MAX_DICE, Feet, Growth, PieceName, Throw
from combatlog.rules.dnd5e.archetypes.powers import MadePower, Text
from combatlog.rules.dnd5e.durations import for_a_minute
from combatlog.rules.dnd5e.instances import Instance, instances_of
from combatlog.rules.dnd5e.magic import HIGHEST_SLOT, Spell
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.state import afflict
from combatlog.rules.engine.table import Table
from ledger.events import Data, Declared
from projections.battle import Battle
from projections.combatant import Combatant

SUSTAINING = "dnd5e:condition:sustaining"


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

    again: Annotated[
        Literal["action", "bonus_action"] | None,
        Field(description="what it takes to use it again while it lasts, without a slot"),
    ] = None

    def cast(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.happen(table, actor, declared)

    def price(self, actor: Combatant, options: Data) -> dict[str, int]:
        if self.again is not None and self.is_again(actor, options):
            return {self.again: 1}
        return super().price(actor, options)

    def spent_for(self, actor: Combatant, declared: Declared) -> str:
        """Using a spell again is not casting one."""
        return SUSTAINING if self.is_again(actor, declared.options) else super().spent_for(actor, declared)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if self.sustained(actor) is None:
            super().check_state(battle, actor)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if self.is_again(actor, declared.options):
            self.happen(table, actor, declared)
            return
        super().perform(table, actor, declared)

    def sustain(self, table: Table, actor: Combatant, options: Data, data: Data | None = None) -> None:
        """Remember that it can be used again. With concentration it ends with that, and otherwise after a minute."""
        if self.again is None:
            return
        held = self.sustained(actor)
        until = None if self.concentration else held.until if held is not None else for_a_minute(table.battle, actor)
        level = self.level_for(actor, options)
        told = {"level": level, **(data or {})}
        if held is None or held.data != told:
            afflict(table, actor, SUSTAINING, source=self.ref, owner=actor.id, until=until, data=told)

    def sustained(self, actor: Combatant) -> Instance | None:
        """The casting of it that still lasts."""
        held = actor.conditions.get(SUSTAINING) if self.again is not None else None
        return next((one for one in instances_of(held) if one.source == self.ref), None) if held is not None else None

    def is_again(self, actor: Combatant, options: Data) -> bool:
        """Whether it is used again. Whoever names a slot casts it anew."""
        return "slot" not in options and self.sustained(actor) is not None

    def level_for(self, actor: Combatant, options: Data) -> int:
        """The level that it is or was cast at."""
        held = self.sustained(actor) if self.is_again(actor, options) else None
        return int(held.data["level"]) if held is not None else self.slot_level(options) if self.level else 0


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
        return throw.more(self.more_per_slot * (self.level_for(actor, options) - self.level))

    def number(self, options: Data, least: int) -> int:
        return least + self.more_per_slot * self.steps(options)


MOST_CANTRIP_DICE = MAX_DICE // 4


def cantrip_dice(level: int) -> int:
    return 1 + (level >= 5) + (level >= 11) + (level >= 17)
