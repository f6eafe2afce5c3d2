from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.archetype_registry import archetype, options
from rules.dnd5e.archetypes.casting import MadeSpell
from rules.dnd5e.archetypes.parts import Feet
from rules.dnd5e.archetypes.powers import MadePower
from rules.dnd5e.archetypes.special_actions import SpecialAction
from rules.dnd5e.movement import teleport
from rules.dnd5e.paths import require_room
from rules.dnd5e.powers import chosen_place
from rules.engine.options import Part
from rules.engine.table import Table


@options
class Teleport(MadePower):
    parts = frozenset({Part.DESTINATION})

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        place = chosen_place(table.battle, actor, self, declared.destination)
        require_room(table.battle, actor, place)

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        teleport(table, actor, chosen_place(table.battle, actor, self, declared.destination))


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
