from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.action_points.checks import Attempt, bonus
from combatlog.rules.action_points.pieces import Condition, piece
from combatlog.rules.action_points.tables import WOUND, WOUND_ROUNDS
from combatlog.rules.action_points.vitality import lose_fat
from combatlog.rules.engine.chain import Modifier
from combatlog.rules.engine.table import Table
from projections import combatant as state
from projections.combatant import Combatant


@piece
class Wounded(Condition):
    """Its level is the number of wounds. Each hinders every skill, and costs FAT at the end of every second round."""

    name = "wounded"
    lasts = True

    def on_skill(self, attempt: Attempt, held: state.Condition) -> Iterator[Modifier]:
        wounds = held.level or 1
        reason = "a wound" if wounds == 1 else f"{wounds} wounds"
        yield bonus("wounds", "condition:wounded", attempt.user, reason, WOUND * wounds)

    def at_round_end(self, table: Table, owner: Combatant, held: state.Condition) -> None:
        if table.battle.clock.round % WOUND_ROUNDS == 0:
            lose_fat(table, owner, held.level or 1, self.ref)
