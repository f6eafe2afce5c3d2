"""Circumstances under which a feature contributes something. Each is one question in the table below."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any

from pydantic import Field

from combatlog.rules.dnd5e.adjacent_allies import ally_beside
from combatlog.rules.dnd5e.contexts import Attack, Check, Context, Save
from combatlog.rules.dnd5e.economy import MOVEMENT, changes_this_turn
from combatlog.rules.dnd5e.instances import causes_of
from combatlog.rules.dnd5e.light import light_at
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.sheet_part import Part
from combatlog.rules.dnd5e.state import GRAPPLED, can_act
from combatlog.rules.dnd5e.surroundings import Light
from combatlog.rules.dnd5e.vitality import HP, is_bloodied
from combatlog.rules.dnd5e.words import AbilityScore, Armor, CreatureType, Size, Skill, WeaponProperty
from projections.combatant import Combatant

SPELL = "dnd5e:spell:"
"""How the refs of spells begin."""


class Way(StrEnum):
    """How an attack is made."""

    MELEE = "melee"
    RANGED = "ranged"
    WEAPON = "weapon"
    RANGED_WEAPON = "ranged_weapon"
    SPELL = "spell"


class When(Part):
    """Circumstances that all have to hold."""

    by: Way | None = Field(default=None, description="how the attack is made")
    weapon: str | None = Field(default=None, max_length=40, description="the name of the weapon")
    weapon_property: WeaponProperty | None = Field(default=None, description="a property of the weapon")
    one_handed: bool | None = Field(default=None, description="one weapon in one hand and none in the other")
    target: Annotated[tuple[CreatureType, ...], Field(min_length=1, max_length=14)] | None = Field(
        default=None, description="creature types of the target"
    )
    ability: AbilityScore | None = Field(default=None, description="the ability of the attack, save or check")
    armored: bool | None = Field(default=None, description="whether its owner wears armour")
    skill: Skill | None = Field(default=None, description="the skill of the check")
    spell: bool | None = Field(default=None, description="whether the save is against a spell")
    ally_beside: bool | None = Field(
        default=None, description="whether an ally of its owner that can act is within 5 feet of the target"
    )
    moved: Annotated[int, Field(ge=5, le=200, multiple_of=5)] | None = Field(
        default=None, description="how many feet its owner has moved this turn, at least, as for a charge"
    )
    threat: Annotated[tuple[str, ...], Field(min_length=1, max_length=14)] | None = Field(
        default=None, description="conditions, one of which a failed save would cause"
    )
    target_is: str | None = Field(default=None, max_length=40, description="a condition that the target has")
    largest: Size | None = Field(default=None, description="the largest size of the target")
    advantage: bool | None = Field(default=None, description="whether the attack was rolled with advantage")
    owner_is: str | None = Field(default=None, max_length=40, description="a condition that its owner has")
    held: bool | None = Field(default=None, description="whether its owner holds the target in a grapple")
    alert: bool | None = Field(default=None, description="whether its owner can act")
    in_light: Light | None = Field(default=None, description="the light where its owner is: bright, dim or dark")
    wounded: bool | None = Field(default=None, description="whether the target has lost hit points")
    bloodied: bool | None = Field(default=None, description="whether its owner has half of its hit points or fewer")

    def holds(self, owner: Combatant, context: Context | None = None) -> bool:
        return all(QUESTIONS[name](owner, context, wanted) for name, wanted in self._said)

    @cached_property
    def _said(self) -> list[tuple[str, Any]]:
        return [(name, getattr(self, name)) for name in QUESTIONS if getattr(self, name) is not None]

    def misplaced(self, known: frozenset[str]) -> list[str]:
        """The circumstances given here that are not among the known ones."""
        return sorted(name for name, _ in self._said if name not in known)


OF_OWNER = frozenset({"armored", "bloodied", "owner_is", "alert"})
OF_THROWS = OF_OWNER | {"ability", "in_light"}
OF_CHECKS = OF_THROWS | {"skill"}
OF_SAVES = OF_THROWS | {"spell", "threat"}
OF_ATTACKS_ON_OWNER = OF_THROWS | {"by", "weapon", "weapon_property"}
OF_ATTACKS = OF_ATTACKS_ON_OWNER | {
    "one_handed",
    "target",
    "ally_beside",
    "moved",
    "wounded",
    "target_is",
    "held",
    "largest",
}
OF_DAMAGE = OF_ATTACKS | {"advantage"}


def _by(owner: Combatant, attack: Attack, way: Way) -> bool:
    return {
        Way.MELEE: attack.melee,
        Way.RANGED: not attack.melee,
        Way.WEAPON: attack.spell is None,
        Way.RANGED_WEAPON: attack.spell is None and attack.weapon.is_ranged,
        Way.SPELL: attack.spell is not None,
    }[way]


def _one_handed(owner: Combatant, attack: Attack, wanted: bool) -> bool:
    weapon = attack.weapon
    in_one_hand = WeaponProperty.TWO_HANDED not in weapon.properties and not weapon.is_unarmed
    return (in_one_hand and sheet_of(attack.attacker).off_hand is None) is wanted


def _of_ability(owner: Combatant, throw: Attack | Save | Check, ability: AbilityScore) -> bool:
    return throw.ability is ability


def _ally_beside(owner: Combatant, attack: Attack, wanted: bool) -> bool:
    return (ally_beside(attack, owner) is not None) is wanted


def _moved(owner: Combatant, attack: Attack, feet: int) -> bool:
    """Whether straight towards the target is for the people at the table to judge."""
    steps = changes_this_turn(attack.battle, owner, MOVEMENT) if attack.battle.clock.turn == owner.id else []
    return sum(step.before - step.after for step in steps if step.after < step.before) >= feet


def _in_light(owner: Combatant, context: Context, light: Light) -> bool:
    return owner.position is not None and light_at(context.battle, owner.position) is light


def _wounded(owner: Combatant, attack: Attack, wanted: bool) -> bool:
    health = attack.target.vitals[HP]
    return (health.current < (health.maximum or 0)) is wanted


def _bloodied(owner: Combatant, context: Context | None, wanted: bool) -> bool:
    return is_bloodied(owner) is wanted


QUESTIONS: dict[str, Callable[[Combatant, Any, Any], bool]] = {
    "by": _by,
    "weapon": lambda owner, attack, name: attack.weapon.name == name,
    "weapon_property": lambda owner, attack, wanted: wanted in attack.weapon.properties,
    "one_handed": _one_handed,
    "target": lambda owner, attack, kinds: sheet_of(attack.target).creature_type in kinds,
    "ability": _of_ability,
    "armored": lambda owner, context, wanted: (sheet_of(owner).armor is not Armor.NONE) is wanted,
    "bloodied": _bloodied,
    "skill": lambda owner, check, skill: check.name is skill,
    "spell": lambda owner, save, wanted: save.source.startswith(SPELL) is wanted,
    "ally_beside": _ally_beside,
    "moved": _moved,
    "held": lambda owner, attack, wanted: (owner.id in causes_of(attack.target, GRAPPLED)) is wanted,
    "alert": lambda owner, context, wanted: can_act(owner) is wanted,
    "in_light": _in_light,
    "wounded": _wounded,
    "target_is": lambda owner, attack, name: attack.target.has(f"dnd5e:condition:{name}"),
    "largest": lambda owner, attack, size: sheet_of(attack.target).size.rank <= size.rank,
    "advantage": lambda owner, attack, wanted: (attack.roll is not None and attack.roll.mode == "advantage") is wanted,
    "owner_is": lambda owner, context, name: owner.has(f"dnd5e:condition:{name}"),
    "threat": lambda owner, save, names: not set(names).isdisjoint(save.threat),
}
