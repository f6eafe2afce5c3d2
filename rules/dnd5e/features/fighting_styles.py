"""The fighting styles that only contribute to chains: Archery, Defense, Dueling, Great Weapon, Two-Weapon."""

from __future__ import annotations

from collections.abc import Iterator

from projections.combatant import Combatant
from rules.chain import Modifier
from rules.dnd5e.damage import REROLL
from rules.dnd5e.modifiers import bonus, flag
from rules.dnd5e.occasions import Attack
from rules.dnd5e.pieces import Feature, piece
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.words import Armor, WeaponProperty


@piece
class Archery(Feature):
    """+2 to hit with ranged weapons."""

    name = "archery"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner and attack.weapon.is_ranged and attack.spell is None:
            yield bonus("features", self.ref, owner.id, "Archery fighting style", 2)


@piece
class Defense(Feature):
    """+1 armour class in armour."""

    name = "defense"

    def on_armor_class(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if sheet_of(owner).armor is not Armor.NONE:
            yield bonus("features", self.ref, owner.id, "Defense fighting style", 1)


@piece
class Dueling(Feature):
    """+2 damage with a melee weapon in one hand and none in the other."""

    name = "dueling"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        weapon = attack.weapon
        one_handed = WeaponProperty.TWO_HANDED not in weapon.properties and sheet_of(owner).off_hand is None
        if attack.attacker is owner and attack.melee and one_handed:
            yield bonus("features", self.ref, owner.id, "Dueling fighting style", 2, weapon.damage_type)


@piece
class GreatWeaponFighting(Feature):
    """Damage dice of a two-handed melee weapon that show 1 or 2 are rolled once more."""

    name = "great_weapon_fighting"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner and attack.melee and WeaponProperty.TWO_HANDED in attack.weapon.properties:
            yield flag("features", self.ref, owner.id, "Great Weapon Fighting: 1s and 2s again", REROLL)


@piece
class TwoWeaponFighting(Feature):
    """The ability modifier counts for the damage of the off hand, too."""

    name = "two_weapon_fighting"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        modifier = sheet_of(owner).modifier(attack.ability)
        if attack.attacker is owner and attack.off_hand and modifier > 0:
            kind = attack.weapon.damage_type
            yield bonus("features", self.ref, owner.id, "Two-Weapon Fighting style", modifier, kind)
