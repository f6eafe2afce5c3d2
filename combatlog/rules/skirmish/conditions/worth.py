"""What the defeat of a figure is worth."""

from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.conditions.held import entries
from combatlog.rules.skirmish.library import name_of
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.sheet import group_of
from combatlog.rules.skirmish.vocabulary import VICTORY_POINTS
from projections.combatant import Combatant

BOUNTY = "skirmish:condition:bounty"


@piece
class Worth(Condition):
    """The figure is worth more or fewer victory points than its deployment card says, but at least 0."""

    name = "worth"


@piece
class Bounty(Condition):
    """Whoever placed it gains victory points when the last figure of the group is defeated."""

    name = "bounty"

    def on_defeat(self, table: Table, owner: Combatant, defeated: Combatant) -> None:
        if owner is not defeated or group_of(table.battle, defeated):
            return
        for entry in entries(owner, self.ref):
            player = table.battle.combatants[entry["player"]]
            table.gain(player, VICTORY_POINTS, entry["vp"], name_of(table.battle, entry["source"]), entry["source"])
