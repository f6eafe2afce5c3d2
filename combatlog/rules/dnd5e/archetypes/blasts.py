"""Blasts: damage to targets that are named, less on a successful save."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from combatlog.rules.dnd5e.archetype_registry import archetype, options
from combatlog.rules.dnd5e.archetypes.aftermath import Consequence
from combatlog.rules.dnd5e.archetypes.casting import GrowingSpell
from combatlog.rules.dnd5e.archetypes.parts import DiceText, Feet, Few
from combatlog.rules.dnd5e.archetypes.powers import MadePower
from combatlog.rules.dnd5e.archetypes.special_actions import SavedSpecialAction
from combatlog.rules.dnd5e.contexts import Harm
from combatlog.rules.dnd5e.damage import inflict, roll_damage, taken_chain, types_of
from combatlog.rules.dnd5e.powers import check_harmful, chosen_targets, damage_of
from combatlog.rules.dnd5e.saves import throw_save
from combatlog.rules.dnd5e.state import is_turned_aside
from combatlog.rules.dnd5e.weapons import ExtraDamage
from combatlog.rules.dnd5e.words import AbilityScore, DamageType
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.table import Table
from ledger.events import Data, Declared
from projections.combatant import Combatant


@options
class Blast(MadePower):
    damage: Annotated[DiceText, Field(description="dice, such as 4d8")]
    damage_type: DamageType
    save: AbilityScore
    saved: Annotated[Literal["half", "nothing"], Field(description="the damage on a successful save")] = "half"
    extra: Annotated[tuple[ExtraDamage, ...], Field(max_length=3, description="damage of other types with it")] = ()
    targets: Annotated[Few, Field(description="the most targets it can have")] = 1
    then: Annotated[Consequence | None, Field(description="a condition on a failed save")] = None
    parts = frozenset({Part.TARGET})

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        check_harmful(actor, chosen_targets(table, actor, self, declared, most=self.targets))

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        targets = chosen_targets(table, actor, self, declared, most=self.targets)
        chain = damage_of(self, actor, self.notation(actor, declared.options), self.damage_type, self.extra)
        chain.record(table)
        parts = roll_damage(table, actor.id, chain)
        threat = self.then.threat if self.then is not None else ()
        for target in table.battle.by_initiative(targets):
            if is_turned_aside(table, actor, target):
                continue
            save = throw_save(
                table, target, self.save, self.difficulty(actor), self.ref, origin=actor.position, threat=threat
            )
            if not save.succeeded or self.saved == "half":
                harm = Harm(table.battle, target, actor, self.ref, types_of(chain), saved=save.succeeded)
                harm.halved_by = self.save if self.saved == "half" else None
                taken = taken_chain(harm)
                taken.record(table)
                inflict(table, harm, parts, taken)
            if not save.succeeded and self.then is not None:
                self.then.befall(table, target, actor, self.ref, self.save, save.against, save.missed_by)

    def notation(self, actor: Combatant, options: Data) -> str:
        """The damage dice when it is used with these options."""
        return self.dice(actor, options, self.damage).notation


@archetype("blast", "spells")
@options
class BlastSpell(Blast, GrowingSpell):
    """Deal damage to the targets named; a successful save halves or prevents it."""

    tags = ("spell", "harm")


@archetype("blast", "actions", "features")
@options
class SpecialBlast(Blast, SavedSpecialAction):
    """Deal damage to the targets named, as with a glare; a successful save halves or prevents it."""

    range: Annotated[Feet, Field(description="its range in feet")]
    tags = ("harm",)
