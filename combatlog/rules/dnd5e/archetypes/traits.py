"""Traits: features that contribute to chains, always or under certain circumstances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, NamedTuple

from pydantic import Field, model_validator

from combatlog.rules.dnd5e.archetypes.registry import DiceText, PieceName, Words, archetype, options
from combatlog.rules.dnd5e.attack.targeting import ally_beside
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import light_at
from combatlog.rules.dnd5e.battlemap.space import AIRBORNE
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import STEP
from combatlog.rules.dnd5e.combatant_state import GRAPPLED, can_act
from combatlog.rules.dnd5e.conditions.instances import causes_of
from combatlog.rules.dnd5e.contexts import Attack, Check, Context, Harm, Save
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import SheetPart
from combatlog.rules.dnd5e.economy import MOVEMENT, changes_this_turn, spent_on
from combatlog.rules.dnd5e.enums import AbilityScore, Armor, CreatureType, DamageType, Size, Skill, WeaponProperty
from combatlog.rules.dnd5e.hazards_and_optional_rules import Light
from combatlog.rules.dnd5e.hit_points import HP, is_bloodied
from combatlog.rules.dnd5e.modifiers import (
    advantage,
    bonus,
    critical_from,
    dice,
    disadvantage,
    halved,
    minus_dice,
    multiplied,
)
from combatlog.rules.dnd5e.pieces import Feature
from combatlog.rules.engine.refusal import choices
from combatlog.rules.engine.resolution.chain import Modifier
from ledger.events import ResourceChanged
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

MOVE = "dnd5e:action:move"
SPELL = "dnd5e:spell:"
"""The prefix of the refs of spells."""


class AttackMode(StrEnum):
    """How an attack is made."""

    MELEE = "melee"
    RANGED = "ranged"
    WEAPON = "weapon"
    RANGED_WEAPON = "ranged_weapon"
    SPELL = "spell"


class TraitCircumstances(SheetPart):
    """Circumstances that all have to hold."""

    by: AttackMode | None = Field(default=None, description="how the attack is made")
    weapon: str | None = Field(default=None, max_length=40, description="the name of the weapon")
    weapon_property: WeaponProperty | None = Field(default=None, description="a property of the weapon")
    one_handed: bool | None = Field(default=None, description="a weapon in one hand and none in the other")
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
        default=None, description="the minimum feet that its owner has moved this turn, as for a charge"
    )
    threat: Annotated[tuple[str, ...], Field(min_length=1, max_length=14)] | None = Field(
        default=None, description="conditions; a failed save would cause one of them"
    )
    target_is: str | None = Field(default=None, max_length=40, description="a condition that the target has")
    largest: Size | None = Field(default=None, description="the largest size of the target")
    advantage: bool | None = Field(default=None, description="whether the attack was rolled with advantage")
    owner_is: str | None = Field(default=None, max_length=40, description="a condition that its owner has")
    held: bool | None = Field(default=None, description="whether its owner has grappled the target")
    alert: bool | None = Field(default=None, description="whether its owner can act")
    in_light: Light | None = Field(default=None, description="the light where its owner is: bright, dim or dark")
    wounded: bool | None = Field(default=None, description="whether the target has lost hit points")
    bloodied: bool | None = Field(default=None, description="whether its owner is at half of its hit points or below")

    def holds(self, owner: Combatant, context: Context | None = None) -> bool:
        return all(QUESTIONS[name](owner, context, wanted) for name, wanted in self._said)

    @cached_property
    def _said(self) -> list[tuple[str, Any]]:
        return [(name, getattr(self, name)) for name in QUESTIONS if getattr(self, name) is not None]

    def misplaced(self, known: frozenset[str]) -> list[str]:
        """The given circumstances that are not among the known ones."""
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


def _by(owner: Combatant, attack: Attack, way: AttackMode) -> bool:
    return {
        AttackMode.MELEE: attack.melee,
        AttackMode.RANGED: not attack.melee,
        AttackMode.WEAPON: attack.spell is None,
        AttackMode.RANGED_WEAPON: attack.spell is None and attack.weapon.is_ranged,
        AttackMode.SPELL: attack.spell is not None,
    }[way]


def _one_handed(owner: Combatant, attack: Attack, wanted: bool) -> bool:
    weapon = attack.weapon
    is_held = attack.spell is None and not weapon.is_unarmed
    in_one_hand = is_held and WeaponProperty.TWO_HANDED not in weapon.properties
    return (in_one_hand and sheet_of(attack.attacker).off_hand is None) is wanted


def _of_ability(owner: Combatant, throw: Attack | Save | Check, ability: AbilityScore) -> bool:
    return throw.ability is ability


def _ally_beside(owner: Combatant, attack: Attack, wanted: bool) -> bool:
    return (ally_beside(attack, owner) is not None) is wanted


def _moved(owner: Combatant, attack: Attack, feet: int) -> bool:
    """Whether its owner has moved far enough. Whether in a straight line is left to the players."""
    battle = attack.battle
    paid = changes_this_turn(battle, owner, MOVEMENT) if battle.clock.turn == owner.id else []
    return sum(_feet_gone(battle, change) for change in paid if change.after < change.before) >= feet


def _feet_gone(battle: Battle, paid: ResourceChanged) -> int:
    """How far a movement that was paid for went: a step is 5 feet, whatever it costs, and standing up is none."""
    source = spent_on(battle, paid)
    if source == AIRBORNE:
        return paid.before - paid.after
    return STEP if source == MOVE else 0


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


STAGE = "features"


class ContributionTarget(StrEnum):
    """The owner's chain to contribute to. `attacks_on` means attacks against the owner."""

    ATTACK = "attack"
    ATTACKED = "attacks_on"
    DAMAGE = "damage"
    ARMOR_CLASS = "armor_class"
    SAVE = "save"
    CHECK = "check"
    SPEED = "speed"
    ATTACKS = "attacks"
    MAXIMUM_HP = "maximum_hp"


