"""Afflictions: a condition for those who fail a save."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.archetype_registry import archetype, options
from rules.dnd5e.archetypes.casting import GrowingSpell
from rules.dnd5e.archetypes.parts import ConditionName, Feet, Few, Lasting, condition_ref, saved_again
from rules.dnd5e.archetypes.powers import MadePower
from rules.dnd5e.archetypes.special_actions import SavedSpecialAction
from rules.dnd5e.magic import concentrate
from rules.dnd5e.powers import check_harmful, chosen_targets
from rules.dnd5e.saves import resolve_save
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.state import afflict
from rules.dnd5e.words import AbilityScore, CreatureType
from rules.engine.options import Part
from rules.engine.refusal import Refusal, choices
from rules.engine.table import Table


@options
class Affliction(MadePower):
    condition: ConditionName
    save: AbilityScore
    targets: Annotated[Few, Field(description="how many at most")] = 1
    only: Annotated[
        tuple[CreatureType, ...], Field(max_length=14, description="the types of creatures it works on; none: all")
    ] = ()
    save_again: Annotated[bool, Field(description="it is saved against at the end of each turn")] = False
    lasts: Annotated[Lasting, Field(description="counted by the turns of whoever brings it about")] = Lasting.MINUTE
    parts = frozenset({Part.TARGET})

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        targets = self._chosen(table, actor, declared)
        for target in targets:
            kind = sheet_of(target).creature_type
            if self.only and kind not in self.only:
                raise Refusal(
                    f"{self.type}/no-effect", f"{self.title} works on {choices(self.only)}; {target.id} is {kind}."
                )
        check_harmful(actor, targets)

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        against = self.difficulty(actor)
        for target in self._chosen(table, actor, declared):
            if not resolve_save(table, target, self.save, against, self.ref):
                self._befall(table, actor, target, against)

    def _befall(self, table: Table, actor: Combatant, target: Combatant, against: int) -> None:
        ref, data = condition_ref(self.condition), saved_again(self.save, against) if self.save_again else None
        until = None if self.is_kept_up else self.lasts.until(table.battle, actor)
        afflict(table, target, ref, source=self.ref, owner=actor.id, until=until, data=data)

    def _chosen(self, table: Table, actor: Combatant, declared: Declared) -> list[Combatant]:
        return chosen_targets(table, actor, self, declared, most=self.number(declared.options, self.targets))

    @property
    def is_kept_up(self) -> bool:
        """Whether it ends with somebody's concentration."""
        return False


@archetype("affliction", "spells")
@options
class AfflictionSpell(Affliction, GrowingSpell):
    """A condition for those who fail a save."""

    concentration: Annotated[bool, Field(description="it holds for as long as its caster concentrates")] = False
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
    """A condition for those who fail a save, such as a gaze or a roar."""

    range: Annotated[Feet, Field(description="how far it reaches, in feet")]
    tags = ("harm",)
