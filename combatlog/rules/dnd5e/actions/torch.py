from __future__ import annotations

from combatlog.rules.dnd5e.economy import ACTION, OBJECTS_HANDLED
from combatlog.rules.dnd5e.light import LIT
from combatlog.rules.dnd5e.pieces import Action, piece
from combatlog.rules.dnd5e.state import afflict, end_condition
from combatlog.rules.dnd5e.surroundings import Light
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


@piece
class LightTorch(Action):
    """Light a torch, or put it out: bright light for 20 feet, dim for 20 more. The first object in a turn is free."""

    name = "torch"
    tags = ("utility",)

    def is_offered(self, battle: Battle) -> bool:
        return battle.encounter.options.get("light") in (Light.DIM, Light.DARK)

    def price(self, actor: Combatant, options: dict[str, object]) -> dict[str, int]:
        return {ACTION: 1} if actor.economy.left(OBJECTS_HANDLED) else {}

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        table.gain(actor, OBJECTS_HANDLED, 1, self.name)
        if actor.has(LIT):
            end_condition(table, actor, LIT, "put out")
        else:
            afflict(table, actor, LIT, source=self.ref, owner=actor.id)
