"""What follows a hit: a save, damage that a save halves, conditions, a hold, a push."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from ledger.events import Data
from projections.combatant import Combatant
from rules.dnd5e.archetypes.parts import ConditionName, DiceText, Difficulty, Feet, Lasting, condition_ref, saved_again
from rules.dnd5e.contexts import Harm
from rules.dnd5e.damage import inflict, roll_damage, taken_chain
from rules.dnd5e.instances import ESCAPE, REACH
from rules.dnd5e.modifiers import STAGES, dice
from rules.dnd5e.movement import STEP, push
from rules.dnd5e.saves import resolve_save
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.sheet_part import Part
from rules.dnd5e.state import afflict, is_dead
from rules.dnd5e.words import AbilityScore, CreatureType, DamageType, Size
from rules.engine.chain import Chain
from rules.engine.table import Table

GRAPPLED = "grappled"


class HitConsequence(Part):
    """What a hit causes; if there is a save, conditions and pushes follow only if it fails."""

    condition: ConditionName | None = None
    also: tuple[ConditionName, ...] = Field(default=(), max_length=5, description="conditions that come with it")
    lasts: Lasting = Lasting.MINUTE
    save: AbilityScore | None = None
    dc: Difficulty | None = Field(default=None, description="difficulty class of the save")
    save_again: bool = Field(default=False, description="the target saves again at the end of each turn")
    damage: DiceText | None = Field(default=None, description="dice of damage that depends on the save")
    damage_type: DamageType | None = None
    saved: Literal["half", "nothing"] = Field(default="half", description="the damage on a successful save")
    escape_dc: Difficulty | None = Field(
        default=None, description="for grappled: what a check to escape has to reach, instead of a contest"
    )
    push: Feet = Field(default=0, description="how many feet the target is pushed away")
    largest: Size | None = Field(default=None, description="the largest size of target that it works on")
    not_on: tuple[CreatureType, ...] = Field(
        default=(), max_length=14, description="creature types that it does not work on"
    )

    @model_validator(mode="after")
    def _whole(self) -> HitConsequence:
        if (self.save is None) != (self.dc is None):
            raise ValueError("save and dc have to be given together")
        if self.save_again and self.save is None:
            raise ValueError("save_again needs a save and its dc")
        if not (self.condition or self.damage or self.push):
            raise ValueError("give the condition, the damage or the push that follows")
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
        self, table: Table, target: Combatant, dealer: Combatant, source: str, key: str, reach: int = STEP
    ) -> None:
        if is_dead(target) or not self.concerns(target):
            return
        saved = False
        if self.save is not None and self.dc is not None:
            saved = resolve_save(
                table, target, self.save, self.dc, source, f"{self.save} save against {key}", threat=self.conditions
            )
        if self.damage is not None and not (saved and self.saved == "nothing"):
            self._harm(table, target, dealer, source, key, saved)
        if not saved and not is_dead(target):
            self._befall(table, target, dealer, source, reach)

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

    def _befall(self, table: Table, target: Combatant, dealer: Combatant, source: str, reach: int) -> None:
        until = self.lasts.until(table.battle, dealer)
        for condition in self.conditions:
            data, ref = self._data(condition, reach), condition_ref(condition)
            afflict(table, target, ref, source=source, owner=dealer.id, until=until, data=data)
        if self.push and dealer.position is not None:
            push(table, target, dealer, self.push)

    def _data(self, condition: str, reach: int) -> Data | None:
        if condition == GRAPPLED:
            return {REACH: reach} | ({} if self.escape_dc is None else {ESCAPE: self.escape_dc})
        if self.save_again and self.save is not None and self.dc is not None:
            return saved_again(self.save, self.dc)
        return None
