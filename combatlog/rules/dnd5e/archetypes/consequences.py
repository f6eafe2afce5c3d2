"""What follows a hit: a save, damage that a save halves, conditions, a hold, a push or pull, a drain of life."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field, model_validator

from combatlog.rules.dnd5e.archetypes.aftermath import GRAPPLED, Aftermath
from combatlog.rules.dnd5e.archetypes.parts import ConditionName, DiceText, Difficulty, Feet, Lasting, condition_ref
from combatlog.rules.dnd5e.contexts import Harm
from combatlog.rules.dnd5e.damage import inflict, roll_damage, taken_chain
from combatlog.rules.dnd5e.draining import drain
from combatlog.rules.dnd5e.durations import until_end_of_turn
from combatlog.rules.dnd5e.instances import REACH
from combatlog.rules.dnd5e.modifiers import STAGES, dice
from combatlog.rules.dnd5e.movement import STEP, pull, push
from combatlog.rules.dnd5e.saves import throw_save
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.sheet_part import Part
from combatlog.rules.dnd5e.state import afflict, is_dead
from combatlog.rules.dnd5e.vitality import DYING, PRONE, become_stable, heal
from combatlog.rules.dnd5e.words import AbilityScore, CreatureType, DamageType, Size
from combatlog.rules.engine.chain import Chain
from combatlog.rules.engine.table import Table
from ledger.events import DamagePart, Data
from projections.combatant import Combatant

FOLLOW_UP = "dnd5e:action:follow_up"


class Drain(Part):
    """Part of the damage of a hit lowers the maximum of the target's hit points."""

    damage_type: DamageType | None = Field(default=None, description="only damage of this type counts; all if omitted")
    heals: bool = Field(default=False, description="whoever hits regains as many hit points")
    half: bool = Field(default=False, description="only half as many")
    lowers: bool = Field(default=True, description="the target's maximum is lowered until a long rest")

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
    """What a hit causes; if there is a save, everything but half of the damage follows only if it fails."""

    condition: ConditionName | None = None
    lasts: Lasting = Lasting.MINUTE
    save: AbilityScore | None = None
    dc: Difficulty | None = Field(default=None, description="difficulty class of the save")
    save_again: bool = Field(default=False, description="the target saves again at the end of each turn")
    damage: DiceText | None = Field(default=None, description="dice of damage that depends on the save")
    damage_type: DamageType | None = None
    saved: Literal["half", "nothing"] = Field(default="half", description="the damage on a successful save")
    push: Feet = Field(default=0, description="how many feet the target is pushed away")
    pull: Feet = Field(default=0, description="how many feet the target is pulled closer")
    drain: Drain | None = Field(default=None, description="damage that lowers the maximum of hit points, or heals")
    downed: tuple[ConditionName, ...] = Field(
        default=(),
        max_length=5,
        description="a character that this damage brings to 0 hit points is stable, and has these for an hour",
    )
    grants: str | None = Field(
        default=None, max_length=40, description="the weapon to follow up with if the target is prone then"
    )
    largest: Size | None = Field(default=None, description="the largest size of target that it works on")
    not_on: tuple[CreatureType, ...] = Field(
        default=(), max_length=14, description="creature types that it does not work on"
    )

    @model_validator(mode="after")
    def _whole(self) -> HitConsequence:
        if (self.save is None) != (self.dc is None):
            raise ValueError("save and dc have to be given together")
        if (self.save_again or self.badly or self.worse) and self.save is None:
            raise ValueError("save_again, badly and worse need a save and its dc")
        if not (self.condition or self.damage or self.push or self.pull or self.drain or self.ongoing or self.downed):
            raise ValueError("give the condition, the damage, the push, the pull or the drain that follows")
        if self.damage is not None and (self.save is None or self.damage_type is None):
            raise ValueError("damage that a save prevents or halves needs a damage_type, a save and its dc")
        if self.escape_dc is not None and self.condition != GRAPPLED:
            raise ValueError("escape_dc goes with the condition grappled")
        return self

    @property
    def conditions(self) -> tuple[str, ...]:
        return (self.condition, *self.also) if self.condition is not None else self.also

    def concerns(self, target: Combatant) -> bool:
        """Whether it works on this target at all."""
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
        chain = Chain("damage", STAGES, [thrown])
        chain.record(table)
        harm = Harm(table.battle, target, dealer, source, (self.damage_type,), saved=saved)
        taken = taken_chain(harm)
        taken.record(table)
        inflict(table, harm, roll_damage(table, dealer.id, chain, f"damage of {key}"), taken)

    def _let_live(self, table: Table, target: Combatant, dealer: Combatant, source: str) -> None:
        become_stable(table, target, "the poison does not kill", dealer.id)
        until = Lasting.HOUR.until(table.battle, dealer)
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
