"""Features of spellcasters: Destroy Undead, Disciple of Life, Agonizing Blast, Dark One's Blessing, Sculpt Spells."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.combatant_state import is_hostile
from combatlog.rules.dnd5e.contexts import Attack, Harm
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.enums import AbilityScore
from combatlog.rules.dnd5e.hit_points import gain_temporary
from combatlog.rules.dnd5e.modifiers import bonus
from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from projections.battle.combatant import Combatant

UP_TO = ((17, 4.0), (14, 3.0), (11, 2.0), (8, 1.0), (5, 0.5))
"""The highest challenge rating of undead that are destroyed, from each level on."""


@piece
class DestroyUndead(Feature):
    """Undead of a low challenge rating that fail the save against Turn Undead are destroyed at once."""

    name = "destroy_undead"

    def destroys(self, power: str, owner: Combatant, target: Combatant) -> bool:
        rating = sheet_of(target).cr
        most = next((rated for level, rated in UP_TO if sheet_of(owner).level >= level), None)
        return power == "turn_undead" and rating is not None and most is not None and rating <= most


@piece
class DiscipleOfLife(Feature):
    """Healing spells that take a slot restore 2 plus the slot's level extra hit points."""

    name = "disciple_of_life"

    def more_healing(self, level: int) -> int:
        return 2 + level if level else 0


ELDRITCH_BLAST = "dnd5e:spell:eldritch_blast"


@piece
class AgonizingBlast(Feature):
    """Add the Charisma modifier to the damage of each beam of Eldritch Blast."""

    name = "agonizing_blast"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner and attack.spell == ELDRITCH_BLAST:
            amount = sheet_of(owner).modifier(AbilityScore.CHA)
            yield bonus("features", self.ref, owner.id, "Agonizing Blast", amount, attack.weapon.damage_type)


@piece
class DarkOnesBlessing(Feature):
    """Gain temporary hit points (Charisma modifier plus level) for bringing an enemy to 0 hit points."""

    name = "dark_ones_blessing"

    def after_felling(self, table: Table, harm: Harm, owner: Combatant) -> None:
        if is_hostile(owner, harm.target):
            sheet = sheet_of(owner)
            amount = max(1, sheet.modifier(AbilityScore.CHA) + sheet.level)
            gain_temporary(table, owner, amount, "Dark One's Blessing", self.ref)


@piece
class SculptSpells(Feature):
    """Spells that damage an area spare friends in it: one, plus one for each level of the spell."""

    name = "sculpt_spells"

    def friends_spared(self, level: int) -> int:
        return 1 + level
