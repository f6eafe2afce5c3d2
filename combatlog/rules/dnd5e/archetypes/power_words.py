"""Power words: what they do depends on how many hit points their target has left, and no save prevents it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from combatlog.rules.dnd5e.archetype_registry import archetype, options
from combatlog.rules.dnd5e.archetypes.casting import GrowingSpell
from combatlog.rules.dnd5e.archetypes.parts import ConditionName, DiceText, Lasting, condition_ref, saved_again
from combatlog.rules.dnd5e.contexts import Harm
from combatlog.rules.dnd5e.powers import check_harmful, chosen_targets, damage_of, harm_one
from combatlog.rules.dnd5e.state import afflict, is_turned_aside
from combatlog.rules.dnd5e.vitality import HP, die
from combatlog.rules.dnd5e.words import AbilityScore, DamageType
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant


@archetype("power_word", "spells")
@options
class PowerWord(GrowingSpell):
    """Kill one target, or cause a condition, if it has few enough hit points; anything else is for the others."""

    hit_points: Annotated[int, Field(ge=1, le=1000, description="the most hit points the target may have")]
    condition: Annotated[ConditionName | None, Field(description="what befalls it; it dies if omitted")] = None
    save: Annotated[AbilityScore | None, Field(description="the save that ends the condition after a turn")] = None
    lasts: Annotated[Lasting, Field(description="counted in the caster's turns")] = Lasting.UNTIL_ENDED
    otherwise: Annotated[
        ConditionName | None, Field(description="what befalls those with more, until the caster's next turn")
    ] = None
    damage: Annotated[DiceText | None, Field(description="the damage to those with more")] = None
    damage_type: DamageType = DamageType.PSYCHIC
    tags = ("spell", "harm")
    parts = frozenset({Part.TARGET})

    @model_validator(mode="after")
    def _can_be_shaken_off(self) -> PowerWord:
        if self.save is not None and self.condition is None:
            raise ValueError("a save goes with a condition")
        return self

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        check_harmful(actor, chosen_targets(table, actor, self, declared, most=1))

    def is_enough_for(self, target: Combatant) -> bool:
        return target.vitals[HP].current <= self.hit_points

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        (target,) = chosen_targets(table, actor, self, declared, most=1)
        if is_turned_aside(table, actor, target):
            return
        if not self.is_enough_for(target):
            self._fall_short(table, actor, target)
        elif self.condition is None:
            die(table, target, actor.id)
        else:
            data = saved_again(self.save, self.difficulty(actor)) if self.save is not None else None
            until, ref = self.lasts.until(table.battle, actor), condition_ref(self.condition)
            afflict(table, target, ref, source=self.ref, owner=actor.id, until=until, data=data)

    def _fall_short(self, table: Table, actor: Combatant, target: Combatant) -> None:
        if self.otherwise is not None:
            until, ref = Lasting.NEXT_TURN.until(table.battle, actor), condition_ref(self.otherwise)
            afflict(table, target, ref, source=self.ref, owner=actor.id, until=until)
        if self.damage is not None:
            chain = damage_of(self, actor, self.damage, self.damage_type)
            harm_one(table, Harm(table.battle, target, actor, self.ref, (self.damage_type,)), chain)
