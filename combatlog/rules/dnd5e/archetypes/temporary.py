"""Temporary hit points: they take damage first, and do not add up."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from combatlog.rules.dnd5e.archetype_registry import archetype, options
from combatlog.rules.dnd5e.archetypes.casting import GrowingSpell
from combatlog.rules.dnd5e.archetypes.parts import DiceText, Feet, Few
from combatlog.rules.dnd5e.archetypes.powers import MadePower
from combatlog.rules.dnd5e.archetypes.special_actions import SpecialAction
from combatlog.rules.dnd5e.powers import chosen_targets
from combatlog.rules.dnd5e.vitality import gain_temporary
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.table import Table
from ledger.events import Data, Declared, RollModifier
from projections.combatant import Combatant


@options
class Temporary(MadePower):
    temporary: Annotated[DiceText, Field(description="dice, such as 1d4+4; rolled once for all targets")]
    targets: Annotated[Few, Field(description="the most targets it can have")] = 1
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
        """Those who are named, or else whoever uses it."""
        if not declared.targets:
            return [actor]
        return chosen_targets(table, actor, self, declared, most=self.targets)

    def added(self, actor: Combatant, options: Data) -> list[RollModifier]:
        """What is added to the dice."""
        return []


@archetype("temporary_hit_points", "spells")
@options
class TemporarySpell(Temporary, GrowingSpell):
    """Give oneself or the targets temporary hit points."""

    plus_per_slot: Annotated[int, Field(ge=0, le=20, description="extra points per slot level above its own")] = 0
    tags = ("spell", "support")

    def added(self, actor: Combatant, options: Data) -> list[RollModifier]:
        more = self.plus_per_slot * self.steps(options)
        return [RollModifier(source=self.ref, amount=more)] if more else []


@archetype("temporary_hit_points", "actions", "features")
@options
class SpecialTemporary(Temporary, SpecialAction):
    """Give oneself or the targets temporary hit points."""

    range: Annotated[Feet, Field(description="in feet; 0 for oneself only")] = 0
    tags = ("support",)
