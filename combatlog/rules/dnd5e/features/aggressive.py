from __future__ import annotations

from combatlog.rules.dnd5e.economy import BONUS_ACTION
from combatlog.rules.dnd5e.movement import check_can_move, check_steps, path_costs, speed_of, walk
from combatlog.rules.dnd5e.paths import path_declared
from combatlog.rules.dnd5e.pieces import ActiveFeature, piece
from combatlog.rules.dnd5e.sight import can_see
from combatlog.rules.dnd5e.space import steps_from
from combatlog.rules.dnd5e.state import is_dead, is_hostile
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared, Position
from projections.battle import Battle
from projections.combatant import Combatant


@piece
class Aggressive(ActiveFeature):
    """Spend the bonus action to move up to one's speed towards an enemy in sight."""

    name = "aggressive"
    cost = {BONUS_ACTION: 1}
    tags = ("movement",)
    parts = frozenset({Part.DESTINATION})

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        check_can_move(actor)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        battle, path = table.battle, path_declared(table.battle, actor, declared)
        check_steps(battle, actor, path)
        cost, speed = sum(path_costs(battle, actor, path)), speed_of(actor)
        if cost > speed:
            raise Refusal(
                "aggressive/too-far",
                f"That path costs {cost} feet and {actor.name}'s speed is {speed}; choose a nearer square.",
                who=actor.id,
                needed=cost,
                available=speed,
            )
        if not _comes_nearer(battle, actor, path[-1]):
            raise Refusal(
                "aggressive/not-nearer",
                f"{actor.name} has to come closer to an enemy in sight; choose a square nearer to one.",
                who=actor.id,
                destination=path[-1],
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        walk(table, actor, path_declared(table.battle, actor, declared), self.name, pays=False)


def _comes_nearer(battle: Battle, actor: Combatant, to: Position) -> bool:
    here = actor.position
    if here is None:
        return False
    enemies = [other for other in battle.present() if is_hostile(actor, other) and not is_dead(other)]
    seen = [enemy for enemy in enemies if enemy.position is not None and can_see(battle, actor, enemy)]
    return any(steps_from(to, actor, enemy) < steps_from(here, actor, enemy) for enemy in seen)
