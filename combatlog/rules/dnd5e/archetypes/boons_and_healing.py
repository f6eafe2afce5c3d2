"""Healing, temporary hit points, and helpful conditions: boons for friends, stances for the actor."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Annotated, Literal

from pydantic import Field, create_model

from combatlog.rules.dnd5e.archetypes.registry import (
    ConditionDuration,
    ConditionName,
    DiceText,
    Feet,
    Few,
    archetype,
    condition_ref,
    options,
)
from combatlog.rules.dnd5e.archetypes.spells_and_special_actions import GrowingSpell, MadePower, SpecialAction
from combatlog.rules.dnd5e.attack.targeting import chosen_targets
from combatlog.rules.dnd5e.combatant_state import afflict
from combatlog.rules.dnd5e.conditions.instances import ABILITY, FLEETING
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.enums import AbilityScore, CreatureType
from combatlog.rules.dnd5e.hit_points import gain_temporary, heal, heals_fully
from combatlog.rules.dnd5e.spells.casting import SlotOptions, concentrate, slot_options
from combatlog.rules.engine.options_and_validation import Part, Signature
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Data, Declared, RollModifier
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

UNHEALABLE = (CreatureType.UNDEAD, CreatureType.CONSTRUCT)


@options
class HealingPower(MadePower):
    healing: Annotated[DiceText, Field(description="dice, such as 1d8")]
    parts = frozenset({Part.TARGET})

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = self.beneficiary(table, actor, declared)
        kind = sheet_of(target).creature_type
        if kind in UNHEALABLE and target is not actor:
            raise Refusal(
                f"{self.type}/no-effect",
                f"{self.title} cannot heal {target.name}, whose creature type is {kind}; name another target.",
                who=actor.id,
                what=self.name,
                target=target.id,
                found=kind.value,
            )

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = self.beneficiary(table, actor, declared)
        throw = self.dice(actor, declared.options, self.healing)
        added = list(self.added(actor, declared.options))
        if heals_fully(target):
            most = throw.highest + sum(modifier.amount for modifier in added)
            heal(table, target, max(0, most), self.title, self.ref)
            return
        rolled = table.roll("healing", actor.id, throw.notation, modifiers=added)
        with table.because_of(rolled):
            heal(table, target, max(0, rolled.total), self.title, self.ref)

    def beneficiary(self, table: Table, actor: Combatant, declared: Declared) -> Combatant:
        (target,) = chosen_targets(table, actor, self, declared, most=1)
        return target

    def added(self, actor: Combatant, options: Data) -> tuple[RollModifier, ...]:
        """Modifiers added to the dice."""
        return ()


@archetype("healing", "spells")
@options
class HealingSpell(HealingPower, GrowingSpell):
    """Heal one target by the dice plus the caster's modifier; no effect on undead or constructs."""

    tags = ("spell", "healing")

    def added(self, actor: Combatant, options: Data) -> tuple[RollModifier, ...]:
        sheet, level = sheet_of(actor), self.level + self.steps(options)
        ability = sheet.casting_ability(self.name)
        amount = sheet.modifier(ability) if ability is not None else 0
        own = RollModifier(source=f"dnd5e:score:{ability}", amount=amount)
        more = {feature.ref: feature.more_healing(level) for feature in sheet.loadout.features}
        return (own, *(RollModifier(source=ref, amount=amount) for ref, amount in more.items() if amount))


@archetype("healing", "actions", "features")
@options
class SpecialHealing(HealingPower, SpecialAction):
    """Heal its user or one target in range."""

    range: Annotated[Feet, Field(description="in feet; 0 heals its user")] = 0
    plus: Annotated[
        Literal["level"] | AbilityScore | None, Field(description="adds the level or an ability's modifier")
    ] = None
    tags = ("healing",)

    @property
    def signature(self) -> Signature:
        return replace(super().signature, parts=frozenset()) if self.range == 0 else super().signature

    def beneficiary(self, table: Table, actor: Combatant, declared: Declared) -> Combatant:
        return actor if self.range == 0 else super().beneficiary(table, actor, declared)

    def added(self, actor: Combatant, options: Data) -> tuple[RollModifier, ...]:
        if self.plus is None:
            return ()
        sheet = sheet_of(actor)
        amount = sheet.level if self.plus == "level" else sheet.modifier(AbilityScore(self.plus))
        return (RollModifier(source=f"dnd5e:score:{self.plus}", amount=amount),)


