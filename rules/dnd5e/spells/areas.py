"""Spells that cover an area: Fireball, Lightning Bolt, Burning Hands, Thunderwave."""

from __future__ import annotations

from projections.combatant import Combatant
from rules.dnd5e.areas import Shape
from rules.dnd5e.magic import AreaSpell
from rules.dnd5e.movement import push
from rules.dnd5e.pieces import piece
from rules.dnd5e.words import AbilityScore, DamageType
from rules.table import Table


@piece
class Fireball(AreaSpell):
    """8d6 fire in a sphere of 20 feet radius; one more die for each higher slot."""

    name = "fireball"
    level = 3
    range = 150
    shape, size = Shape.SPHERE, 20
    damage_dice, die, damage_type = 8, 6, DamageType.FIRE
    save = AbilityScore.DEX


@piece
class LightningBolt(AreaSpell):
    """8d6 lightning in a line of 100 feet; one more die for each higher slot."""

    name = "lightning_bolt"
    level = 3
    range = 100
    shape, size = Shape.LINE, 100
    damage_dice, die, damage_type = 8, 6, DamageType.LIGHTNING
    save = AbilityScore.DEX


@piece
class BurningHands(AreaSpell):
    """3d6 fire in a cone of 15 feet; one more die for each higher slot."""

    name = "burning_hands"
    level = 1
    range = 15
    shape, size = Shape.CONE, 15
    damage_dice, die, damage_type = 3, 6, DamageType.FIRE
    save = AbilityScore.DEX


@piece
class Thunderwave(AreaSpell):
    """2d8 thunder in a cube of 15 feet; those who fail a constitution save are pushed 10 feet away."""

    name = "thunderwave"
    level = 1
    range = 15
    shape, size = Shape.CUBE, 15
    damage_dice, die, damage_type = 2, 8, DamageType.THUNDER
    save = AbilityScore.CON

    def after_failed_save(self, table: Table, actor: Combatant, target: Combatant) -> None:
        if actor.position is not None:
            push(table, target, actor.position, 10)
