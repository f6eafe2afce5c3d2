from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from combatlog.rules.dnd5e.archetype_registry import archetype, options
from combatlog.rules.dnd5e.archetypes.special_actions import SpecialAction
from combatlog.rules.dnd5e.body import Stride
from combatlog.rules.dnd5e.movement import check_can_move
from combatlog.rules.dnd5e.striding import check_stride, take_stride
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.seen_ways import as_seen
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


@archetype("stride", "actions", "features")
@options
class SpecialStride(SpecialAction):
    """Move up to all or half of one's speed, on top of the turn's movement."""

    share: Annotated[Literal["half", "full"], Field(description="how much of its speed")] = "full"
    gait: Annotated[Literal["walk", "fly", "swim"] | None, Field(description="the way it moves; any if omitted")] = None
    slips: Annotated[bool, Field(description="it provokes no opportunity attacks")] = False
    range = 0
    tags = ("movement",)
    parts = frozenset({Part.DESTINATION})

    @property
    def stride(self) -> Stride:
        return Stride(share=self.share, gait=self.gait, slips=self.slips)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        check_can_move(actor)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        seen = as_seen(table.battle, actor, declared)
        check_stride(table.battle, actor, self.stride, declared.destination, seen)

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        assert declared.destination is not None
        seen = as_seen(table.battle, actor, declared)
        take_stride(table, actor, self.stride, declared.destination, self.name, self.ref, seen)
