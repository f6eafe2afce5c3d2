"""Boons, which are conditions for friends, and stances, which are conditions for oneself."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Annotated

from pydantic import Field, create_model

from combatlog.rules.dnd5e.archetype_registry import archetype, options
from combatlog.rules.dnd5e.archetypes.casting import GrowingSpell
from combatlog.rules.dnd5e.archetypes.parts import ConditionName, Few, Lasting, condition_ref
from combatlog.rules.dnd5e.archetypes.special_actions import SpecialAction
from combatlog.rules.dnd5e.instances import ABILITY, FLEETING
from combatlog.rules.dnd5e.magic import SlotOptions, concentrate, slot_options
from combatlog.rules.dnd5e.powers import chosen_targets
from combatlog.rules.dnd5e.state import afflict
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.options import Part, Signature
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Data, Declared
from projections.battle import Battle
from projections.combatant import Combatant


class AbilityOptions(SlotOptions):
    """The options of a spell that concerns one ability."""

    ability: AbilityScore


@cache
def ability_options(level: int) -> type[AbilityOptions]:
    """The options of a spell of this level that concerns one ability."""
    slot = slot_options(level).model_fields["slot"]
    chosen = Field(default=AbilityScore.STR, description="the ability that it concerns")
    return create_model("AbilityOptions", __base__=AbilityOptions, slot=(int, slot), ability=(AbilityScore, chosen))


@archetype("boon", "spells")
@options
class Boon(GrowingSpell):
    """Give the targets a condition, without a save."""

    condition: ConditionName
    targets: Annotated[Few, Field(description="the most targets it can have")] = 1
    concentration: Annotated[bool, Field(description="it lasts as long as its caster concentrates")] = False
    lasts: Annotated[Lasting, Field(description="counted in the caster's turns")] = Lasting.MINUTE
    fleeting: Annotated[bool, Field(description="it ends when its owner attacks or casts a spell")] = False
    of_ability: Annotated[bool, Field(description="the caster chooses an ability that it concerns")] = False
    tags = ("spell", "support")
    parts = frozenset({Part.TARGET})

    @property
    def signature(self) -> Signature:
        base = super().signature
        return replace(base, options=ability_options(self.level)) if self.of_ability else base

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self._chosen(table, actor, declared)

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if self.concentration and not self.is_again(actor, declared.options):
            concentrate(table, actor, self)
        until = None if self.concentration else self.lasts.until(table.battle, actor)
        ref, data = condition_ref(self.condition), self._data(declared) or None
        for target in self._chosen(table, actor, declared):
            afflict(table, target, ref, source=self.ref, owner=actor.id, until=until, data=data)
        self.sustain(table, actor, declared.options)

    def _data(self, declared: Declared) -> Data:
        data: Data = {FLEETING: True} if self.fleeting else {}
        if self.of_ability:
            data[ABILITY] = ability_options(self.level).read(declared.options).ability.value
        return data

    def _chosen(self, table: Table, actor: Combatant, declared: Declared) -> list[Combatant]:
        return chosen_targets(table, actor, self, declared, most=self.number(declared.options, self.targets))


@archetype("stance", "actions", "features")
@options
class Stance(SpecialAction):
    """Enter a condition oneself, such as dodging or invisible."""

    condition: ConditionName
    lasts: Lasting = Lasting.NEXT_TURN
    fleeting: Annotated[bool, Field(description="it ends when its owner attacks or casts a spell")] = False
    concentration: Annotated[bool, Field(description="it takes concentration, as a spell does")] = False
    tags = ("defense",)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if actor.has(condition_ref(self.condition)):
            raise Refusal(
                f"{self.type}/already",
                f"{actor.name} is already {self.condition.replace('_', ' ')}.",
                who=actor.id,
                what=self.name,
                condition=self.condition,
            )

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if self.concentration:
            concentrate(table, actor, self)
        until, data = self.lasts.until(table.battle, actor), {FLEETING: True} if self.fleeting else None
        afflict(table, actor, condition_ref(self.condition), source=self.ref, owner=actor.id, until=until, data=data)
