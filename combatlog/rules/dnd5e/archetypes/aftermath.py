"""What a failed save leads to: conditions, worse ones after a second failure, and damage that goes on for turns."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from combatlog.rules.dnd5e.archetypes.parts import (
    ConditionName,
    DiceText,
    Difficulty,
    Lasting,
    condition_ref,
    saved_again,
)
from combatlog.rules.dnd5e.instances import ESCAPE, TALLY, WORSE, WORSE_SAVED
from combatlog.rules.dnd5e.sheet_part import Part
from combatlog.rules.dnd5e.state import afflict, is_dead
from combatlog.rules.dnd5e.words import AbilityScore, DamageType
from combatlog.rules.engine.table import Table
from ledger.events import Data, Until
from projections.combatant import Combatant

SUFFERING = "dnd5e:condition:suffering"
GRAPPLED = "grappled"
BADLY = 5
"""By how much a save fails that fails badly."""


class Ongoing(Part):
    """Damage at the start or end of each of the target's turns."""

    damage: DiceText
    damage_type: DamageType
    at: Literal["turn_start", "turn_end", "failed_save"] = Field(
        default="turn_start", description="of the target's turns, or when a save at the end of one fails"
    )
    once: bool = Field(default=False, description="only once, at the end or start of its next turn")
    put_out: bool = Field(default=False, description="an action ends it, such as dousing flames")
    difficulty: Difficulty | None = Field(
        default=None, description="what a Medicine check has to reach for that; none is made if omitted"
    )

    def befall(
        self, table: Table, target: Combatant, dealer: Combatant, source: str, until: Until | None, more: Data
    ) -> None:
        said = self.model_dump(mode="json", exclude_defaults=True)
        afflict(table, target, SUFFERING, source=source, owner=dealer.id, until=until, data={**said, **more})


class Aftermath(Part):
    """Whatever the first effect, this may come with it or after it."""

    also: tuple[ConditionName, ...] = Field(default=(), max_length=5, description="conditions that come with it")
    badly: ConditionName | None = Field(
        default=None, description=f"a condition that comes with it if the save fails by {BADLY} or more"
    )
    worse: ConditionName | None = Field(
        default=None, description="what it turns into unless the save at the end of the next turn succeeds"
    )
    worse_saved: bool = Field(
        default=False, description="the target saves against what it turned into at the end of each turn, too"
    )
    three: bool = Field(
        default=False, description="it takes three saves to end it, and three that fail to turn it into something worse"
    )
    ongoing: Ongoing | None = Field(default=None, description="damage at the start or end of each turn")
    escape_dc: Difficulty | None = Field(
        default=None, description="for grappled: what a check to escape has to reach, instead of a contest"
    )

    def renewed(self, again: bool, ability: AbilityScore | None, against: int | None) -> Data:
        """The data of its conditions: which save ends them, and what they turn into."""
        if ability is None or against is None or not (again or self.worse):
            return {}
        worse = {WORSE: self.worse} if self.worse else {}
        told = saved_again(ability, against) | worse | ({WORSE_SAVED: True} if self.worse_saved else {})
        return told | {TALLY: [0, 0]} if self.three else told

    def held(self, condition: str) -> Data:
        """The data of a hold."""
        return {ESCAPE: self.escape_dc} if condition == GRAPPLED and self.escape_dc is not None else {}

    def fails_badly(self, missed_by: int) -> list[str]:
        """What comes on top if a save missed by so much."""
        return [self.badly] if self.badly is not None and missed_by >= BADLY else []


class Consequence(Aftermath):
    """A condition on a failed save."""

    condition: ConditionName | None = None
    lasts: Lasting = Lasting.MINUTE
    save_again: bool = Field(default=False, description="the target saves again at the end of each turn")

    @model_validator(mode="after")
    def _is_something(self) -> Consequence:
        if self.condition is None and self.ongoing is None:
            raise ValueError("give the condition or the ongoing damage that follows")
        return self

    @property
    def threat(self) -> tuple[str, ...]:
        """The condition that a failed save causes."""
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
