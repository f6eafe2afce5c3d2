"""Conditions that spells cause, and the concentration that sustains them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from combatlog.rules.dnd5e.contexts import Attack, Harm, Save
from combatlog.rules.dnd5e.instances import instances_of
from combatlog.rules.dnd5e.modifiers import dice, minus_dice
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.saves import resolve_save
from combatlog.rules.dnd5e.state import end_condition, end_instance
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.chain import Modifier
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant


class Enchanted(Condition):
    """A die added to or subtracted from attack rolls and saves."""

    spell: ClassVar[str]
    maker: ClassVar[staticmethod[[str, str, str, str, str], Modifier]]

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner:
            yield self._die(owner)

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        yield self._die(owner)

    def _die(self, owner: Combatant) -> Modifier:
        return self.maker("conditions", f"dnd5e:spell:{self.spell}", owner.id, self.spell.title(), "1d4")


@piece
class Blessed(Enchanted):
    """Adds 1d4 to attack rolls and saves."""

    name, spell = "blessed", "bless"
    maker = staticmethod(dice)


@piece
class Baned(Enchanted):
    """Subtracts 1d4 from attack rolls and saves."""

    name, spell = "baned", "bane"
    maker = staticmethod(minus_dice)


@piece
class Concentrating(Condition):
    """Sustains a spell, whose effects end with it. Damage calls for a constitution save."""

    name = "concentrating"
    ends_when_incapacitated = True
    is_single = True

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        if harm.amount == 0:
            return
        against = max(10, harm.amount // 2)
        if not resolve_save(table, owner, AbilityScore.CON, against, self.ref, "concentration save"):
            end_condition(table, owner, self.ref, "concentration broken")

    def at_end(self, table: Table, owner: Combatant) -> None:
        spell = owner.conditions[self.ref].source
        for other in table.battle.combatants.values():
            for held in [held for held in other.conditions.values() if held.ref != self.ref]:
                for instance in instances_of(held):
                    if instance.is_of(spell, owner.id):
                        end_instance(table, other, held.ref, instance, "concentration ended")
