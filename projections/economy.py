"""The action economy: named resources, each with what is left, spent and locked, and every change."""

from __future__ import annotations

from dataclasses import dataclass, field

from ledger.events import Gauge, ResourceChanged


@dataclass(slots=True)
class Resource:
    current: int
    maximum: int | None = None
    spent: int = 0
    locked: int = 0
    history: list[ResourceChanged] = field(default_factory=list)
    """Every change, oldest first; the events say who, when and why."""


class Economy(dict[str, Resource]):
    """The resources of one combatant by name."""

    @classmethod
    def of(cls, gauges: dict[str, Gauge]) -> Economy:
        return cls({name: Resource(gauge.current, gauge.maximum) for name, gauge in gauges.items()})

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
        resource.history.append(event)
