"""Putting a shield down and taking it up again."""

from __future__ import annotations

from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.pieces import Action, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.state import afflict, end_condition
from combatlog.rules.dnd5e.wielding import SHIELDLESS, has_shield
from combatlog.rules.dnd5e.words import Nature
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant


@piece
class DropShield(Action):
    """Spend the action to put the shield down: a hand is free, and the armour class is 2 lower."""

    name = "drop_shield"
    cost = {ACTION: 1}
    tags = ("support",)

    def is_held(self, combatant: Combatant) -> bool:
        return sheet_of(combatant).nature is Nature.CHARACTER and has_shield(combatant)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        afflict(table, actor, SHIELDLESS, source=self.ref, owner=actor.id)


@piece
class TakeShield(Action):
    """Spend the action to take up the shield that was put down."""

    name = "take_shield"
    cost = {ACTION: 1}
    tags = ("defense",)

    def is_held(self, combatant: Combatant) -> bool:
        return combatant.has(SHIELDLESS)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        end_condition(table, actor, SHIELDLESS, "taken up again")
