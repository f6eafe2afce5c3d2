from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from combatlog.rules.dnd5e.archetype_registry import archetype, options
from combatlog.rules.dnd5e.archetypes.casting import MadeSpell
from combatlog.rules.dnd5e.archetypes.parts import Feet
from combatlog.rules.dnd5e.archetypes.powers import MadePower
from combatlog.rules.dnd5e.archetypes.special_actions import SpecialAction
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.movement import STEP, nearest_free, teleport
from combatlog.rules.dnd5e.paths import require_room
from combatlog.rules.dnd5e.powers import chosen_place
from combatlog.rules.dnd5e.state import is_dead, is_hostile
from combatlog.rules.engine.options import Part, Said, Signature
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared, Position
from projections.combatant import Combatant


@options
class Teleport(MadePower):
    unseen: Annotated[bool, Field(description="also to squares out of sight")] = False
    brings: Annotated[int, Field(ge=0, le=20, description="how many friends next to it come along")] = 0

    @property
    def signature(self) -> Signature:
        parts = {Part.DESTINATION, Part.TARGET} if self.brings else {Part.DESTINATION}
        return replace(super().signature, parts=frozenset(parts))

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        require_room(table.battle, actor, self._place(table, actor, declared))
        self.companions(table, actor, declared)

    def _place(self, table: Table, actor: Combatant, declared: Declared) -> Position:
        return chosen_place(table.battle, actor, self, declared.destination, unseen=self.unseen)

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        companions = self.companions(table, actor, declared)
        place = self._place(table, actor, declared)
        teleport(table, actor, place)
        for companion in companions:
            teleport(table, companion, nearest_free(table.battle, companion, place))

    def companions(self, table: Table, actor: Combatant, declared: Declared) -> list[Combatant]:
        """Those who come along from next to whoever teleports."""
        named = [table.combatant(name) for name in dict.fromkeys(declared.targets)]
        for one in named:
            if one is actor or is_hostile(actor, one) or feet_between(actor, one) > STEP or is_dead(one):
                raise Refusal(
                    f"{self.type}/companion",
                    f"{self.title} takes along a living friend within {STEP} feet; {one.name} is not one.",
                    who=actor.id,
                    what=self.name,
                    target=one.id,
                )
        return named

    def check_said(self, said: Said) -> None:
        super().check_said(said)
        if len(said.targets) > self.brings:
            raise Refusal(
                f"{self.type}/targets",
                f"{self.title} takes along {self.brings}, but {len(said.targets)} were named.",
                what=self.name,
                needed=self.brings,
                found=len(said.targets),
            )


@archetype("teleport", "spells")
@options
class TeleportSpell(Teleport, MadeSpell):
    """Teleport to a free square in range and in sight."""

    tags = ("spell", "movement")


@archetype("teleport", "actions", "features")
@options
class SpecialTeleport(Teleport, SpecialAction):
    """Teleport to a free square in range and in sight, without a slot."""

    range: Annotated[Feet, Field(description="its range in feet")]
    tags = ("movement",)
