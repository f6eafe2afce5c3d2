"""Features of the barbarian: Rage, Reckless Attack, Frenzy, Brutal Critical, Danger Sense, Fast Movement."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.attack.phases import make_attack, resolve_attack
from combatlog.rules.dnd5e.attack.targeting import check_aim, melee_weapons, one_target, weapon_named
from combatlog.rules.dnd5e.combatant_state import (
    afflict,
    can_hear,
    end_condition,
    is_blinded,
    is_hostile,
    is_incapacitated,
)
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import for_a_minute, until_next_turn
from combatlog.rules.dnd5e.contexts import Attack, Harm, Save
from combatlog.rules.dnd5e.creatures.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import Weapon
from combatlog.rules.dnd5e.economy import ATTACKS, BONUS_ACTION, PROVOKED, changes_this_turn
from combatlog.rules.dnd5e.enums import AbilityScore, Armor
from combatlog.rules.dnd5e.modifiers import advantage, bonus, dice
from combatlog.rules.dnd5e.pieces import ActiveFeature, Feature, piece
from combatlog.rules.dnd5e.spells.casting import CONCENTRATING
from combatlog.rules.engine.dice.dice_notation import parse
from combatlog.rules.engine.options_and_validation import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Data, Declared
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

RAGING = "dnd5e:condition:raging"
BOUNDLESS = 20
"""From this level on, rages are unlimited."""


@piece
class Rage(ActiveFeature):
    """Spend the bonus action and one of the day's rages to start raging."""

    name = "rage"
    cost = {BONUS_ACTION: 1, "rage": 1}
    tags = ("offense", "defense")

    def pools(self, sheet: Sheet) -> dict[str, int]:
        level = sheet.level
        if level >= BOUNDLESS:
            return {}
        return {self.name: 2 if level < 3 else 3 if level < 6 else 4 if level < 12 else 5 if level < 17 else 6}

    def price(self, actor: Combatant, options: Data) -> dict[str, int]:
        return {BONUS_ACTION: 1} if sheet_of(actor).level >= BOUNDLESS else self.cost

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if actor.has(RAGING):
            raise Refusal("rage/already", f"{actor.name} is already raging.", who=actor.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        end_condition(table, actor, CONCENTRATING, "started raging")
        until, stoked = for_a_minute(table.battle, actor), actor.economy.left(PROVOKED) > 0
        data = {"stoked": True} if stoked else None
        afflict(table, actor, RAGING, source=self.ref, owner=actor.id, until=until, data=data)

    # Attacks and damage since its last turn count even before it starts raging.

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.attacker is owner and is_hostile(owner, attack.target):
            self._be_provoked(table, owner)

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        if harm.amount > 0:
            self._be_provoked(table, owner)

    def _be_provoked(self, table: Table, owner: Combatant) -> None:
        if not owner.has(RAGING) and not owner.economy.left(PROVOKED):
            table.gain(owner, PROVOKED, 1, "attacked or took damage", self.ref)

    def at_turn_end(self, table: Table, owner: Combatant) -> None:
        if owner.economy.left(PROVOKED):
            table.reset(owner, PROVOKED, 0, "turn end", self.ref)


RECKLESS = "dnd5e:condition:reckless"


@piece
class RecklessAttack(ActiveFeature):
    """Gain advantage on this turn's Strength attacks in melee, and grant it to attackers until your next turn."""

    name = "reckless_attack"
    tags = ("offense",)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if actor.has(RECKLESS):
            raise Refusal("reckless-attack/already", f"{actor.name} is already reckless.", who=actor.id)
        if any(change.after < change.before for change in changes_this_turn(battle, actor, ATTACKS)):
            raise Refusal(
                "reckless-attack/too-late",
                f"{actor.name} has already attacked this turn; Reckless Attack comes before the first attack.",
                who=actor.id,
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        afflict(table, actor, RECKLESS, source=self.ref, owner=actor.id, until=until_next_turn(actor))


RAGE_NEEDED = "dnd5e:condition:raging"
FRENZIED = "dnd5e:condition:frenzied"


@piece
class Frenzy(ActiveFeature):
    """While raging, spend the bonus action on a melee attack; you gain exhaustion when the rage ends."""

    name = "frenzy"
    cost = {BONUS_ACTION: 1}
    tags = ("attack", "weapon", "melee")
    parts = frozenset({Part.TARGET, Part.WEAPON})

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not actor.has(RAGE_NEEDED):
            raise Refusal("frenzy/not-raging", f"{actor.name} is not raging.", who=actor.id, needed="rage")

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        check_aim(table.battle, actor, one_target(table, actor, declared.targets), self._weapon(actor, declared))

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if not actor.has(FRENZIED):
            afflict(table, actor, FRENZIED, source=self.ref, owner=actor.id)
        target = one_target(table, actor, declared.targets)
        resolve_attack(table, make_attack(table.battle, actor, target, self._weapon(actor, declared)))

    def _weapon(self, actor: Combatant, declared: Declared) -> Weapon:
        return weapon_named(actor, declared.weapon) if declared.weapon else melee_weapons(actor)[0]


@piece
class BrutalCritical(Feature):
    """Extra weapon dice on a critical hit in melee: 1, from level 13 on 2, and from level 17 on 3."""

    name = "brutal_critical"

    def on_critical(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        groups = parse(attack.weapon.damage).groups
        if attack.attacker is owner and attack.melee and attack.spell is None and groups:
            notation = f"{more_dice(sheet_of(owner).level)}{groups[0].die.name}"
            yield dice("features", self.ref, owner.id, "Brutal Critical", notation, attack.weapon.damage_type)


def more_dice(level: int) -> int:
    return 1 + (level >= 13) + (level >= 17)


@piece
class DangerSense(Feature):
    """Advantage on Dexterity saves while not blinded, deafened or incapacitated."""

    name = "danger_sense"

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        is_aware = not is_blinded(owner) and can_hear(owner) and not is_incapacitated(owner)
        if save.ability is AbilityScore.DEX and is_aware:
            yield advantage(owner.id, self.ref, "Danger Sense", stage="features")


@piece
class FastMovement(Feature):
    """10 feet more speed, except in heavy armour."""

    name = "fast_movement"

    def on_speed(self, owner: Combatant) -> Iterator[Modifier]:
        if sheet_of(owner).armor is not Armor.HEAVY:
            yield bonus("features", self.ref, owner.id, "Fast Movement", 10)
