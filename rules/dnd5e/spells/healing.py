"""Cure Wounds and Healing Word."""

from __future__ import annotations

from typing import ClassVar

from ledger.events import Declared, RollModifier
from projections.combatant import Combatant
from rules.dnd5e.economy import BONUS_ACTION
from rules.dnd5e.magic import Spell, chosen_targets
from rules.dnd5e.pieces import piece
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.vitality import heal
from rules.dnd5e.words import CreatureType
from rules.refusal import Refusal
from rules.table import Table

UNHEALABLE = (CreatureType.UNDEAD, CreatureType.CONSTRUCT)


class HealingSpell(Spell):
    """One die a slot level, and the caster's modifier."""

    level = 1
    die: ClassVar[int]
    tags = ("spell", "healing")

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        (target,) = chosen_targets(table, actor, self, declared, most=1)
        kind = sheet_of(target).creature_type
        if kind in UNHEALABLE:
            raise Refusal("spell/no-effect", f"{self.title} does nothing for {target.id}, which is {kind}.")

    def cast(self, table: Table, actor: Combatant, declared: Declared, level: int) -> None:
        sheet = sheet_of(actor)
        added = [RollModifier(source=f"dnd5e:score:{sheet.spellcasting}", amount=sheet.casting_modifier)]
        rolled = table.roll("healing", actor.id, f"{level}d{self.die}", modifiers=added)
        with table.because_of(rolled):
            heal(table, table.combatant(declared.targets[0]), max(0, rolled.total), self.title, self.ref)


@piece
class CureWounds(HealingSpell):
    """Touch somebody to heal it."""

    name = "cure_wounds"
    range = 5
    die = 8


@piece
class HealingWord(HealingSpell):
    """Heal somebody within 60 feet with a word."""

    name = "healing_word"
    casting = BONUS_ACTION
    range = 60
    die = 4
