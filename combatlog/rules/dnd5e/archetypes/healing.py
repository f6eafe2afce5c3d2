"""Healing: a target by a spell, oneself or a target by a special action."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from combatlog.rules.dnd5e.archetype_registry import archetype, options
from combatlog.rules.dnd5e.archetypes.casting import GrowingSpell
from combatlog.rules.dnd5e.archetypes.parts import DiceText, Feet
from combatlog.rules.dnd5e.archetypes.powers import MadePower
from combatlog.rules.dnd5e.archetypes.special_actions import SpecialAction
from combatlog.rules.dnd5e.powers import chosen_targets
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.vitality import heal, heals_fully
from combatlog.rules.dnd5e.words import AbilityScore, CreatureType
from combatlog.rules.engine.options import Part, Signature
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Data, Declared, RollModifier
from projections.combatant import Combatant

UNHEALABLE = (CreatureType.UNDEAD, CreatureType.CONSTRUCT)


@options
class Healing(MadePower):
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
        """What is added to the dice."""
        return ()


@archetype("healing", "spells")
@options
class HealingSpell(Healing, GrowingSpell):
    """Heal one target by the dice plus the caster's modifier; it does not work on undead or constructs."""

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
class SpecialHealing(Healing, SpecialAction):
    """Heal oneself, or one target in range."""

    range: Annotated[Feet, Field(description="in feet; 0 heals oneself")] = 0
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
