"""Paths over the map: the way to a square step by step, the one that provokes the fewest reactions, and a preview of a
move.

The preview has each step, its cost, and the combatants that could react to it.
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
"""Where a combatant can get to from a square: this is where rulesets differ."""
Occupancy = Callable[[Battle, Position], Combatant | None]
"""Who takes up a square."""


def ways_past_others(battle: Battle, mover: Combatant, start: Position) -> PathSearch:
    """Around walls and everybody of another side, through allies."""
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
    """The cheapest way to a square, which has to be free."""
    start, end = ends_of(mover, goal)
    if start == end:
        raise already_there(mover, end)
    require_free(battle, end, occupant_of)
    path = ways_from(battle, mover, start).path(end)
    if not path:
        raise no_way(mover, end)
    return path


def ends_of(mover: Combatant, goal: Position | None) -> tuple[Position, Position]:
    """Where somebody is and where it wants to go, or a refusal if one of them is missing."""
    if goal is None:
        raise Refusal("move/no-destination", f"{mover.name} needs a square to move to.", who=mover.id)
    if mover.position is None:
        raise Refusal("move/no-place", f"{mover.name} is not on the map; a ruling can place it there.", who=mover.id)
    return mover.position, goal


def require_free(battle: Battle, goal: Position, occupant_of: Occupancy = Battle.at) -> None:
    """Refuse a square where nobody can stop."""
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
    return Refusal("move/no-way", f"{mover.name} has no way to {goal[0]},{goal[1]}.", who=mover.id, destination=goal)


def not_open(goal: Position) -> Refusal:
    x, y = goal
    return Refusal("move/not-open", f"Nobody can stand at {x},{y}; choose an open square.", destination=goal)


def occupied(goal: Position, occupant: Combatant) -> Refusal:
    x, y = goal
    return Refusal(
        "move/occupied",
        f"{occupant.name} is at {x},{y}; choose another square.",
        destination=goal,
        occupant=occupant.id,
    )


Provoked = Callable[[Position, Position], int]
"""How many a step between two neighbouring squares provokes."""


class _Arrival(NamedTuple):
    """How a square is best reached: how many that provokes, how many diagonal steps it takes, and from where."""

    provoked: int
    diagonals: int
    before: Position


class QuietPaths:
    """The quietest paths from one square. What is found out for one goal is kept for the others."""

    def __init__(self, ways: PathSearch, start: Position, provoked: Provoked) -> None:
        """`ways` has to begin at the start."""
        self._ways = ways
        self._provoked = provoked
        self._arrivals = {start: _Arrival(0, 0, start)}

    def before(self, goal: Position) -> Position:
        """The square that comes before another on the path to it; the start comes before itself."""
        if goal not in self._arrivals:
            self._arrive(goal)
        return self._arrivals[goal].before

    def path(self, goal: Position) -> list[Position]:
        """The squares to enter in order. There has to be a way."""
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
        """Every square of any shortest path that is not known yet, and those that come before it on one."""
        before: dict[Position, list[Position]] = {}
        to_do = [goal]
        while to_do:
            place = to_do.pop()
            if place not in self._arrivals and place not in before:
                before[place] = self._ways.all_before(place)
                to_do += before[place]
        return before


def quietest_path(ways: PathSearch, start: Position, goal: Position, provoked: Provoked) -> list[Position]:
    """The squares to enter in order. `ways` has to begin at the start, and there has to be a way."""
    return QuietPaths(ways, start, provoked).path(goal)


class PathStep(BaseModel):
    """One step."""

    to: Position
    cost: int = Field(description="the movement that it takes")


class PossibleReaction(BaseModel):
    """Somebody who could react to a step, such as with an opportunity attack."""

    who: str
    name: str
    at: Position | None = Field(description="where the mover would be")
    reactions: list[str] = Field(description="the refs of what it could do")


class MovePreview(Documented, BaseModel):
    """How somebody would get to a square if nobody reacts. Nothing is declared by it."""

    who: str
    what: str = Field(description="the ref of the action")
    steps: list[PathStep]
    cost: int = Field(description="the movement that all steps take")
    used: dict[str, int] = Field(description="how much of which resources is used up, movement included")
    may_react: list[PossibleReaction] = Field(description="in the order in which they could")


def preview_move(fight: FightEngine, actor: str, action: str, to: Position, options: Data | None = None) -> MovePreview:
    """By the same code that makes the move, so it is refused if the move would be."""
    events = foresee(fight, Declaration(actor=actor, action=action, destination=to, options=options or {})).events
    said = next(event for event in events if isinstance(event, Declared))
    steps = [event for event in events if isinstance(event, Moved) and event.mover == said.actor and not event.forced]
    if not steps:
        name = name_of(said.action.rsplit(":", 1)[1])
        raise Refusal("way/no-move", f"{name} does not lead anywhere.", who=said.actor, what=said.action)
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
