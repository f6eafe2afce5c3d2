"""Consequences of a hit or a failed save: conditions, ongoing damage, a hold, a push or pull, drained life."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field, model_validator

from combatlog.rules.dnd5e.archetypes.registry import (
    ConditionDuration,
    ConditionName,
    DiceText,
    Difficulty,
    Feet,
    condition_ref,
    saved_again,
)
from combatlog.rules.dnd5e.attack.damage import inflict, roll_damage, taken_chain
from combatlog.rules.dnd5e.battlemap.movement import STEP, pull, push
from combatlog.rules.dnd5e.combatant_state import afflict, is_dead
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import until_end_of_turn
from combatlog.rules.dnd5e.conditions.instances import ESCAPE, REACH, TALLY, WORSE, WORSE_SAVED
from combatlog.rules.dnd5e.contexts import Harm
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import SheetPart
from combatlog.rules.dnd5e.enums import AbilityScore, CreatureType, DamageType, Size
from combatlog.rules.dnd5e.hit_points import DYING, PRONE, become_stable, drain, heal
from combatlog.rules.dnd5e.modifiers import STAGES, dice
from combatlog.rules.dnd5e.saves_and_checks import throw_save
from combatlog.rules.engine.resolution.chain import ModifierChain
from combatlog.rules.engine.resolution.table import Table
from ledger.events import DamagePart, Data, Until
from projections.battle.combatant import Combatant

SUFFERING = "dnd5e:condition:suffering"
GRAPPLED = "grappled"
BADLY = 5
"""The margin by which a save fails badly."""


class Ongoing(SheetPart):
    """Damage at the start or end of each of the target's turns."""

    damage: DiceText
    damage_type: DamageType
    at: Literal["turn_start", "turn_end", "failed_save"] = Field(
        default="turn_start",
        description="when: at the start or end of the target's turns, or when a save at the end of one fails",
    )
    once: bool = Field(default=False, description="only once, at the end or start of its next turn")
    put_out: bool = Field(default=False, description="an action can end it, such as putting out flames")
    difficulty: Difficulty | None = Field(
        default=None, description="the DC of a Medicine check to end it; no check if omitted"
    )

    def befall(
        self, table: Table, target: Combatant, dealer: Combatant, source: str, until: Until | None, more: Data
    ) -> None:
        said = self.model_dump(mode="json", exclude_defaults=True)
        afflict(table, target, SUFFERING, source=source, owner=dealer.id, until=until, data={**said, **more})


class Aftermath(SheetPart):
    """Further effects that come with an effect or after it."""

    also: tuple[ConditionName, ...] = Field(default=(), max_length=5, description="additional conditions")
    badly: ConditionName | None = Field(
        default=None, description=f"an additional condition if the save fails by {BADLY} or more"
    )
    worse: ConditionName | None = Field(
        default=None, description="the condition it turns into if the save at the end of the next turn fails"
    )
    worse_saved: bool = Field(
        default=False, description="the target also saves at the end of each turn against the condition it turned into"
    )
    three: bool = Field(
        default=False,
        description="it takes three successful saves to end it, and three failed ones to turn it into something worse",
    )
    ongoing: Ongoing | None = Field(default=None, description="damage at the start or end of each turn")
    escape_dc: Difficulty | None = Field(
        default=None, description="for grappled: the DC of the check to escape, instead of a contest"
    )

    def renewed(self, again: bool, ability: AbilityScore | None, against: int | None) -> Data:
        """The data of its conditions: the save that ends them, and the condition they turn into."""
        if ability is None or against is None or not (again or self.worse):
            return {}
        worse = {WORSE: self.worse} if self.worse else {}
        told = saved_again(ability, against) | worse | ({WORSE_SAVED: True} if self.worse_saved else {})
        return told | {TALLY: [0, 0]} if self.three else told

    def held(self, condition: str) -> Data:
        """The data of a hold."""
        return {ESCAPE: self.escape_dc} if condition == GRAPPLED and self.escape_dc is not None else {}

    def fails_badly(self, missed_by: int) -> list[str]:
        """The additional condition if a save failed by this margin."""
        return [self.badly] if self.badly is not None and missed_by >= BADLY else []