class ChainInputs(NamedTuple):
    """The changes and circumstances that a chain supports."""

    changes: tuple[str, ...]
    circumstances: frozenset[str]


THROWN = ("bonus", "dice", "minus_dice", "advantage", "disadvantage")
CHAINS: dict[ContributionTarget, ChainInputs] = {
    ContributionTarget.ATTACK: ChainInputs((*THROWN, "critical_from"), OF_ATTACKS),
    ContributionTarget.ATTACKED: ChainInputs(("advantage", "disadvantage"), OF_ATTACKS_ON_OWNER),
    ContributionTarget.DAMAGE: ChainInputs(("bonus", "dice"), OF_DAMAGE),
    ContributionTarget.ARMOR_CLASS: ChainInputs(("bonus",), OF_ATTACKS_ON_OWNER),
    ContributionTarget.SAVE: ChainInputs(THROWN, OF_SAVES),
    ContributionTarget.CHECK: ChainInputs(THROWN, OF_CHECKS),
    ContributionTarget.SPEED: ChainInputs(("bonus",), OF_OWNER),
    ContributionTarget.ATTACKS: ChainInputs(("bonus",), OF_OWNER),
    ContributionTarget.MAXIMUM_HP: ChainInputs(("bonus",), OF_OWNER - {"bloodied"}),
}


class TraitContribution(SheetPart):
    """One contribution of a trait: the chain, the change, and the circumstances."""

    to: ContributionTarget
    bonus: int | None = Field(default=None, ge=-50, le=50)
    dice: DiceText | None = Field(default=None, description="dice to add")
    minus_dice: DiceText | None = Field(default=None, description="dice to subtract")
    advantage: bool = False
    disadvantage: bool = False
    critical_from: int | None = Field(default=None, ge=2, le=19, description="the lowest natural roll that is critical")
    damage_type: DamageType | None = Field(default=None, description="of the extra damage; the weapon's if omitted")
    when: TraitCircumstances = TraitCircumstances()

    @model_validator(mode="after")
    def _fits_its_chain(self) -> TraitContribution:
        takes, said = CHAINS[self.to], [name for name in (*THROWN, "critical_from") if getattr(self, name)]
        if len(said) != 1 or said[0] not in takes.changes:
            raise ValueError(f"a contribution to {self.to} needs exactly one of {choices(takes.changes)}")
        if wrong := self.when.misplaced(takes.circumstances):
            known = choices(sorted(takes.circumstances))
            raise ValueError(f"when.{wrong[0]} does not apply to {self.to}; choose {known}")
        if self.damage_type is not None and self.to is not ContributionTarget.DAMAGE:
            raise ValueError("damage_type applies only to damage")
        return self


