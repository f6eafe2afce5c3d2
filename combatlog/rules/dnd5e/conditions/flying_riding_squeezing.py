"""Flying and falling, riding, squeezing; and small conditions about equipment, light and marks."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.attack.damage import hurt
from combatlog.rules.dnd5e.battlemap.grapples_and_mounts import carry_along, get_off, mount_of, part, rider_of
from combatlog.rules.dnd5e.battlemap.movement import make_room, settle
from combatlog.rules.dnd5e.battlemap.space import AIRBORNE, RIDDEN, RIDING, level_of
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import speed_of
from combatlog.rules.dnd5e.combatant_state import afflict, can_act, end_condition, is_dead
from combatlog.rules.dnd5e.contexts import Attack, Check, MovementStep, Save
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import SHIELD
from combatlog.rules.dnd5e.economy import REACTION
from combatlog.rules.dnd5e.enums import AbilityScore, DamageType
from combatlog.rules.dnd5e.hit_points import PRONE
from combatlog.rules.dnd5e.modifiers import (
    advantage_on_attacks_against,
    bonus,
    disadvantage,
    disadvantage_on_own_attacks,
)
from combatlog.rules.dnd5e.pieces import Dnd5eCondition, piece
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from projections.battle.combatant import Combatant

FALL = "dnd5e:rule:falling"


def fall(table: Table, combatant: Combatant, feet: int) -> None:
    """Fall from this height: take damage and land prone."""
    end_condition(table, combatant, AIRBORNE, "fell")
    dice = min(20, feet // 10)
    if dice and not is_dead(combatant):
        rolled = table.roll("falling", combatant.id, f"{dice}d6")
        hurt(table, combatant, rolled.total, DamageType.BLUDGEONING)
        if not combatant.has(PRONE) and not is_dead(combatant):
            afflict(table, combatant, PRONE, source=FALL, owner=combatant.id)
    make_room(table, combatant)


@piece
class Airborne(Dnd5eCondition):
    """In the air. It falls if it is knocked prone, cannot act or its speed is 0."""

    name = "airborne"
    is_single = True

    def after_affliction(self, table: Table, owner: Combatant) -> None:
        if sheet_of(owner).speeds.hover and not owner.has("dnd5e:condition:dead"):
            return
        if owner.has(PRONE) or not can_act(owner) or speed_of(owner) == 0:
            fall(table, owner, 5 * level_of(owner))


@piece
class Riding(Dnd5eCondition):
    """On a mount, which carries it. It falls off if it is knocked prone or cannot act."""

    name = "riding"
    is_single = True

    def after_step(self, table: Table, step: MovementStep, owner: Combatant) -> None:
        mount = mount_of(table.battle, owner)
        if mount is step.mover:
            carry_along(table, mount)

    def at_any_turn_start(self, table: Table, owner: Combatant) -> None:
        mount = mount_of(table.battle, owner)
        if mount is None or not mount.present or mount.position != owner.position:  # a ruling put them apart
            get_off(table, owner, "apart")

    def at_end(self, table: Table, owner: Combatant) -> None:
        part(table, mount_of(table.battle, owner), RIDDEN)

    def after_affliction(self, table: Table, owner: Combatant) -> None:
        if owner.has(PRONE) or not can_act(owner):
            fall_off(table, owner)

    def forbids_step(self, battle: object, owner: Combatant, origin: object, to: object) -> str | None:
        return f"{owner.name} is riding and moves with its mount"


@piece
class Ridden(Dnd5eCondition):
    """Carries a rider. If it is knocked prone or falls, its rider gets off."""

    name = "ridden"
    is_single = True

    def at_end(self, table: Table, owner: Combatant) -> None:
        part(table, rider_of(table.battle, owner), RIDING)

    def after_affliction(self, table: Table, owner: Combatant) -> None:
        rider = rider_of(table.battle, owner)
        if rider is not None and (owner.has(PRONE) or not can_act(owner)):
            fall_off(table, rider)


def fall_off(table: Table, rider: Combatant) -> None:
    """Land prone next to the mount, or spend a reaction to land on its feet."""
    if not rider.has(RIDING):
        return
    get_off(table, rider, "fell off")
    if rider.position is not None:
        settle(table, rider, rider.position)
    if can_act(rider) and rider.economy.left(REACTION):
        table.spend(rider, REACTION, 1, "lands on its feet")
    elif not rider.has(PRONE):
        afflict(table, rider, PRONE, source="dnd5e:rule:mounts", owner=rider.id)


@piece
class Squeezing(Dnd5eCondition):
    """In a narrow space: disadvantage on attacks and Dexterity saves, advantage on attacks against it, slow steps."""

    name = "squeezing"
    is_single = True

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if sheet_of(owner).is_amorphous:
            return
        yield from disadvantage_on_own_attacks(self, attack, owner, f"{owner.name} is squeezing")
        yield from advantage_on_attacks_against(self, attack, owner, f"{owner.name} is squeezing")

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        if save.ability is AbilityScore.DEX and not sheet_of(owner).is_amorphous:
            yield disadvantage(owner.id, self.ref, f"{owner.name} is squeezing", stage="conditions")


@piece
class MissingWeapons(Dnd5eCondition):
    """Has thrown weapons, which lie where they landed until it picks them up."""

    name = "missing_weapons"
    is_single = True


@piece
class Shieldless(Dnd5eCondition):
    """Has put its shield down: armour class 2 lower, and a free hand."""

    name = "shieldless"
    is_single = True

    def on_armor_class(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield bonus("equipment", self.ref, owner.id, "without its shield", -SHIELD)


@piece
class Lit(Dnd5eCondition):
    """Carries a light: bright for 20 feet and dim for another 20."""

    name = "lit"
    is_single = True


@piece
class Cursed(Dnd5eCondition):
    """Under a curse, such as lycanthropy, that takes effect after the fight."""

    name = "cursed"


@piece
class Sunlit(Dnd5eCondition):
    """In sunlight, which some creatures cannot stand. The GM decides who has it."""

    name = "sunlit"


@piece
class BlendingIn(Dnd5eCondition):
    """Where its camouflage works, such as a stone giant among rocks. The GM decides who has it."""

    name = "blending_in"


@piece
class Weakened(Dnd5eCondition):
    """Disadvantage on attacks, checks and saving throws with Strength."""

    name = "weakened"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.ability is AbilityScore.STR:
            yield from disadvantage_on_own_attacks(self, attack, owner, f"{owner.name} is weakened")

    def on_check(self, check: Check, owner: Combatant) -> Iterator[Modifier]:
        if check.ability is AbilityScore.STR:
            yield disadvantage(owner.id, self.ref, f"{owner.name} is weakened", stage="conditions")

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        if save.ability is AbilityScore.STR:
            yield disadvantage(owner.id, self.ref, f"{owner.name} is weakened", stage="conditions")