class Consequence(Aftermath):
    """A condition on a failed save."""

    condition: ConditionName | None = None
    lasts: ConditionDuration = ConditionDuration.MINUTE
    save_again: bool = Field(default=False, description="the target saves again at the end of each turn")

    @model_validator(mode="after")
    def _is_something(self) -> Consequence:
        if self.condition is None and self.ongoing is None:
            raise ValueError("give it a condition or ongoing damage")
        return self

    @property
    def threat(self) -> tuple[str, ...]:
        """The condition that a failed save causes, for features that help against it."""
        return (self.condition,) if self.condition is not None else ()

    def befall(
        self,
        table: Table,
        target: Combatant,
        dealer: Combatant,
        source: str,
        ability: AbilityScore,
        against: int,
        missed_by: int = 0,
    ) -> None:
        if is_dead(target):
            return
        until = self.lasts.until(table.battle, dealer)
        data = self.renewed(self.save_again, ability, against)
        for condition in (*self.threat, *self.also, *self.fails_badly(missed_by)):
            ref = condition_ref(condition)
            told = self.held(condition) or data
            afflict(table, target, ref, source=source, owner=dealer.id, until=until, data=told or None)
        if self.ongoing is not None:
            self.ongoing.befall(table, target, dealer, source, until, data)


FOLLOW_UP = "dnd5e:action:follow_up"


