"""Spell attacks: bolts and beams, which need an attack roll, and darts, which never miss."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Annotated

from pydantic import Field, model_validator

from combatlog.rules.dnd5e.archetypes.consequences import HitConsequence
from combatlog.rules.dnd5e.archetypes.registry import DiceAmount, DiceText, Feet, Few, archetype, options
from combatlog.rules.dnd5e.archetypes.spells_and_special_actions import GrowingSpell, cantrip_dice
from combatlog.rules.dnd5e.attack.phases import resolve_attack
from combatlog.rules.dnd5e.attack.targeting import check_harmful, chosen_targets, damage_of, harm_one
from combatlog.rules.dnd5e.battlemap.space import steps_to
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import STEP
from combatlog.rules.dnd5e.combatant_state import is_dead, is_turned_aside
from combatlog.rules.dnd5e.contexts import Attack, Casting, Harm
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import Weapon
from combatlog.rules.dnd5e.enums import DamageType
from combatlog.rules.dnd5e.reactions import open_window
from combatlog.rules.dnd5e.spells.casting import AIMED, HIGHEST_SLOT, concentrate
from combatlog.rules.engine.options_and_validation import DeclaredParts, Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Data, Declared
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

LONGEST_REACH = 30
MOST_DICE = 40


@archetype("bolt", "spells")
@options
class Bolt(GrowingSpell):
    """Make a spell attack against one target, for damage and optionally a condition."""

    damage: Annotated[DiceText, Field(description="dice, such as 1d10")]
    damage_type: DamageType
    melee: Annotated[bool, Field(description="it is a melee attack, with its range as its reach")] = False
    then: Annotated[HitConsequence | None, Field(description="further effects of a hit, with or without a save")] = None
    concentration: Annotated[bool, Field(description="it can be used again as long as its caster concentrates")] = False
    floats: Annotated[
        Feet, Field(description="it strikes from next to its target, and moves this many feet when used again")
    ] = 0
    drawn: Annotated[bool, Field(description="casting it only creates it; it strikes when it is used again")] = False
    plus_modifier: Annotated[bool, Field(description="its damage adds the caster's spellcasting modifier")] = False
    splashes: Annotated[bool, Field(description="a miss deals half the damage")] = False
    parts = frozenset({Part.TARGET})

    @model_validator(mode="after")
    def _reaches(self) -> Bolt:
        if self.melee and not self.floats and not 5 <= self.range <= LONGEST_REACH:
            raise ValueError(f"a melee bolt needs a range of 5 to {LONGEST_REACH} feet")
        return self

    @property
    def tags(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("spell", "attack", "melee" if self.melee else "ranged", "harm")

    def _is_drawn(self, actor: Combatant, options: Data) -> bool:
        return self.drawn and not self.is_again(actor, options)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if self._is_drawn(actor, declared.options):
            return
        (target,) = chosen_targets(table, actor, self, declared, most=1)
        if target is actor:
            raise Refusal(
                "spell/self",
                f"{actor.name} cannot aim {self.title} at itself; name another target.",
                who=actor.id,
                what=self.name,
            )
        check_harmful(actor, [target])
        self._check_floating(actor, target, declared.options)

    def _check_floating(self, actor: Combatant, target: Combatant, options: Data) -> None:
        held = self.sustained(actor) if self.floats and self.is_again(actor, options) else None
        if held is None or "at" not in held.data or target.position is None:
            return
        feet = 5 * steps_to(target, (held.data["at"][0], held.data["at"][1]))
        if feet > self.floats + STEP:
            raise Refusal(
                "spell/floats-too-far",
                f"{target.name} is {feet} feet from {self.title}, which can move only {self.floats} feet.",
                who=actor.id,
                what=self.name,
                target=target.id,
                distance=feet,
                reach=self.floats + STEP,
            )

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if self.concentration and not self.is_again(actor, declared.options):
            concentrate(table, actor, self)
        if self._is_drawn(actor, declared.options):
            self.sustain(table, actor, declared.options)
            return
        target = table.combatant(declared.targets[0])
        self.shoot(table, actor, target, declared.options)
        at = {"at": list(target.position)} if self.floats and target.position is not None else None
        self.sustain(table, actor, declared.options, at)

    def rays(self, actor: Combatant) -> int:
        """The number of attacks that it makes."""
        return 1

    def shoot(self, table: Table, actor: Combatant, target: Combatant, options: Data) -> None:
        attack = self.attack(table.battle, actor, target, options)
        resolved = resolve_attack(table, attack)
        if resolved is not None and resolved.hit and self.then is not None:
            self.then.follow(table, target, actor, self.ref, self.key, dealt=attack.dealt)
        if resolved is not None and not resolved.hit and self.splashes:
            chain = damage_of(self, actor, attack.weapon.damage, self.damage_type)
            harm_one(table, Harm(table.battle, target, actor, self.ref, (self.damage_type,), saved=True), chain)

    def attack(self, battle: Battle, actor: Combatant, target: Combatant, options: Data) -> Attack:
        """The spell attack before any modification."""
        ability = sheet_of(actor).casting_ability(self.name)
        assert ability is not None
        amount = self.dice(actor, options, self.damage)
        added = sheet_of(actor).modifier(ability) if self.plus_modifier else 0
        notation = replace(amount, plus=amount.plus + added).notation
        is_beside = bool(self.floats)
        reach = {"reach": STEP if is_beside else self.range} if self.melee else {"range": (self.range, self.range)}
        bolt = Weapon(name=self.key, damage=notation, damage_type=self.damage_type, **reach)
        return Attack(battle, actor, target, bolt, ability, melee=self.melee, spell=self.ref, close=is_beside)


@archetype("darts", "spells")
@options
class Darts(GrowingSpell):
    """Send darts that never miss, distributed evenly over the named targets."""

    darts: Few
    damage: Annotated[DiceText, Field(description="the dice of one dart, such as 1d4+1")]
    damage_type: DamageType
    tags = ("spell", "harm")
    parts = frozenset({Part.TARGET})

    @model_validator(mode="after")
    def _stays_countable(self) -> Darts:
        most = self.number({"slot": HIGHEST_SLOT}, self.darts) * DiceAmount.of(self.damage).count
        if most > MOST_DICE:
            raise ValueError(f"all darts together can have at most {MOST_DICE} dice, even with the highest slot")
        return self

    def check_said(self, said: DeclaredParts) -> None:
        """Refuse more targets than darts. A target can be named several times to get several darts."""
        most = self.number(said.options, self.darts)
        if len(said.targets) > most:
            raise Refusal(
                f"{self.type}/targets",
                f"{self.title} has {most} darts, but {len(said.targets)} targets were named; name at most {most}.",
                what=self.name,
                needed=most,
                found=len(said.targets),
            )

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        most = self.number(declared.options, self.darts)
        check_harmful(actor, chosen_targets(table, actor, self, declared, most=most))

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        open_window(table, Casting(table.battle, actor, self.ref, declared.targets), AIMED)
        darts = self.number(declared.options, self.darts)
        names = [declared.targets[dart % len(declared.targets)] for dart in range(darts)]
        for name, count in Counter(names).items():
            if is_turned_aside(table, actor, table.combatant(name)):
                continue
            chain = damage_of(self, actor, self.notation(count), self.damage_type)
            harm = Harm(table.battle, table.combatant(name), actor, self.ref, (self.damage_type,))
            harm_one(table, harm, chain, f"damage to {name}")

    def notation(self, darts: int) -> str:
        return DiceAmount.of(self.damage).times(darts).notation


@archetype("beams", "spells")
@options
class Beams(Bolt):
    """Make one spell attack, or more at higher levels, distributed evenly over the named targets."""

    def check_said(self, said: DeclaredParts) -> None:
        """Allow a target to be named several times; the number of beams depends on the caster."""

    def rays(self, actor: Combatant) -> int:
        return cantrip_dice(sheet_of(actor).level)

    def dice(self, actor: Combatant, options: Data, text: str) -> DiceAmount:
        return DiceAmount.of(text)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        check_harmful(actor, chosen_targets(table, actor, self, declared, most=self.rays(actor)))

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        for ray in range(self.rays(actor)):
            target = table.combatant(declared.targets[ray % len(declared.targets)])
            if not is_dead(target):
                self.shoot(table, actor, target, declared.options)


@archetype("rays", "spells")
@options
class Rays(Beams):
    """Make several spell attacks, one more for each level of the slot above its own."""

    count: Annotated[Few, Field(description="the number of rays")] = 3

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        most = self.number(declared.options, self.count)
        check_harmful(actor, chosen_targets(table, actor, self, declared, most=most))

    def rays(self, actor: Combatant) -> int:
        return self.count

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        for ray in range(self.number(declared.options, self.count)):
            target = table.combatant(declared.targets[ray % len(declared.targets)])
            if not is_dead(target):
                self.shoot(table, actor, target, declared.options)
