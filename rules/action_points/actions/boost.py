from __future__ import annotations

from projections.battle import Battle
from projections.combatant import Combatant
from rules.action_points.economy import Effort
from rules.action_points.pieces import Activity, piece
from rules.engine.refusal import Refusal


@piece
class Boost(Activity):
    """Known only to be refused: a boost belongs to the declaration that it is for, before the roll."""

    name = "boost"
    cost = "with the action"
    listed = False
    options = Effort

    def require(self, battle: Battle, actor: Combatant) -> None:
        raise Refusal(
            "boost/after-roll",
            "A boost is declared with its action, before the roll: give boost_ap or boost_fat as an option there.",
        )