class Drain(SheetPart):
    """Part of the damage of a hit lowers the target's hit point maximum or heals the attacker."""

    damage_type: DamageType | None = Field(default=None, description="only damage of this type counts; all if omitted")
    heals: bool = Field(default=False, description="the attacker regains as many hit points")
    half: bool = Field(default=False, description="only half as many")
    lowers: bool = Field(default=True, description="the target's hit point maximum is lowered until a long rest")

    def follow(
        self, table: Table, target: Combatant, dealer: Combatant, source: str, dealt: Sequence[DamagePart]
    ) -> None:
        amount = sum(part.amount for part in dealt if self.damage_type in (None, part.damage_type))
        if amount <= 0:
            return
        if self.heals:
            heal(table, dealer, amount // 2 if self.half else amount, "drained life", source)
        if self.lowers:
            drain(table, target, dealer, amount, source)


class HitConsequence(Aftermath):
    """The effects of a hit. If there is a save, a success leaves at most half the damage."""

    condition: ConditionName | None = None
    lasts: ConditionDuration = ConditionDuration.MINUTE
    save: AbilityScore | None = None
    dc: Difficulty | None = Field(default=None, description="DC of the save")
    save_again: bool = Field(default=False, description="the target saves again at the end of each turn")
    damage: DiceText | None = Field(default=None, description="dice of damage that depends on the save")
    damage_type: DamageType | None = None
    saved: Literal["half", "nothing"] = Field(default="half", description="the damage on a successful save")
    push: Feet = Field(default=0, description="feet by which the target is pushed away")
    pull: Feet = Field(default=0, description="feet by which the target is pulled closer")
    drain: Drain | None = Field(default=None, description="damage that lowers the hit point maximum, or heals")
    downed: tuple[ConditionName, ...] = Field(
        default=(),
        max_length=5,
        description="a character brought to 0 hit points by this damage is stable and has these for an hour",
    )
    grants: str | None = Field(
        default=None, max_length=40, description="the weapon to follow up with if the target is then prone"
    )
    largest: Size | None = Field(default=None, description="the largest size of target that it affects")
    not_on: tuple[CreatureType, ...] = Field(
        default=(), max_length=14, description="creature types that it does not affect"
    )

    @model_validator(mode="after")
    def _whole(self) -> HitConsequence:
        if (self.save is None) != (self.dc is None):
            raise ValueError("save and dc have to be given together")
        if (self.save_again or self.badly or self.worse) and self.save is None:
            raise ValueError("save_again, badly and worse need a save and its dc")
        if not (self.condition or self.damage or self.push or self.pull or self.drain or self.ongoing or self.downed):
            raise ValueError("give it a condition, damage, a push, a pull or a drain")
        if self.damage is not None and (self.save is None or self.damage_type is None):
            raise ValueError("damage that a save prevents or halves needs a damage_type, a save and its dc")
        if self.escape_dc is not None and self.condition != GRAPPLED:
            raise ValueError("escape_dc needs the condition grappled")
        return self

    @property
    def conditions(self) -> tuple[str, ...]:
        return (self.condition, *self.also) if self.condition is not None else self.also

    def concerns(self, target: Combatant) -> bool:
        """Whether it can affect this target."""
        sheet = sheet_of(target)
        is_too_large = self.largest is not None and sheet.size.rank > self.largest.rank
        return not is_too_large and sheet.creature_type not in self.not_on

    def follow(
        self,
        table: Table,
        target: Combatant,
        dealer: Combatant,
        source: str,
        key: str,
        reach: int = STEP,
        dealt: Sequence[DamagePart] = (),
    ) -> None:
        if is_dead(target) or not self.concerns(target):
            return
        saved, missed_by = False, 0
        if self.save is not None and self.dc is not None:
            purpose = f"{self.save} save against {key}"
            save = throw_save(table, target, self.save, self.dc, source, purpose, threat=self.conditions)
            saved, missed_by = save.succeeded, save.missed_by
        if self.damage is not None and not (saved and self.saved == "nothing"):
            self._harm(table, target, dealer, source, key, saved)
        if self.downed and target.has(DYING):
            self._let_live(table, target, dealer, source)
        if not saved and not is_dead(target):
            self._befall(table, target, dealer, source, reach, missed_by, dealt)

    def _harm(self, table: Table, target: Combatant, dealer: Combatant, source: str, key: str, saved: bool) -> None:
        assert self.damage is not None
        assert self.damage_type is not None
        thrown = dice("base", source, dealer.id, key, self.damage, self.damage_type)
        chain = ModifierChain("damage", STAGES, [thrown])
        chain.record(table)
        harm = Harm(table.battle, target, dealer, source, (self.damage_type,), saved=saved)
        harm.halved_by = self.save if self.saved == "half" else None
        taken = taken_chain(harm)
        taken.record(table)
        inflict(table, harm, roll_damage(table, dealer.id, chain, f"damage of {key}"), taken)

    def _let_live(self, table: Table, target: Combatant, dealer: Combatant, source: str) -> None:
        become_stable(table, target, "the poison does not kill", dealer.id)
        until = ConditionDuration.HOUR.until(table.battle, dealer)
        for condition in self.downed:
            afflict(table, target, condition_ref(condition), source=source, owner=dealer.id, until=until)

    def _befall(
        self,
        table: Table,
        target: Combatant,
        dealer: Combatant,
        source: str,
        reach: int,
        missed_by: int,
        dealt: Sequence[DamagePart],
    ) -> None:
        until = self.lasts.until(table.battle, dealer)
        for condition in (*self.conditions, *self.fails_badly(missed_by)):
            data, ref = self._data(condition, reach), condition_ref(condition)
            afflict(table, target, ref, source=source, owner=dealer.id, until=until, data=data)
        if self.ongoing is not None:
            again = self.renewed(self.save_again, self.save, self.dc)
            self.ongoing.befall(table, target, dealer, source, until, again)
        if dealer.position is not None:
            push(table, target, dealer, self.push)
            pull(table, target, dealer, self.pull)
        if self.grants is not None and target.has(PRONE):
            table.grant(dealer, FOLLOW_UP, source=source, until=until_end_of_turn(dealer), weapon=self.grants)
        if self.drain is not None:
            self.drain.follow(table, target, dealer, source, dealt)

    def _data(self, condition: str, reach: int) -> Data | None:
        if condition == GRAPPLED:
            return {REACH: reach} | self.held(condition)
        return self.renewed(self.save_again, self.save, self.dc) or None
