"""Conditions on a failed save, and power words, which depend on hit points."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from combatlog.rules.dnd5e.archetypes.consequences import Aftermath
from combatlog.rules.dnd5e.archetypes.registry import (
    ConditionDuration,
    ConditionName,
    DiceText,
    Feet,
    Few,
    archetype,
    condition_ref,
    options,
    saved_again,
)
from combatlog.rules.dnd5e.archetypes.spells_and_special_actions import GrowingSpell, MadePower, SavedSpecialAction
from combatlog.rules.dnd5e.attack.targeting import check_harmful, chosen_targets, damage_of, harm_one
from combatlog.rules.dnd5e.combatant_state import afflict, end_idle_concentration, is_turned_aside
from combatlog.rules.dnd5e.contexts import Harm, Save
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.enums import AbilityScore, CreatureType, DamageType
from combatlog.rules.dnd5e.hit_points import HP, die
from combatlog.rules.dnd5e.saves_and_checks import throw_save
from combatlog.rules.dnd5e.spells.casting import concentrate
from combatlog.rules.engine.options_and_validation import Part
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Declared
from projections.battle.combatant import Combatant


@options
class AfflictionPower(MadePower):
    condition: ConditionName
    save: AbilityScore
    targets: Annotated[Few, Field(description="the highest number of targets")] = 1
    only: Annotated[
        tuple[CreatureType, ...], Field(max_length=14, description="the creature types it works on; all if empty")
    ] = ()
    save_again: Annotated[bool, Field(description="targets save again at the end of each of their turns")] = False
    lasts: Annotated[ConditionDuration, Field(description="counted in turns of its source")] = ConditionDuration.MINUTE
    then: Annotated[Aftermath | None, Field(description="further effects with the condition or after it")] = None
    parts = frozenset({Part.TARGET})

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        targets = self._chosen(table, actor, declared)
        for target in targets:
            kind = sheet_of(target).creature_type
            if self.only and kind not in self.only:
                raise Refusal(
                    f"{self.type}/no-effect",
                    f"{self.title} works only on the creature type {choices(self.only)}; {target.name}'s is {kind}.",
                    who=actor.id,
                    what=self.name,
                    target=target.id,
                    needed=list(self.only),
                    found=kind.value,
                )
        check_harmful(actor, targets)

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        against = self.difficulty(actor)
        for target in self._chosen(table, actor, declared):
            if is_turned_aside(table, actor, target):
                continue
            save = throw_save(
                table, target, self.save, against, self.ref, origin=actor.position, threat=(self.condition,)
            )
            if not save.succeeded:
                self._befall(table, actor, target, save)

    def is_the_end_of(self, target: Combatant, actor: Combatant) -> bool:
        """Whether a feature of the actor destroys a target that fails its save."""
        return any(feature.destroys(self.name, actor, target) for feature in sheet_of(actor).loadout.features)

    def _befall(self, table: Table, actor: Combatant, target: Combatant, save: Save) -> None:
        if self.is_the_end_of(target, actor):
            die(table, target, actor.id)
            return
        then, against = self.then or Aftermath(), save.against
        until = None if self.is_kept_up else self.lasts.until(table.battle, actor)
        data = then.renewed(self.save_again, self.save, against)
        for condition in (self.condition, *then.also, *then.fails_badly(save.missed_by)):
            ref = condition_ref(condition)
            told = then.held(condition) or data
            afflict(table, target, ref, source=self.ref, owner=actor.id, until=until, data=told or None)
        if then.ongoing is not None:
            then.ongoing.befall(table, target, actor, self.ref, until, data)

    def _chosen(self, table: Table, actor: Combatant, declared: Declared) -> list[Combatant]:
        return chosen_targets(table, actor, self, declared, most=self.number(declared.options, self.targets))

    @property
    def is_kept_up(self) -> bool:
        """Whether it lasts as long as the caster concentrates."""
        return False


@archetype("affliction", "spells")
@options
class AfflictionSpell(AfflictionPower, GrowingSpell):
    """Impose a condition on targets that fail a save."""

    concentration: Annotated[bool, Field(description="it lasts as long as its caster concentrates")] = False
    tags = ("spell", "harm")

    @property
    def is_kept_up(self) -> bool:
        return self.concentration

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if self.concentration:
            concentrate(table, actor, self)
        super().take_effect(table, actor, declared)
        if self.concentration:
            end_idle_concentration(table, self.ref, actor.id)


@archetype("affliction", "actions", "features")
@options
class SpecialAffliction(AfflictionPower, SavedSpecialAction):
    """Impose a condition on targets that fail a save, as with a gaze or a roar."""

    range: Annotated[Feet, Field(description="its range in feet")]
    tags = ("harm",)


@archetype("power_word", "spells")
@options
class PowerWord(GrowingSpell):
    """Kill a target with few enough hit points, or impose a condition on it; a weaker effect on other targets."""

    hit_points: Annotated[int, Field(ge=1, le=1000, description="the most hit points the target may have")]
    condition: Annotated[ConditionName | None, Field(description="the target's condition; it dies if omitted")] = None
    save: Annotated[AbilityScore | None, Field(description="the save that ends the condition after a turn")] = None
    lasts: Annotated[ConditionDuration, Field(description="counted in the caster's turns")] = (
        ConditionDuration.UNTIL_ENDED
    )
    otherwise: Annotated[
        ConditionName | None, Field(description="the condition of a target with more, until the caster's next turn")
    ] = None
    damage: Annotated[DiceText | None, Field(description="the damage to a target with more")] = None
    damage_type: DamageType = DamageType.PSYCHIC
    tags = ("spell", "harm")
    parts = frozenset({Part.TARGET})

    @model_validator(mode="after")
    def _can_be_shaken_off(self) -> PowerWord:
        if self.save is not None and self.condition is None:
            raise ValueError("a save needs a condition to end")
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
            until, ref = ConditionDuration.NEXT_TURN.until(table.battle, actor), condition_ref(self.otherwise)
            afflict(table, target, ref, source=self.ref, owner=actor.id, until=until)
        if self.damage is not None:
            chain = damage_of(self, actor, self.damage, self.damage_type)
            harm_one(table, Harm(table.battle, target, actor, self.ref, (self.damage_type,)), chain)
