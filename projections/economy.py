"""The action economy: named resources, each with what is left, spent and locked, and the latest changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core.core_schema import CoreSchema, no_info_after_validator_function

from ledger.events import Gauge, ResourceChanged


@dataclass(slots=True)
class Resource:
    """What is left, spent and locked. Nobody changes it: a change puts another one in its place.

    It is not frozen, because a frozen one takes three times as long to make, and folds make many.
    """

    current: int
    maximum: int | None = None
    spent: int = 0
    locked: int = 0
    recent: tuple[ResourceChanged, ...] = ()
    """The changes in the turn in which it last changed, oldest first; the events say who, when and why."""


class Economy(dict[str, Resource]):
    """The resources of one combatant by name."""

    @classmethod
    def of(cls, gauges: dict[str, Gauge]) -> Economy:
        return cls({name: Resource(gauge.current, gauge.maximum) for name, gauge in gauges.items()})

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return no_info_after_validator_function(cls, handler(dict[str, Resource]))

    def left(self, name: str) -> int:
        """What is available: 0 of a resource that the combatant does not have."""
        resource = self.get(name)
        return resource.current if resource else 0

    def change(self, event: ResourceChanged) -> None:
        known = self.get(event.resource)
        before = known.recent if known is not None else ()
        recent = (*before, event) if before and _is_same_turn(before[-1], event) else (event,)
        self[event.resource] = Resource(event.after, event.maximum, event.spent, event.locked, recent)


def _is_same_turn(one: ResourceChanged, other: ResourceChanged) -> bool:
    return one.round == other.round and one.turn == other.turn
