"""Traits: features made from data that contribute to chains."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import cached_property
from typing import Annotated, NamedTuple

from pydantic import Field, model_validator

from combatlog.rules.dnd5e.archetype_registry import archetype, options
from combatlog.rules.dnd5e.archetypes.circumstances import (
    OF_ATTACKS,
    OF_ATTACKS_ON_OWNER,
    OF_CHECKS,
    OF_DAMAGE,
    OF_OWNER,
    OF_SAVES,
    When,
)
from combatlog.rules.dnd5e.archetypes.parts import DiceText, PieceName, Words
from combatlog.rules.dnd5e.contexts import Attack, Check, Context, Harm, Save
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
from combatlog.rules.dnd5e.sheet_part import Part
from combatlog.rules.dnd5e.words import DamageType
from combatlog.rules.engine.chain import Modifier
from combatlog.rules.engine.refusal import choices
from projections.combatant import Combatant

STAGE = "features"


class To(StrEnum):
    """The owner's chain to contribute to; `attacks_on` stands for attacks by others against the owner."""

    ATTACK = "attack"
    ATTACKED = "attacks_on"
    DAMAGE = "damage"
    ARMOR_CLASS = "armor_class"
    SAVE = "save"
    CHECK = "check"
    SPEED = "speed"
    ATTACKS = "attacks"
    MAXIMUM_HP = "maximum_hp"


class Takes(NamedTuple):
    """The changes that a chain takes, and the circumstances that it knows."""

    changes: tuple[str, ...]
    circumstances: frozenset[str]


THROWN = ("bonus", "dice", "minus_dice", "advantage", "disadvantage")
CHAINS: dict[To, Takes] = {
    To.ATTACK: Takes((*THROWN, "critical_from"), OF_ATTACKS),
    To.ATTACKED: Takes(("advantage", "disadvantage"), OF_ATTACKS_ON_OWNER),
    To.DAMAGE: Takes(("bonus", "dice"), OF_DAMAGE),
    To.ARMOR_CLASS: Takes(("bonus",), OF_ATTACKS_ON_OWNER),
    To.SAVE: Takes(THROWN, OF_SAVES),
    To.CHECK: Takes(THROWN, OF_CHECKS),
    To.SPEED: Takes(("bonus",), OF_OWNER),
    To.ATTACKS: Takes(("bonus",), OF_OWNER),
    To.MAXIMUM_HP: Takes(("bonus",), OF_OWNER - {"bloodied"}),
}


class Contribution(Part):
    """One contribution of a trait: to which chain, what, and when."""

    to: To
    bonus: int | None = Field(default=None, ge=-50, le=50)
    dice: DiceText | None = Field(default=None, description="dice to add")
    minus_dice: DiceText | None = Field(default=None, description="dice to subtract")
    advantage: bool = False
    disadvantage: bool = False
    critical_from: int | None = Field(default=None, ge=2, le=19, description="the lowest natural roll that is critical")
    damage_type: DamageType | None = Field(default=None, description="of the extra damage; the weapon's if omitted")
    when: When = When()

    @model_validator(mode="after")
    def _fits_its_chain(self) -> Contribution:
        takes, said = CHAINS[self.to], [name for name in (*THROWN, "critical_from") if getattr(self, name)]
        if len(said) != 1 or said[0] not in takes.changes:
            raise ValueError(f"a contribution to {self.to} needs exactly one of {choices(takes.changes)}")
        if wrong := self.when.misplaced(takes.circumstances):
            known = choices(sorted(takes.circumstances))
            raise ValueError(f"when.{wrong[0]} does not apply to {self.to}; choose {known}")
        if self.damage_type is not None and self.to is not To.DAMAGE:
            raise ValueError("damage_type applies only to damage")
        return self


class Told(NamedTuple):
    """What every modifier says: its source, its owner and its reason."""

    source: str
    owner: str
    reason: str


Make = Callable[[Contribution, Told, str | None], Modifier]

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
    """Bonuses, dice, advantage or resistance that its owner has always or under some circumstances."""

    name: PieceName
    reason: Annotated[Words | None, Field(description="the reason shown in the log; the name if omitted")] = None
    contributes: Annotated[tuple[Contribution, ...], Field(max_length=20)] = ()
    resists: Annotated[tuple[DamageType, ...], Field(max_length=13, description="takes half damage")] = ()
    immune_to: Annotated[tuple[DamageType, ...], Field(max_length=13, description="takes no damage")] = ()

    @model_validator(mode="after")
    def _is_something(self) -> Trait:
        if not (self.contributes or self.resists or self.immune_to):
            raise ValueError("give it contributes, resists or immune_to")
        return self

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        if attack.attacker is owner:
            return self._given(To.ATTACK, owner, attack)
        return self._given(To.ATTACKED, owner, attack) if attack.target is owner else ()

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        return self._given(To.DAMAGE, owner, attack, attack.weapon.damage_type) if attack.attacker is owner else ()

    def on_armor_class(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        return self._given(To.ARMOR_CLASS, owner, attack)

    def on_save(self, save: Save, owner: Combatant) -> Iterable[Modifier]:
        return self._given(To.SAVE, owner, save)

    def on_check(self, check: Check, owner: Combatant) -> Iterable[Modifier]:
        return self._given(To.CHECK, owner, check)

    def on_speed(self, owner: Combatant) -> Iterable[Modifier]:
        return self._given(To.SPEED, owner)

    def on_attack_count(self, owner: Combatant) -> Iterable[Modifier]:
        return self._given(To.ATTACKS, owner)

    def on_maximum_hp(self, owner: Combatant) -> Iterable[Modifier]:
        return self._given(To.MAXIMUM_HP, owner)

    def on_harm(self, harm: Harm, owner: Combatant) -> Iterator[Modifier]:
        for kind in harm.types:
            if kind in self.immune_to:
                yield multiplied("immunity", *self._told(owner), 0, kind)
            elif kind in self.resists:
                yield halved("resistance", *self._told(owner), kind)

    def _given(
        self, to: To, owner: Combatant, context: Context | None = None, label: str | None = None
    ) -> Iterator[Modifier]:
        for given, make in self._by_chain.get(to, ()):
            if given.when.holds(owner, context):
                yield make(given, self._told(owner), given.damage_type or label)

    @cached_property
    def _by_chain(self) -> dict[To, list[tuple[Contribution, Make]]]:
        """What it contributes to each chain, and how; cached, as every attack by anybody asks."""
        by_chain: dict[To, list[tuple[Contribution, Make]]] = {}
        for given in self.contributes:
            (change,) = [name for name in MAKERS if getattr(given, name)]
            by_chain.setdefault(given.to, []).append((given, MAKERS[change]))
        return by_chain

    def _told(self, owner: Combatant) -> Told:
        return Told(self.ref, owner.id, self.reason or self.title)
