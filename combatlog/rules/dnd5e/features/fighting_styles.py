"""The fighting styles that do more than add a number: Great Weapon and Two-Weapon. The others are data."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.damage import REROLL
from combatlog.rules.dnd5e.modifiers import bonus, flag
from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.words import WeaponProperty
from combatlog.rules.engine.chain import Modifier
from projections.combatant import Combatant


@piece
class GreatWeaponFighting(Feature):
    """Reroll damage dice that show 1 or 2, once, for two-handed melee weapons."""

    name = "great_weapon_fighting"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner and attack.melee and WeaponProperty.TWO_HANDED in attack.weapon.properties:
            yield flag("features", self.ref, owner.id, "Great Weapon Fighting: reroll 1s and 2s", REROLL)


@piece
class TwoWeaponFighting(Feature):
    """The ability modifier also counts for the damage of off-hand attacks."""

    name = "two_weapon_fighting"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        modifier = sheet_of(owner).modifier(attack.ability)
        if attack.attacker is owner and attack.off_hand and modifier > 0:
            kind = attack.weapon.damage_type
            yield bonus("features", self.ref, owner.id, "Two-Weapon Fighting style", modifier, kind)
