"""Effects of a hit, printed sneak attacks, and effects that the GM decides."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

from pydantic import Field, model_validator

from combatlog.rules.dnd5e.archetypes.consequences import HitConsequence
from combatlog.rules.dnd5e.archetypes.registry import DiceText, Feet, PieceName, archetype, options
from combatlog.rules.dnd5e.archetypes.spells_and_special_actions import (
    MadePower,
    MadeSpell,
    SpecialAction,
    Text,
    put_to_gm,
)
from combatlog.rules.dnd5e.archetypes.traits import TraitCircumstances
from combatlog.rules.dnd5e.attack.phases import make_attack, resolve_attack
from combatlog.rules.dnd5e.attack.targeting import ally_beside, check_aim, one_target, weapon_named
from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.creatures.sheet import Sheet
from combatlog.rules.dnd5e.creatures.weapons_and_armor import Weapon
from combatlog.rules.dnd5e.economy import renew
from combatlog.rules.dnd5e.enums import DamageType
from combatlog.rules.dnd5e.features.sneak_attack import SneakAttack
from combatlog.rules.dnd5e.modifiers import dice
from combatlog.rules.dnd5e.pieces import Feature
from combatlog.rules.engine.options_and_validation import Part
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.resolution.chain import Consumption, Modifier
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Declared
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


@options
class HitEffect(Feature):
    """Extra damage, a condition, or both, on a hit."""

    name: PieceName
    damage: Annotated[DiceText | None, Field(description="dice of extra damage")] = None
    damage_type: Annotated[DamageType | None, Field(description="of the extra damage; the weapon's if omitted")] = None
    then: Annotated[HitConsequence | None, Field(description="further effects of a hit, with or without a save")] = None

    @model_validator(mode="after")
    def _does_something(self) -> HitEffect:
        if self.damage is None and self.then is None:
            raise ValueError("give it damage or further effects (then)")
        return self

    def counts(self, attack: Attack, owner: Combatant) -> bool:
        """Whether the effect applies to this attack if it hits."""
        raise NotImplementedError(f"{self.ref} does not say to which attacks it applies")

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        if self.damage is not None and self.counts(attack, owner):
            kind = self.damage_type or attack.weapon.damage_type
            yield dice("features", self.ref, owner.id, self.title, self.damage, kind, self.consumption(owner))

    def consumption(self, owner: Combatant) -> Consumption | None:
        """The resource that the extra damage uses up, if any."""
        return None

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if self.then is not None and attack.hit and self.counts(attack, owner):
            self.then.follow(table, attack.target, owner, self.ref, self.key, attack.weapon.reach, dealt=attack.dealt)


@archetype("on_hit", "features")
@options
class OnHit(HitEffect):
    """Extra damage, a condition, or both, after each of its owner's hits or only the first one of a turn."""

    when: TraitCircumstances = TraitCircumstances()
    once_a_turn: Annotated[bool, Field(description="only on the first such hit of each turn")] = False

    @model_validator(mode="after")
    def _one_thing_once(self) -> OnHit:
        if self.once_a_turn and self.damage is not None and self.then is not None:
            raise ValueError("once_a_turn takes either damage or then; make two features for both")
        return self

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {self.name: 1} if self.once_a_turn else {}

    def counts(self, attack: Attack, owner: Combatant) -> bool:
        is_left = not self.once_a_turn or owner.economy.left(self.name) > 0
        return attack.attacker is owner and is_left and self.when.holds(owner, attack)

    def consumption(self, owner: Combatant) -> Consumption | None:
        return Consumption(owner.id, self.ref, "once per turn") if self.once_a_turn else None

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        spends = self.once_a_turn and self.then is not None and attack.hit and self.counts(attack, owner)
        super().after_attack(table, attack, owner)
        if spends:
            table.spend(owner, self.name, 1, "once per turn", self.ref)

    def at_any_turn_start(self, table: Table, owner: Combatant) -> None:
        if self.once_a_turn:
            renew(table, owner, self.name, 1)


