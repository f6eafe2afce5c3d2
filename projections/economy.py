"""The action economy: named resources, each with what is left, spent and locked, and the latest changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core.core_schema import CoreSchema, no_info_after_validator_function

from ledger.events import Gauge, ResourceChanged


@dataclass(slots=True)
class Resource:
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
        resource = self.setdefault(event.resource, Resource(0))
        resource.current = event.after
        resource.maximum = event.maximum
        resource.spent = event.spent
        resource.locked = event.locked
        is_same_turn = resource.recent and _turn(resource.recent[-1]) == _turn(event)
        resource.recent = (*resource.recent, event) if is_same_turn else (event,)


def _turn(event: ResourceChanged) -> tuple[int, str | None]:
    return event.round, event.turn
