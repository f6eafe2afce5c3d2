"""Paths on the map: the cheapest path to a square, the one that provokes the fewest reactions, and previews of moves.

A preview lists each step, its cost, and the combatants that could react to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pydantic import BaseModel, Field

from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.grid.squares import PathSearch, grid_of, is_diagonal
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.dry_run import foresee
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.events import Data, Declared, Event, Moved, Position, ReactionWindowOpened, ResourceChanged
from ledger.json_shapes import Documented
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.story.phrases import name_of

WaysFrom = Callable[[Battle, Combatant, Position], PathSearch]
"""Searches the paths of a combatant from a square. Rulesets differ in this."""
Occupancy = Callable[[Battle, Position], Combatant | None]
"""Finds the combatant that occupies a square."""


def ways_past_others(battle: Battle, mover: Combatant, start: Position) -> PathSearch:
    """Paths around walls and enemies, but through allies."""
    others = [other for other in battle.present() if other.side != mover.side]
    blocked = [other.position for other in others if other.position is not None]
    return grid_of(battle.map).ways((start,), blocked)


def way_to(
    battle: Battle,
    mover: Combatant,
    goal: Position | None,
    ways_from: WaysFrom = ways_past_others,
    occupant_of: Occupancy = Battle.at,
) -> list[Position]:
    """The cheapest path to a square; refused if the square is not free."""
    start, end = ends_of(mover, goal)
    if start == end:
        raise already_there(mover, end)
    require_free(battle, end, occupant_of)
    path = ways_from(battle, mover, start).path(end)
    if not path:
        raise no_way(mover, end)
    return path


def ends_of(mover: Combatant, goal: Position | None) -> tuple[Position, Position]:
    """The start and the goal of a move; refused if either is missing."""
    if goal is None:
        raise Refusal("move/no-destination", f"{mover.name} needs a square to move to.", who=mover.id)
    if mover.position is None:
        raise Refusal("move/no-place", f"{mover.name} is not on the map; a ruling can place it there.", who=mover.id)
    return mover.position, goal


def require_free(battle: Battle, goal: Position, occupant_of: Occupancy = Battle.at) -> None:
    """Refuse a square where a move cannot end: a wall, or an occupied square."""
    if not grid_of(battle.map).is_open(goal):
        raise not_open(goal)
    occupant = occupant_of(battle, goal)
    if occupant is not None:
        raise occupied(goal, occupant)


def already_there(mover: Combatant, goal: Position) -> Refusal:
    return Refusal(
        "move/already-there", f"{mover.name} is already there; choose another square.", who=mover.id, destination=goal
    )


def no_way(mover: Combatant, goal: Position) -> Refusal:
    return Refusal(
        "move/no-way",
        f"{mover.name} cannot reach {goal[0]},{goal[1]}: there is no path.",
        who=mover.id,
        destination=goal,
    )


def not_open(goal: Position) -> Refusal:
    x, y = goal
    return Refusal("move/not-open", f"{x},{y} is not an open square; choose another one.", destination=goal)


def occupied(goal: Position, occupant: Combatant) -> Refusal:
    x, y = goal
    return Refusal(
        "move/occupied",
        f"{occupant.name} is at {x},{y}; choose another square.",
        destination=goal,
        occupant=occupant.id,
    )


Provoked = Callable[[Position, Position], int]
"""Counts the reactions that a step between two neighbouring squares provokes."""


class _Arrival(NamedTuple):
    """The best way to reach a square: provoked reactions, diagonal steps, and the previous square."""

    provoked: int
    diagonals: int
    before: Position


class QuietPaths:
    """The paths from one square that provoke the fewest reactions. Results for one goal are kept for the others."""

    def __init__(self, ways: PathSearch, start: Position, provoked: Provoked) -> None:
        """`ways` must begin at `start`."""
        self._ways = ways
        self._provoked = provoked
        self._arrivals = {start: _Arrival(0, 0, start)}

    def before(self, goal: Position) -> Position:
        """The square before `goal` on the path to it; the start comes before itself."""
        if goal not in self._arrivals:
            self._arrive(goal)
        return self._arrivals[goal].before

    def path(self, goal: Position) -> list[Position]:
        """The squares to enter, in order. The goal must be reachable."""
        path, place = [], goal
        while (last := self.before(place)) != place:
            path.append(place)
            place = last
        return path[::-1]

    def _arrive(self, goal: Position) -> None:
        before = self._unknown_before(goal)
        for place in sorted(before, key=lambda place: (self._ways.cost(place), place)):
            self._arrivals[place] = min(self._arrival(last, place) for last in before[place])

    def _arrival(self, last: Position, place: Position) -> _Arrival:
        provoked, diagonals, _ = self._arrivals[last]
        return _Arrival(provoked + self._provoked(last, place), diagonals + is_diagonal(last, place), last)

    def _unknown_before(self, goal: Position) -> dict[Position, list[Position]]:
        """All unknown squares on any shortest path to the goal, each with the squares that can come before it."""
        before: dict[Position, list[Position]] = {}
        to_do = [goal]
        while to_do:
            place = to_do.pop()
            if place not in self._arrivals and place not in before:
                before[place] = self._ways.all_before(place)
                to_do += before[place]
        return before


def quietest_path(ways: PathSearch, start: Position, goal: Position, provoked: Provoked) -> list[Position]:
    """The squares to enter, in order. `ways` must begin at `start`, and the goal must be reachable."""
    return QuietPaths(ways, start, provoked).path(goal)


class PathStep(BaseModel):
    """One step of a move."""

    to: Position
    cost: int = Field(description="the movement that it costs")


class PossibleReaction(BaseModel):
    """A combatant that could react to a step, for example with an opportunity attack."""

    who: str
    name: str
    at: Position | None = Field(description="where the mover would be")
    reactions: list[str] = Field(description="the refs of the reactions it could use")


class MovePreview(Documented, BaseModel):
    """How a combatant would get to a square if no one reacts. The preview declares nothing."""

    who: str
    what: str = Field(description="the ref of the action")
    steps: list[PathStep]
    cost: int = Field(description="the movement that all steps cost together")
    used: dict[str, int] = Field(description="the resources that it uses up, movement included")
    may_react: list[PossibleReaction] = Field(description="the combatants that could react, in order")


def preview_move(fight: FightEngine, actor: str, action: str, to: Position, options: Data | None = None) -> MovePreview:
    """Preview a move with the code that makes it; refused if the move would be."""
    events = foresee(fight, Declaration(actor=actor, action=action, destination=to, options=options or {})).events
    said = next(event for event in events if isinstance(event, Declared))
    steps = [event for event in events if isinstance(event, Moved) and event.mover == said.actor and not event.forced]
    if not steps:
        name = name_of(said.action.rsplit(":", 1)[1])
        raise Refusal("way/no-move", f"{name} does not move the combatant.", who=said.actor, what=said.action)
    return MovePreview(
        who=said.actor,
        what=said.action,
        steps=[PathStep(to=step.to, cost=step.cost) for step in steps],
        cost=sum(step.cost for step in steps),
        used=_used_up(events, said.actor),
        may_react=list(_reacting(fight.battle, events, said.actor)),
    )


def _used_up(events: Iterable[Event], actor: str) -> dict[str, int]:
    left: dict[str, int] = {}
    for event in events:
        if isinstance(event, ResourceChanged) and event.owner == actor:
            left[event.resource] = left.get(event.resource, 0) + event.after - event.before
    return {resource: -change for resource, change in left.items() if change < 0}


def _reacting(battle: Battle, events: Sequence[Event], actor: str) -> Iterable[PossibleReaction]:
    at = battle.combatants[actor].position
    for event in events:
        if isinstance(event, Moved) and event.mover == actor:
            at = event.to
        elif isinstance(event, ReactionWindowOpened) and event.subject == actor:
            for offer in event.offers:
                name = battle.combatants[offer.reactor].name
                yield PossibleReaction(who=offer.reactor, name=name, at=at, reactions=list(offer.reactions))