@options
class TemporaryHitPointsPower(MadePower):
    temporary: Annotated[DiceText, Field(description="dice, such as 1d4+4; rolled once for all targets")]
    targets: Annotated[Few, Field(description="the highest number of targets")] = 1
    parts = frozenset({Part.TARGET})

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.beneficiaries(table, actor, declared)

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        notation = self.dice(actor, declared.options, self.temporary).notation
        rolled = table.roll("temporary hit points", actor.id, notation, modifiers=self.added(actor, declared.options))
        with table.because_of(rolled):
            for target in self.beneficiaries(table, actor, declared):
                gain_temporary(table, target, max(0, rolled.total), self.title, self.ref)

    def beneficiaries(self, table: Table, actor: Combatant, declared: Declared) -> list[Combatant]:
        """The named targets, or else the actor."""
        if not declared.targets:
            return [actor]
        return chosen_targets(table, actor, self, declared, most=self.targets)

    def added(self, actor: Combatant, options: Data) -> list[RollModifier]:
        """Modifiers added to the dice."""
        return []


@archetype("temporary_hit_points", "spells")
@options
class TemporaryHitPointsSpell(TemporaryHitPointsPower, GrowingSpell):
    """Give its caster or the targets temporary hit points."""

    plus_per_slot: Annotated[int, Field(ge=0, le=20, description="extra points per slot level above its own")] = 0
    tags = ("spell", "support")

    def added(self, actor: Combatant, options: Data) -> list[RollModifier]:
        more = self.plus_per_slot * self.steps(options)
        return [RollModifier(source=self.ref, amount=more)] if more else []


@archetype("temporary_hit_points", "actions", "features")
@options
class SpecialTemporaryHitPoints(TemporaryHitPointsPower, SpecialAction):
    """Give its user or the targets temporary hit points."""

    range: Annotated[Feet, Field(description="in feet; 0 for its user only")] = 0
    tags = ("support",)


class AbilityOptions(SlotOptions):
    """The options of a spell for one ability."""

    ability: AbilityScore


@cache
def ability_options(level: int) -> type[AbilityOptions]:
    """The options of a spell of this level for one ability."""
    slot = slot_options(level).model_fields["slot"]
    chosen = Field(default=AbilityScore.STR, description="the ability that it affects")
    return create_model("AbilityOptions", __base__=AbilityOptions, slot=(int, slot), ability=(AbilityScore, chosen))


@archetype("boon", "spells")
@options
class Boon(GrowingSpell):
    """Give the targets a condition, without a save."""

    condition: ConditionName
    targets: Annotated[Few, Field(description="the highest number of targets")] = 1
    concentration: Annotated[bool, Field(description="it lasts as long as its caster concentrates")] = False
    lasts: Annotated[ConditionDuration, Field(description="counted in the caster's turns")] = ConditionDuration.MINUTE
    fleeting: Annotated[bool, Field(description="it ends when its owner attacks or casts a spell")] = False
    of_ability: Annotated[bool, Field(description="the caster chooses an ability that it affects")] = False
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
    """Give its user a condition, such as dodging or invisible."""

    condition: ConditionName
    lasts: ConditionDuration = ConditionDuration.NEXT_TURN
    fleeting: Annotated[bool, Field(description="it ends when its owner attacks or casts a spell")] = False
    concentration: Annotated[bool, Field(description="it takes concentration, like a spell")] = False
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
