"""Afflictions: a condition on a failed save."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from combatlog.rules.dnd5e.archetype_registry import archetype, options
from combatlog.rules.dnd5e.archetypes.aftermath import Aftermath
from combatlog.rules.dnd5e.archetypes.casting import GrowingSpell
from combatlog.rules.dnd5e.archetypes.parts import ConditionName, Feet, Few, Lasting, condition_ref
from combatlog.rules.dnd5e.archetypes.powers import MadePower
from combatlog.rules.dnd5e.archetypes.special_actions import SavedSpecialAction
from combatlog.rules.dnd5e.contexts import Save
from combatlog.rules.dnd5e.magic import concentrate
from combatlog.rules.dnd5e.powers import check_harmful, chosen_targets
from combatlog.rules.dnd5e.saves import throw_save
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.state import afflict, is_turned_aside
from combatlog.rules.dnd5e.vitality import die
from combatlog.rules.dnd5e.words import AbilityScore, CreatureType
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant


@options
class Affliction(MadePower):
    condition: ConditionName
    save: AbilityScore
    targets: Annotated[Few, Field(description="the most targets it can have")] = 1
    only: Annotated[
        tuple[CreatureType, ...], Field(max_length=14, description="the creature types it works on; empty: all")
    ] = ()
    save_again: Annotated[bool, Field(description="targets save again at the end of each of their turns")] = False
    lasts: Annotated[Lasting, Field(description="counted in turns of whoever causes it")] = Lasting.MINUTE
    then: Annotated[Aftermath | None, Field(description="what else comes with the condition or after it")] = None
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
        """Whether a feature of the actor's makes it the end of a target that fails its save."""
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
class AfflictionSpell(Affliction, GrowingSpell):
    """Cast a condition on targets that fail a save."""

    concentration: Annotated[bool, Field(description="it lasts as long as its caster concentrates")] = False
    tags = ("spell", "harm")

    @property
    def is_kept_up(self) -> bool:
        return self.concentration

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if self.concentration:
            concentrate(table, actor, self)
        super().take_effect(table, actor, declared)


@archetype("affliction", "actions", "features")
@options
class SpecialAffliction(Affliction, SavedSpecialAction):
    """Cause a condition in targets that fail a save, as with a gaze or a roar."""

    range: Annotated[Feet, Field(description="its range in feet")]
    tags = ("harm",)
