"""Defences that cost nothing."""

from __future__ import annotations

from ledger.events import Data, ReactionUsed
from projections.combatant import Combatant
from rules.action_points.assault import Assault, Stand, stand_passively
from rules.action_points.base_action import PARRYING, require_able
from rules.action_points.checks import Attempt, roll
from rules.action_points.economy import AP
from rules.action_points.pieces import Reaction, piece
from rules.action_points.targeting import parrying_weapon
from rules.engine.refusal import Refusal
from rules.engine.table import Table


@piece
class Parry(Reaction):
    """In parry mode, parry a melee attack: it has to beat a roll with the parrying weapon."""

    name = "parry"
    cost = "free in parry mode"
    preference = 1

    def require(self, reactor: Combatant, assault: Assault | None) -> None:
        require_able(reactor)
        if not reactor.has(PARRYING):
            raise Refusal(
                "reaction/not-parrying", f"{reactor.id} is not in parry mode; defending enters it.", who=reactor.id
            )
        if reactor.economy.left(AP) == 0:
            raise Refusal(
                "reaction/no-ap",
                f"{reactor.id} has no AP left, so it can only defend passively.",
                who=reactor.id,
                resource=AP,
                needed=1,
                available=0,
            )
        if assault is not None and not assault.melee:
            raise Refusal("reaction/not-melee", "Only melee attacks can be parried.", who=reactor.id)
        if parrying_weapon(reactor) is None:
            raise Refusal(
                "reaction/no-weapon", f"{reactor.id} has no melee weapon in hand to parry with.", who=reactor.id
            )

    def answer(self, table: Table, assault: Assault, options: Data) -> Stand:
        defender, weapon = assault.defender, parrying_weapon(assault.defender)
        assert weapon is not None
        used = table.record(ReactionUsed, reactor=defender.id, reaction=self.ref, reason="to parry the attack")
        with table.because_of(used):
            return Stand(roll(table, Attempt(defender, weapon.skill, "defence", weapon=weapon)).total)


@piece
class Passive(Reaction):
    """Do nothing: the attack has to beat Dodge - 1."""

    name = "passive"
    cost = "free"
    preference = 4

    def answer(self, table: Table, assault: Assault, options: Data) -> Stand:
        return stand_passively(table, assault)
