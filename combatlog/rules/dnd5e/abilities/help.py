from __future__ import annotations

from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.durations import until_next_turn
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.pieces import Ability, piece
from combatlog.rules.dnd5e.state import afflict, is_dead, is_hostile
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant

HELPED = "dnd5e:condition:helped"
REACH = 5


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
            raise Refusal(
                "help/not-an-ally",
                f"{ally.name} is not an ally of {actor.name}; name the ally first, then the enemy.",
                who=actor.id,
                target=ally.id,
            )
        if not is_hostile(actor, enemy) or is_dead(enemy):
            raise Refusal(
                "help/not-an-enemy",
                f"{enemy.name} is not a living enemy of {actor.name}; name the ally first, then the enemy.",
                who=actor.id,
                target=enemy.id,
            )
        feet = feet_between(actor, enemy)
        if feet > REACH:
            raise Refusal(
                "help/too-far",
                f"{enemy.name} is {feet} feet from {actor.name}, who can help only within {REACH} feet; move closer.",
                who=actor.id,
                target=enemy.id,
                distance=feet,
                reach=REACH,
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        ally, enemy = _ally_and_enemy(table, declared)
        data = {"against": enemy.id}
        afflict(table, ally, HELPED, source=self.ref, owner=actor.id, until=until_next_turn(actor), data=data)


def _ally_and_enemy(table: Table, declared: Declared) -> tuple[Combatant, Combatant]:
    if len(declared.targets) != 2:
        raise Refusal(
            "help/two-targets",
            "Help takes two targets: the ally to help and then the enemy to attack.",
            who=declared.actor,
            needed=2,
            found=list(declared.targets),
        )
    return table.combatant(declared.targets[0]), table.combatant(declared.targets[1])
