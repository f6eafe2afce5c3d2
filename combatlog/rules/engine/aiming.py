"""A preview of an area: which squares it would cover, and whom it would catch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel, Field

from ledger.events import Position
from ledger.json_shapes import Documented
from projections.combatant import Combatant


class Caught(BaseModel):
    """Somebody whom an area would catch."""

    who: str
    name: str
    friend: bool = Field(description="whether it is on the side of whoever aims, or is that combatant itself")


class Aim(Documented, BaseModel):
    """What an area would cover if it were aimed at a square. Nothing is declared by it."""

    who: str
    what: str = Field(description="the ref of the action")
    at: Position
    squares: list[Position]
    caught: list[Caught]

    @property
    def friends(self) -> list[Caught]:
        return [one for one in self.caught if one.friend]


def aimed(actor: Combatant, what: str, at: Position, squares: Sequence[Position], caught: Iterable[Combatant]) -> Aim:
    found = [Caught(who=one.id, name=one.name, friend=one.side == actor.side) for one in caught]
    return Aim(who=actor.id, what=what, at=at, squares=list(squares), caught=found)