class ModifierReason(NamedTuple):
    """The parts common to all modifiers: source, owner and reason."""

    source: str
    owner: str
    reason: str


Make = Callable[[TraitContribution, ModifierReason, str | None], Modifier]

MAKERS: dict[str, Make] = {
    "bonus": lambda given, told, label: bonus(STAGE, *told, given.bonus or 0, label),
    "dice": lambda given, told, label: dice(STAGE, *told, given.dice or "0", label),
    "minus_dice": lambda given, told, label: minus_dice(STAGE, *told, given.minus_dice or "0"),
    "advantage": lambda given, told, label: advantage(told.owner, told.source, told.reason, stage=STAGE),
    "disadvantage": lambda given, told, label: disadvantage(told.owner, told.source, told.reason, stage=STAGE),
    "critical_from": lambda given, told, label: critical_from(STAGE, *told, given.critical_from or 0),
}


@archetype("trait", "features")
@options
class Trait(Feature):
    """Bonuses, dice, advantage or resistance for its owner, always or under certain circumstances."""

    name: PieceName
    reason: Annotated[Words | None, Field(description="the reason shown in the log; the name if omitted")] = None
    contributes: Annotated[tuple[TraitContribution, ...], Field(max_length=20)] = ()
    resists: Annotated[tuple[DamageType, ...], Field(max_length=13, description="takes half damage")] = ()
    immune_to: Annotated[tuple[DamageType, ...], Field(max_length=13, description="takes no damage")] = ()

    @model_validator(mode="after")
    def _is_something(self) -> Trait:
        if not (self.contributes or self.resists or self.immune_to):
            raise ValueError("give it contributes, resists or immune_to")
        return self

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        if attack.attacker is owner:
            return self._given(ContributionTarget.ATTACK, owner, attack)
        return self._given(ContributionTarget.ATTACKED, owner, attack) if attack.target is owner else ()

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        return (
            self._given(ContributionTarget.DAMAGE, owner, attack, attack.weapon.damage_type)
            if attack.attacker is owner
            else ()
        )

    def on_armor_class(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        return self._given(ContributionTarget.ARMOR_CLASS, owner, attack)

    def on_save(self, save: Save, owner: Combatant) -> Iterable[Modifier]:
        return self._given(ContributionTarget.SAVE, owner, save)

    def on_check(self, check: Check, owner: Combatant) -> Iterable[Modifier]:
        return self._given(ContributionTarget.CHECK, owner, check)

    def on_speed(self, owner: Combatant) -> Iterable[Modifier]:
        return self._given(ContributionTarget.SPEED, owner)

    def on_attack_count(self, owner: Combatant) -> Iterable[Modifier]:
        return self._given(ContributionTarget.ATTACKS, owner)

    def on_maximum_hp(self, owner: Combatant) -> Iterable[Modifier]:
        return self._given(ContributionTarget.MAXIMUM_HP, owner)

    def on_harm(self, harm: Harm, owner: Combatant) -> Iterator[Modifier]:
        for kind in harm.types:
            if kind in self.immune_to:
                yield multiplied("immunity", *self._told(owner), 0, kind)
            elif kind in self.resists:
                yield halved("resistance", *self._told(owner), kind)

    def _given(
        self, to: ContributionTarget, owner: Combatant, context: Context | None = None, label: str | None = None
    ) -> Iterator[Modifier]:
        for given, make in self._by_chain.get(to, ()):
            if given.when.holds(owner, context):
                yield make(given, self._told(owner), given.damage_type or label)

    @cached_property
    def _by_chain(self) -> dict[ContributionTarget, list[tuple[TraitContribution, Make]]]:
        """Its contributions to each chain, and how to make them. Cached, because every attack asks."""
        by_chain: dict[ContributionTarget, list[tuple[TraitContribution, Make]]] = {}
        for given in self.contributes:
            (change,) = [name for name in MAKERS if getattr(given, name)]
            by_chain.setdefault(given.to, []).append((given, MAKERS[change]))
        return by_chain

    def _told(self, owner: Combatant) -> ModifierReason:
        return ModifierReason(self.ref, owner.id, self.reason or self.title)