@archetype("strike", "actions", "features")
@options
class SpecialStrike(HitEffect, SpecialAction):
    """Make one weapon attack that, if it hits, adds extra damage, a condition, or both."""

    weapon: Annotated[str | None, Field(max_length=40, description="the weapon to use; any if omitted")] = None
    range = 0
    tags = ("attack", "weapon")
    parts = frozenset({Part.TARGET, Part.WEAPON})

    def check_sheet(self, sheet: Sheet) -> None:
        if self.weapon is not None and sheet.weapon(self.weapon) is None:
            held = [weapon.name for weapon in sheet.arms]
            raise Refusal(
                "sheet/no-weapon",
                f"{self.title} needs the weapon {self.weapon!r}; the sheet has {choices(held)}.",
                what=self.name,
                needed=self.weapon,
                available=held,
            )

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = one_target(table, actor, declared.targets)
        check_aim(table.battle, actor, target, self.arm(actor, declared.weapon))

    def arm(self, actor: Combatant, wanted: str | None) -> Weapon:
        """The weapon to use: the prescribed one, or else the named one, or else the first one."""
        if self.weapon is not None and wanted not in (None, self.weapon):
            raise Refusal(
                "strike/wrong-weapon",
                f"{self.title} is made with {self.weapon}, not with {wanted}; omit the weapon.",
                who=actor.id,
                what=self.name,
                weapon=wanted,
                available=[self.weapon],
            )
        return weapon_named(actor, self.weapon or wanted)

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = one_target(table, actor, declared.targets)
        resolve_attack(table, self.attack(table.battle, actor, target, declared.weapon))

    def attack(self, battle: Battle, actor: Combatant, target: Combatant, weapon: str | None) -> Attack:
        attack = make_attack(battle, actor, target, self.arm(actor, weapon))
        attack.part_of = self.ref
        return attack

    def counts(self, attack: Attack, owner: Combatant) -> bool:
        return attack.attacker is owner and attack.part_of == self.ref


@archetype("sneak_attack", "features")
@options
class PrintedSneakAttack(SneakAttack):
    """Once per turn, extra damage for a weapon hit with advantage, or with an ally next to the target."""

    name: PieceName
    damage: Annotated[DiceText, Field(description="dice, such as 4d6")]

    def helper(self, attack: Attack, owner: Combatant) -> Combatant | None:
        return ally_beside(attack, owner)

    def suits(self, attack: Attack) -> bool:
        return attack.spell is None

    def throw(self, owner: Combatant) -> str:
        return self.damage


@options
class GmDecidedPower(MadePower):
    text: Text
    range: Annotated[Feet, Field(description="its range in feet")] = 0
    parts = frozenset({Part.TARGET, Part.DESTINATION})

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        put_to_gm(table, actor, self.text, self.ref)


@archetype("by_hand", "actions", "features")
@options
class GmDecidedAction(GmDecidedPower, SpecialAction):
    """Pay for an action whose effect the GM decides."""


@archetype("by_hand", "spells")
@options
class GmDecidedSpell(GmDecidedPower, MadeSpell):
    """Cast a spell whose effect the GM decides."""

    range: Annotated[Feet, Field(description="its range in feet")] = 0
    tags = ("spell",)


class GmQuestionMoment(StrEnum):
    """The moment to ask the GM."""

    HIT = "hit"
    STRUCK = "struck"
    TURN_START = "turn_start"


@archetype("question", "features")
@options
class GmQuestion(Feature):
    """Ask the GM what happens after a hit, after being hit, or when a turn starts."""

    name: PieceName
    text: Text
    at: GmQuestionMoment
    when: Annotated[TraitCircumstances, Field(description="for attacks only")] = TraitCircumstances()
    once: Annotated[bool, Field(description="only the first time in a fight, as a reminder")] = False

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {self.name: 1} if self.once else {}

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        asked = {GmQuestionMoment.HIT: attack.attacker, GmQuestionMoment.STRUCK: attack.target}.get(self.at)
        if attack.hit and asked is owner and self.when.holds(owner, attack):
            self._ask(table, owner, attack.target if self.at is GmQuestionMoment.HIT else attack.attacker)

    def at_turn_start(self, table: Table, owner: Combatant) -> None:
        if self.at is GmQuestionMoment.TURN_START:
            self._ask(table, owner, owner)

    def _ask(self, table: Table, owner: Combatant, subject: Combatant) -> None:
        if self.once:
            if not owner.economy.left(self.name):
                return
            table.spend(owner, self.name, 1, "put to the GM", self.ref)
        put_to_gm(table, subject, self.text, self.ref)
