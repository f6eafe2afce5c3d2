from __future__ import annotations

from combatlog.rules.action_points.base_action import Action, Deed
from combatlog.rules.action_points.economy import Paid
from combatlog.rules.action_points.pieces import piece
from combatlog.rules.action_points.stances import PARRYING
from combatlog.rules.action_points.targeting import parrying_weapon
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


@piece
class Defend(Action):
    """Enter parry mode: until its next action, the combatant can parry melee attacks for free.

    The other way to defend, dodging, is a reaction to an attack.
    """

    name = "defend"
    options = Paid

    def require(self, battle: Battle, actor: Combatant) -> None:
        super().require(battle, actor)
        if actor.has(PARRYING):
            raise Refusal(
                "defend/already",
                f"{actor.name} is already in parry mode; its parries are free until its next action.",
                who=actor.id,
            )
        if parrying_weapon(actor) is None:
            raise Refusal("defend/no-weapon", f"{actor.name} has no melee weapon in hand to parry with.", who=actor.id)

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> Deed:
        def enter() -> None:
            table.apply_condition(actor, PARRYING, source=self.ref, owner=actor.id)

        return Deed(Paid.read(declared.options), enter)
