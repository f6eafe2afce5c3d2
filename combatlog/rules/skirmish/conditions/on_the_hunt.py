from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.conditions.held import entries
from combatlog.rules.skirmish.library import name_of
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.sheet import player_of
from combatlog.rules.skirmish.targeting import spaces_between
from combatlog.rules.skirmish.vitality import recover
from combatlog.rules.skirmish.vocabulary import VICTORY_POINTS
from projections.battle import Battle
from projections.combatant import Combatant

ON_THE_HUNT = "skirmish:condition:on_the_hunt"


@piece
class OnTheHunt(Condition):
    """The figure gains something when the next hostile figure is defeated in its activation."""

    name = "on_the_hunt"

    def on_defeat(self, table: Table, owner: Combatant, defeated: Combatant) -> None:
        reward = entries(owner, self.ref)[0]
        if defeated.side == owner.side or not _is_near(table.battle, owner, defeated, reward.get("within")):
            return
        table.remove_condition(owner, self.ref, f"{defeated.id} is defeated")
        reason = name_of(table.battle, reward["source"])
        if points := reward.get("vp"):
            table.gain(player_of(table.battle, owner), VICTORY_POINTS, points, reason, reward["source"])
        recover(table, owner, reward.get("recover", 0), reason, owner.id)


def _is_near(battle: Battle, owner: Combatant, defeated: Combatant, within: int | None) -> bool:
    return within is None or (defeated.position is not None and spaces_between(battle, owner, defeated) <= within)
