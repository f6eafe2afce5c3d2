"""The verbs that record outcomes: each records one change with its resulting numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from ledger.events import (
    ActionGranted,
    ActionRemoved,
    CardsMoved,
    ConditionApplied,
    ConditionRemoved,
    Damaged,
    DamagePart,
    Data,
    Event,
    Healed,
    Moved,
    Position,
    Ref,
    ResourceChanged,
    SideChanged,
    TerrainChanged,
    Until,
)
from projections.battle.clock_and_map import terrain_at
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

E = TypeVar("E", bound=Event)


class OutcomeRecorder(ABC):
    """The verbs, on top of `record`, which records any event."""

    battle: Battle
    action: Ref | None
    """The declared action: the source of a resource's change, unless the verb is given another one."""

    @abstractmethod
    def record(self, cls: type[E], *, by: str = "system", **payload: Any) -> E:
        """Record an event and fold it."""

    @property
    @abstractmethod
    def next_seq(self) -> int:
        """The number of the event that is recorded next."""

    # Resources. `source` is what a resource was spent on or where it came from; `why` says the same in words.

    def spend(
        self, owner: Combatant, resource: str, amount: int, why: str, source: Ref | None = None
    ) -> ResourceChanged:
        """Take from a resource. The rules must check first that there is enough."""
        pool = owner.economy[resource]
        return self._change(owner, resource, pool.current - amount, why, source, spent=pool.spent + amount)

    def spend_vital(
        self, owner: Combatant, pool: str, amount: int, why: str, source: Ref | None = None
    ) -> ResourceChanged:
        """Pay with a vital. It goes down, but this is not damage."""
        vital = owner.vitals[pool]
        return self.record(
            ResourceChanged,
            owner=owner.id,
            resource=pool,
            before=vital.current,
            after=vital.current - amount,
            maximum=vital.maximum,
            source=source or self.action,
            why=why,
        )

    def gain(
        self, owner: Combatant, resource: str, amount: int, why: str, source: Ref | None = None
    ) -> ResourceChanged:
        pool = owner.economy.get(resource)
        return self._change(owner, resource, (pool.current if pool else 0) + amount, why, source)

    def lock(
        self, owner: Combatant, resource: str, amount: int, why: str, source: Ref | None = None
    ) -> ResourceChanged:
        """Lock some of a resource, so that it is neither available nor spent. A negative amount unlocks it."""
        pool = owner.economy[resource]
        return self._change(owner, resource, pool.current - amount, why, source, locked=pool.locked + amount)

    def reset(
        self,
        owner: Combatant,
        resource: str,
        to: int,
        why: str,
        source: Ref | None = None,
        *,
        maximum: int | None = None,
    ) -> ResourceChanged:
        """Set a resource to a new value, with nothing spent."""
        return self._change(owner, resource, to, why, source, spent=0, maximum=maximum)

    def _change(
        self,
        owner: Combatant,
        resource: str,
        after: int,
        why: str,
        source: Ref | None,
        *,
        spent: int | None = None,
        locked: int | None = None,
        maximum: int | None = None,
    ) -> ResourceChanged:
        pool = owner.economy.get(resource)
        return self.record(
            ResourceChanged,
            owner=owner.id,
            resource=resource,
            before=pool.current if pool else 0,
            after=after,
            maximum=maximum if maximum is not None else (pool.maximum if pool else None),
            spent=spent if spent is not None else (pool.spent if pool else 0),
            locked=locked if locked is not None else (pool.locked if pool else 0),
            source=source or self.action,
            why=why,
        )

    # Vitals

    def damage(
        self, target: Combatant, pool: str, amount: int, parts: Iterable[DamagePart], source: str | None
    ) -> Damaged:
        """Take from a pool, but not below 0; the excess is recorded as overkill."""
        current = target.vitals[pool].current
        return self.record(
            Damaged,
            target=target.id,
            pool=pool,
            amount=min(amount, current),
            left=max(0, current - amount),
            overkill=max(0, amount - current),
            parts=tuple(parts),
            source=source,
        )

    def heal(self, target: Combatant, pool: str, amount: int, why: str, source: str | None = None) -> Healed:
        left = target.vitals[pool].current + amount
        return self.record(Healed, target=target.id, pool=pool, amount=amount, left=left, source=source, why=why)

    # Conditions, grants, places

    def apply_condition(
        self,
        target: Combatant,
        condition: str,
        *,
        source: str,
        owner: str,
        until: Until | None = None,
        level: int | None = None,
        data: Data | None = None,
    ) -> ConditionApplied:
        return self.record(
            ConditionApplied,
            target=target.id,
            condition=condition,
            source=source,
            owner=owner,
            until=until,
            level=level,
            data=data or {},
        )

    def remove_condition(self, target: Combatant, condition: str, why: str) -> ConditionRemoved:
        return self.record(ConditionRemoved, target=target.id, condition=condition, why=why)

    def grant(
        self,
        owner: Combatant,
        action: str,
        *,
        source: str,
        until: Until | None = None,
        weapon: str | None = None,
    ) -> ActionGranted:
        return self.record(
            ActionGranted,
            owner=owner.id,
            action=action,
            grant=f"{action.rsplit(':', 1)[1]}-{self.next_seq}",
            source=source,
            until=until,
            weapon=weapon,
        )

    def ungrant(self, grant: ActionGranted, why: str) -> ActionRemoved:
        return self.record(ActionRemoved, owner=grant.owner, action=grant.action, grant=grant.grant, why=why)

    def move_cards(
        self, owner: Combatant, cards: Sequence[str], origin: str | None, to: str | None, why: str
    ) -> CardsMoved:
        return self.record(CardsMoved, owner=owner.id, cards=tuple(cards), origin=origin, to=to, why=why)

    def move(self, mover: Combatant, to: Position, cost: int = 0, *, forced: bool = False) -> Moved:
        return self.record(Moved, mover=mover.id, origin=mover.position, to=to, cost=cost, forced=forced)

    def change_terrain(self, square: Position, after: str, source: Ref, owner: str) -> TerrainChanged:
        """Change the terrain of a square. A fight on open ground gets a map."""
        before = terrain_at(self.battle.map, square)
        return self.record(TerrainChanged, square=square, before=before, after=after, source=source, owner=owner)

    def change_side(self, combatant: Combatant, side: str, source: Ref) -> SideChanged:
        return self.record(SideChanged, combatant=combatant.id, before=combatant.side, after=side, source=source)
