from __future__ import annotations

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.contexts import feet_between
from rules.dnd5e.durations import until_next_turn
from rules.dnd5e.economy import ACTION
from rules.dnd5e.pieces import Ability, piece
from rules.dnd5e.state import afflict, is_dead, is_hostile
from rules.engine.options import Part
from rules.engine.refusal import Refusal
from rules.engine.table import Table

HELPED = "dnd5e:condition:helped"


@piece
class Help(Ability):
    """Spend the action to give an ally advantage on its next attack against an enemy within 5 feet."""

    name = "help"
    cost = {ACTION: 1}
    tags = ("support",)
    parts = frozenset({Part.TARGET})

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        ally, enemy = _ally_and_enemy(table, declared)
        if ally is actor or is_hostile(actor, ally):
            raise Refusal("help/not-an-ally", f"{ally.id} is no ally of {actor.id}; name the ally first.")
        if not is_hostile(actor, enemy) or is_dead(enemy):
            raise Refusal("help/not-an-enemy", f"{enemy.id} is no living enemy of {actor.id}; name one second.")
        if feet_between(actor, enemy) > 5:
            raise Refusal("help/too-far", f"{enemy.id} is more than 5 feet from {actor.id}; move next to it first.")

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        ally, enemy = _ally_and_enemy(table, declared)
        data = {"against": enemy.id}
        afflict(table, ally, HELPED, source=self.ref, owner=actor.id, until=until_next_turn(actor), data=data)


def _ally_and_enemy(table: Table, declared: Declared) -> tuple[Combatant, Combatant]:
    if len(declared.targets) != 2:
        raise Refusal("help/two-targets", "Name the ally who is helped and then the enemy, each with --target.")
    return table.combatant(declared.targets[0]), table.combatant(declared.targets[1])
