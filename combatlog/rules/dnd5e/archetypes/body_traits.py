"""Traits that work by themselves: regeneration, absorption, auras, death bursts, damage to attackers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, model_validator

from combatlog.rules.dnd5e.archetypes.consequences import Consequence
from combatlog.rules.dnd5e.archetypes.registry import (
    ConditionName,
    DiceText,
    Difficulty,
    PieceName,
    archetype,
    condition_ref,
    options,
)
from combatlog.rules.dnd5e.archetypes.registry import Size as Feet
from combatlog.rules.dnd5e.attack.damage import inflict, roll_damage, taken_chain
from combatlog.rules.dnd5e.combatant_state import afflict, can_act, is_dead
from combatlog.rules.dnd5e.contexts import Attack, Harm, feet_between
from combatlog.rules.dnd5e.creatures.sheet import Sheet
from combatlog.rules.dnd5e.economy import renew
from combatlog.rules.dnd5e.enums import AbilityScore, DamageType
from combatlog.rules.dnd5e.hit_points import UNCONSCIOUS, ZERO_HIT_POINTS, die, heal
from combatlog.rules.dnd5e.modifiers import STAGES, dice, multiplied
from combatlog.rules.dnd5e.pieces import Feature
from combatlog.rules.dnd5e.saves_and_checks import throw_save
from combatlog.rules.engine.resolution.chain import Modifier, ModifierChain
from combatlog.rules.engine.resolution.table import Table
from projections.battle.combatant import Combatant


def hurt_one(
    table: Table,
    piece: Feature,
    owner: Combatant,
    target: Combatant,
    notation: str,
    kind: DamageType,
    saved: bool = False,
    halved_by: AbilityScore | None = None,
) -> None:
    """Roll the damage of such a trait for one target."""
    purpose = f"{piece.key} against {target.id}"
    chain = ModifierChain("damage", STAGES, [dice("base", piece.ref, owner.id, piece.title, notation, kind)])
    chain.record(table)
    harm = Harm(table.battle, target, owner, piece.ref, (kind,), saved=saved, halved_by=halved_by)
    taken = taken_chain(harm)
    taken.record(table)
    inflict(table, harm, roll_damage(table, owner.id, chain, purpose), taken)


@archetype("regeneration", "features")
@options
class Regeneration(Feature):
    """Regain hit points at the start of each turn, except after certain types of damage."""

    name: PieceName
    amount: Annotated[int, Field(ge=1, le=100)]
    stopped_by: Annotated[tuple[DamageType, ...], Field(max_length=13, description="damage that stops it once")] = ()
    not_while: Annotated[ConditionName | None, Field(description="a condition that stops it, such as sunlit")] = None
    undying: Annotated[
        bool, Field(description="unconscious at 0 hit points; dies only if it does not regenerate in its next turn")
    ] = False

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {self.name: 1} if self.stopped_by else {}

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        is_struck = harm.target is owner and not set(self.stopped_by).isdisjoint(harm.types)
        if is_struck and owner.economy.left(self.name) > 0:
            table.spend(owner, self.name, 1, f"{', '.join(self.stopped_by)} damage", self.ref)

    def keeps_standing(self, table: Table, harm: Harm, owner: Combatant) -> bool:
        if not self.undying:
            return False
        if not owner.has(UNCONSCIOUS):
            afflict(table, owner, UNCONSCIOUS, source=ZERO_HIT_POINTS, owner=harm.dealt_by)
        return True

    def at_turn_start(self, table: Table, owner: Combatant) -> None:
        is_down = owner.vitals["hp"].current <= 0
        if is_dead(owner) or (is_down and not self.undying):
            return
        is_stopped = self.stopped_by and owner.economy.left(self.name) == 0
        if is_stopped:
            renew(table, owner, self.name, 1)
        if is_stopped or (self.not_while is not None and owner.has(condition_ref(self.not_while))):
            if is_down:
                die(table, owner, owner.id)
            return
        heal(table, owner, self.amount, self.title, self.ref)


@archetype("absorption", "features")
@options
class Absorption(Feature):
    """Take no damage of one type, and regain as many hit points instead."""

    name: PieceName
    damage_type: DamageType

    def on_harm(self, harm: Harm, owner: Combatant) -> Iterator[Modifier]:
        if self.damage_type in harm.types:
            yield multiplied("immunity", self.ref, owner.id, self.title, 0, self.damage_type)

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        dealt = sum(part.amount for part in harm.parts if part.damage_type == self.damage_type and part.amount > 0)
        if dealt and not is_dead(owner):
            heal(table, owner, dealt, self.title, self.ref)


@archetype("glow", "features")
@options
class Glow(Feature):
    """Shed light."""

    name: PieceName
    bright: Annotated[int, Field(ge=0, le=500, description="how far it gives bright light, in feet")]
    dim: Annotated[int, Field(ge=0, le=500, description="how much farther it gives dim light, in feet")]

    def sheds(self) -> tuple[int, int]:
        return self.bright, self.dim


@archetype("relentless", "features")
@options
class Relentless(Feature):
    """Once, damage up to a limit leaves it at 1 hit point instead of 0."""

    name: PieceName
    most: Annotated[int, Field(ge=1, le=200, description="the highest damage that it withstands")]

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {self.name: 1}

    def keeps_standing(self, table: Table, harm: Harm, owner: Combatant) -> bool:
        if harm.amount > self.most or owner.economy.left(self.name) == 0:
            return False
        table.spend(owner, self.name, 1, self.title, self.ref)
        heal(table, owner, 1, self.title, self.ref)
        return True


@archetype("retort", "features")
@options
class Retort(Feature):
    """Attackers that hit it in melee from within 5 feet take damage."""

    name: PieceName
    damage: Annotated[DiceText, Field(description="dice, such as 1d10")]
    damage_type: DamageType

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.target is not owner or not (attack.hit and attack.melee) or is_dead(attack.attacker):
            return
        if feet_between(attack.attacker, owner) <= 5:
            hurt_one(table, self, owner, attack.attacker, self.damage, self.damage_type)


@options
class Surrounding(Feature):
    """Something that affects creatures around it."""

    name: PieceName
    size: Annotated[Feet, Field(description="its radius in feet")]
    damage: Annotated[DiceText | None, Field(description="dice, such as 1d10")] = None
    damage_type: DamageType | None = None
    save: AbilityScore | None = None
    dc: Difficulty | None = None
    saved: Annotated[Literal["half", "nothing"], Field(description="the damage on a successful save")] = "half"
    then: Annotated[Consequence | None, Field(description="a condition on a failed save")] = None

    @model_validator(mode="after")
    def _is_whole(self) -> Surrounding:
        if (self.damage is None) != (self.damage_type is None) or (self.save is None) != (self.dc is None):
            raise ValueError("damage needs damage_type and save needs dc, and the other way round")
        if self.damage is None and self.then is None:
            raise ValueError("give it damage or a condition (then)")
        if self.then is not None and self.save is None:
            raise ValueError("a condition needs a save and its dc")
        return self

    def reaches(self, owner: Combatant, other: Combatant) -> bool:
        return other is not owner and not is_dead(other) and feet_between(owner, other) <= self.size

    def befall(self, table: Table, owner: Combatant, other: Combatant) -> None:
        saved, missed_by = False, 0
        if self.save is not None and self.dc is not None:
            purpose = f"{self.save} save against {self.key}"
            threat = self.then.threat if self.then is not None else ()
            save = throw_save(table, other, self.save, self.dc, self.ref, purpose, origin=owner.position, threat=threat)
            saved, missed_by = save.succeeded, save.missed_by
        if self.damage is not None and self.damage_type is not None and not (saved and self.saved == "nothing"):
            halved_by = self.save if self.saved == "half" else None
            hurt_one(table, self, owner, other, self.damage, self.damage_type, saved, halved_by)
        if self.then is not None and self.save is not None and self.dc is not None and not saved:
            self.then.befall(table, other, owner, self.ref, self.save, self.dc, missed_by)


@archetype("aura", "features")
@options
class Aura(Surrounding):
    """Harm enemies who start their turn near it, or all enemies near it at the start or end of its own turns."""

    at: Annotated[
        Literal["turn_start", "own_start", "own_end"],
        Field(description="when others' turns start, or when its own turn starts or ends"),
    ] = "turn_start"

    def at_any_turn_start(self, table: Table, owner: Combatant) -> None:
        turn = table.battle.clock.turn
        if self.at != "turn_start" or turn is None or turn == owner.id or not can_act(owner):
            return
        other = table.combatant(turn)
        if other.side != owner.side and self.reaches(owner, other):
            self.befall(table, owner, other)

    def at_turn_start(self, table: Table, owner: Combatant) -> None:
        if self.at == "own_start" and can_act(owner):
            self._all(table, owner)

    def at_turn_end(self, table: Table, owner: Combatant) -> None:
        if self.at == "own_end" and can_act(owner):
            self._all(table, owner)

    def _all(self, table: Table, owner: Combatant) -> None:
        for other in table.battle.by_initiative(table.battle.present()):
            if other.side != owner.side and self.reaches(owner, other):
                self.befall(table, owner, other)


@archetype("death_burst", "features")
@options
class DeathBurst(Surrounding):
    """Burst when it drops to 0 hit points, harming all creatures around it."""

    def keeps_standing(self, table: Table, harm: Harm, owner: Combatant) -> bool:
        for other in table.battle.by_initiative(table.battle.present()):
            if self.reaches(owner, other):
                self.befall(table, owner, other)
        return False
