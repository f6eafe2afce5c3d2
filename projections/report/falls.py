"""Who dropped out of the fight, and the last three blows before."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field

from ledger.events import (
    AttackResolved,
    CombatantLeft,
    ConditionApplied,
    ConditionRemoved,
    Damaged,
    Event,
    ResourceChanged,
)
from projections.report.followed import Followed
from projections.report.models import Blow, Fall
from projections.text import short

RECAP = 3


@dataclass(slots=True)
class _Down:
    """Somebody who dropped out: as long as it is down, its conditions are followed."""

    who: str
    event: Event
    blows: list[Blow]
    conditions: dict[str, str] = field(default_factory=dict)
    back_in: int | None = None


class Falls:
    def __init__(self) -> None:
        self._blows: defaultdict[str, deque[Blow]] = defaultdict(lambda: deque(maxlen=RECAP))
        self._falls: list[_Down] = []
        self._down: dict[str, _Down] = {}
        self._fighting: set[str] = set()

    def take(self, event: Event, fight: Followed) -> None:
        if blow := _blow(event, fight):
            self._blows[blow[0]].append(blow[1])
        now = set(fight.fighting)
        for who in sorted(self._fighting - now):
            self._falls.append(_Down(who, event, list(self._blows[who])))
            self._down[who] = self._falls[-1]
        for who in now & set(self._down):
            self._down.pop(who).back_in = event.round
        self._fighting = now
        self._follow_conditions(event)

    def _follow_conditions(self, event: Event) -> None:
        if isinstance(event, ConditionApplied) and event.target in self._down:
            self._down[event.target].conditions[event.condition] = short(event.condition)
        elif isinstance(event, ConditionRemoved) and event.target in self._down:
            self._down[event.target].conditions.pop(event.condition, None)

    def counts(self) -> Counter[str]:
        return Counter(fall.who for fall in self._falls if not isinstance(fall.event, CombatantLeft))

    def rows(self, fight: Followed) -> list[Fall]:
        return [
            Fall(
                fight=fight.battle.name,
                who=fall.who,
                name=fight.name(fall.who),
                seq=fall.event.seq,
                round=fall.event.round,
                left=isinstance(fall.event, CombatantLeft),
                conditions=sorted(fall.conditions.values()),
                back_in=fall.back_in,
                blows=fall.blows,
            )
            for fall in self._falls
        ]


def _blow(event: Event, fight: Followed) -> tuple[str, Blow] | None:
    """Whom an event hurt, and how. What was dealt earlier and takes effect now is no new blow."""
    if isinstance(event, Damaged):
        delayed = event.parts and all(_last(part.source) in fight.judge.delayed_damage for part in event.parts)
        return None if delayed or not event.amount + event.overkill else (event.target, _struck(event, fight))
    if (
        isinstance(event, ResourceChanged)
        and event.resource in fight.judge.delayed_damage
        and event.after > event.before
    ):
        return event.owner, _queued(event, fight)
    return None


def _struck(event: Damaged, fight: Followed) -> Blow:
    attacks = (other for other in fight.group(event) if isinstance(other, AttackResolved))
    attack = next((attack for attack in attacks if attack.hit and attack.target == event.target), None)
    weapon = attack.weapon if attack is not None and attack.attacker == event.source else None
    return Blow(
        seq=event.seq,
        round=event.round,
        by=event.source,
        by_name=fight.name(event.source) if event.source is not None else None,
        source=weapon or (event.parts[0].source if event.parts else None),
        pool=event.pool,
        amount=event.amount,
        left=event.left,
        overkill=event.overkill,
        is_ruling=fight.is_ruled(event),
    )


def _queued(event: ResourceChanged, fight: Followed) -> Blow:
    doer = fight.doer(event)
    return Blow(
        seq=event.seq,
        round=event.round,
        by=doer,
        by_name=fight.name(doer) if doer is not None else None,
        source=event.source,
        pool=event.resource,
        amount=event.after - event.before,
        left=None,
    )


def _last(ref: str) -> str:
    return ref.rsplit(":", 1)[-1]
