"""A preview of a move: which way it would take, what it would cost, and who could react on the way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel, Field

from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.fight import Fight
from combatlog.rules.engine.foresight import foresee
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Data, Declared, Event, Moved, Position, ReactionWindowOpened, ResourceChanged
from ledger.json_shapes import Documented
from projections.battle import Battle
from projections.phrases import name_of


class Stride(BaseModel):
    """One step."""

    to: Position
    cost: int = Field(description="the movement that it takes")


class OnTheWay(BaseModel):
    """Somebody who could react to a step, such as with an opportunity attack."""

    who: str
    name: str
    at: Position | None = Field(description="where the mover would be")
    reactions: list[str] = Field(description="the refs of what it could do")


class Way(Documented, BaseModel):
    """How somebody would get to a square if nobody reacts. Nothing is declared by it."""

    who: str
    what: str = Field(description="the ref of the action")
    steps: list[Stride]
    cost: int = Field(description="the movement that all steps take")
    used: dict[str, int] = Field(description="how much of which resources is used up, movement included")
    may_react: list[OnTheWay] = Field(description="in the order in which they could")


def way_there(fight: Fight, actor: str, action: str, to: Position, options: Data | None = None) -> Way:
    """By the same code that makes the move, so it is refused if the move would be."""
    events = foresee(fight, Declaration(actor=actor, action=action, destination=to, options=options or {})).events
    said = next(event for event in events if isinstance(event, Declared))
    steps = [event for event in events if isinstance(event, Moved) and event.mover == said.actor and not event.forced]
    if not steps:
        name = name_of(said.action.rsplit(":", 1)[1])
        raise Refusal("way/no-move", f"{name} does not lead anywhere.", who=said.actor, what=said.action)
    return Way(
        who=said.actor,
        what=said.action,
        steps=[Stride(to=step.to, cost=step.cost) for step in steps],
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


def _reacting(battle: Battle, events: Sequence[Event], actor: str) -> Iterable[OnTheWay]:
    at = battle.combatants[actor].position
    for event in events:
        if isinstance(event, Moved) and event.mover == actor:
            at = event.to
        elif isinstance(event, ReactionWindowOpened) and event.subject == actor:
            for offer in event.offers:
                name = battle.combatants[offer.reactor].name
                yield OnTheWay(who=offer.reactor, name=name, at=at, reactions=list(offer.reactions))
