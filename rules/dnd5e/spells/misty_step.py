from __future__ import annotations

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.economy import BONUS_ACTION
from rules.dnd5e.magic import Spell, chosen_place
from rules.dnd5e.movement import check_free, teleport
from rules.dnd5e.pieces import piece
from rules.grid import grid_of
from rules.table import Table


@piece
class MistyStep(Spell):
    """Teleport to a free square within 30 feet that one can see."""

    name = "misty_step"
    level = 2
    casting = BONUS_ACTION
    range = 30
    tags = ("spell", "movement")

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        place = chosen_place(table.battle, actor, self, declared.destination)
        check_free(table.battle, grid_of(table.battle.encounter.map), place)

    def cast(self, table: Table, actor: Combatant, declared: Declared, level: int) -> None:
        teleport(table, actor, chosen_place(table.battle, actor, self, declared.destination))
