from __future__ import annotations

from combatlog.rules.action_points.economy import Effort
from combatlog.rules.action_points.pieces import Activity, piece
from combatlog.rules.engine.refusal import Refusal
from projections.battle import Battle
from projections.combatant import Combatant


@piece
class Boost(Activity):
    """Always refused: a boost is declared together with the action that it improves, before the roll."""

    name = "boost"
    cost = "with the action"
    listed = False
    options = Effort

    def require(self, battle: Battle, actor: Combatant) -> None:
        raise Refusal(
            "boost/after-roll",
            "A boost is declared together with its action, before the roll, as its option boost_ap or boost_fat.",
            who=actor.id,
            available=["boost_ap", "boost_fat"],
        )
