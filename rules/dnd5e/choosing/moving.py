"""Options that change where one stands: walking, a step through the mist, and running."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ledger.events import Position
from rules.choosing.option import Aim
from rules.dnd5e.choosing.options import Dnd5eOption
from rules.dnd5e.choosing.outcome import Outcome
from rules.dnd5e.economy import MOVEMENT
from rules.dnd5e.magic import Spell
from rules.dnd5e.movement import speed_of
from rules.dnd5e.vitality import PRONE
from rules.grid import Ways


class Walk(Dnd5eOption):
    archetype = "move"
    kinds: ClassVar[tuple[str, ...]] = ("resource.movement",)

    def aims(self) -> Sequence[Aim]:
        return [Aim(place=place) for place in self._reachable()]

    def _reachable(self) -> list[Position]:
        """The squares that the movement left is enough for, by rows."""
        ways, feet = self.outlook.ways, self.combatant.economy.left(MOVEMENT)
        if ways is None or feet <= 0 or speed_of(self.combatant) == 0:
            return []
        steps = feet // (10 if self.combatant.has(PRONE) else 5)
        battle = self.outlook.battle
        taken = {other.position for other in battle.present()}
        return [place for place in _nearby(ways, self.combatant.position, steps) if place not in taken]

    def affected_positions(self, aim: Aim) -> list[Position]:
        return [aim.place] if aim.place is not None else []

    def foresee(self, aim: Aim) -> Outcome:
        outlook, here = self.outlook, self.combatant.position
        assert aim.place is not None
        assert here is not None
        nearer = 0.0
        if outlook.capability(here) == 0:
            nearer = outlook.steps_to_foes(here) - outlook.steps_to_foes(aim.place)
        return Outcome(path=self._path(aim.place), place=aim.place, opens_up=outlook.prospect(aim.place), nearer=nearer)

    def look_closer(self, aim: Aim) -> bool:
        """The attack from there may turn out worse, by cover or for want of a friend at the right place."""
        outcome, found = self.outcome(aim), self.outlook.closer(aim.place)
        if outcome.opens_up <= found:
            return False
        outcome.opens_up = found
        return True

    def _path(self, place: Position) -> list[Position]:
        return self.outlook.ways.path(place) if self.outlook.ways is not None else []


def _nearby(ways: Ways, here: Position | None, steps: int) -> list[Position]:
    assert here is not None
    costs = ways.costs
    rows = range(max(0, here[1] - steps), min(len(costs) - 1, here[1] + steps + 1))
    columns = range(max(0, here[0] - steps), min(len(costs[0]), here[0] + steps + 1))
    return [(x, y) for y in rows for x in columns if 0 < costs[y][x] // 100 <= steps]


class Teleport(Walk):
    archetype = "teleport"
    kinds = ()
    piece: Spell

    def _reachable(self) -> list[Position]:
        here, grid = self.combatant.position, self.outlook.grid
        if here is None:
            return []
        steps = self.piece.range // 5
        span = range(-steps, steps + 1)
        squares = [(here[0] + x, here[1] + y) for y in span for x in span if x or y]
        return [place for place in squares if grid.is_open(place) and self.outlook.battle.at(place) is None]

    def aims(self) -> Sequence[Aim]:
        return [Aim(place=place, options=self.how) for place in self._reachable()]

    def _path(self, place: Position) -> list[Position]:
        """Nobody gets to strike at those who leave like that."""
        return []


class Run(Dnd5eOption):
    """More movement, for those who cannot get at anybody this turn."""

    archetype = "run"

    def foresee(self, aim: Aim) -> Outcome:
        here = self.combatant.position
        if here is None or self._can_attack(here):
            return Outcome()
        return Outcome(nearer=min(speed_of(self.combatant) / 5, max(0.0, self.outlook.steps_to_foes(here) - 1)))

    def _can_attack(self, here: Position) -> bool:
        if self.outlook.prospect(here) > 0:
            return True
        walk = Walk(self.outlook, self.piece)
        return any(self.outlook.prospect(aim.place) > 0 for aim in walk.aims())
