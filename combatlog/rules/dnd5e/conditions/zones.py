"""What a spell leaves on the map, held by its caster; and who it has affected in this turn."""

from __future__ import annotations

from combatlog.rules.dnd5e.instances import instances_of
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.state import afflict
from combatlog.rules.engine.grid import grid_of
from combatlog.rules.engine.table import Table
from ledger.events import Data, Position
from projections.battle import Battle
from projections.combatant import Combatant

STEP = 5


@piece
class Zone(Condition):
    """Keeps up an effect over some squares of the map, such as a wall of fire."""

    name = "zone"

    def at_turn_start(self, table: Table, owner: Combatant) -> None:
        for instance in instances_of(owner.conditions[self.ref]):
            if "drifts" in instance.data and owner.position is not None:
                data = drifted(table.battle, owner.position, instance.data)
                source, until = instance.source, instance.until
                afflict(table, owner, self.ref, source=source, owner=owner.id, until=until, data=data)


def drifted(battle: Battle, caster: Position, data: Data) -> Data:
    """A cloud that has moved away from its caster, as far as the map goes."""
    steps, (x, y) = data["drifts"] // STEP, data["at"]
    right, down = (steps * ((at > own) - (at < own)) for at, own in zip((x, y), caster, strict=True))
    grid = grid_of(battle.map)
    squares = [[column + right, row + down] for column, row in data["squares"]]
    return {**data, "at": [x + right, y + down], "squares": [one for one in squares if (one[0], one[1]) in grid]}


@piece
class Scathed(Condition):
    """Has been affected by something on the map this turn; it cannot affect it again until the turn is over."""

    name = "scathed"
