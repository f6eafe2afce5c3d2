"""A fight, followed event by event, and what it adds up to: each combatant's share, every pool, and the balance.

The balance of a fight is each side's share of all points that are left.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ledger.events import (
    AttackResolved,
    CombatantJoined,
    CombatantLeft,
    ConditionApplied,
    ConditionRemoved,
    Damaged,
    Declared,
    Event,
    Healed,
    Moved,
    ReactionChosen,
    ReactionUsed,
    ResourceChanged,
    RoundStarted,
)
from projections.battle.combatant import Combatant
from projections.battle.event_history import actor_behind, reaction_behind, ruling_behind
from projections.battle.fold import Battle
from projections.report.models import BalancePoint, CombatantShare, PoolLine, ReportPool, TurningPoint
from projections.story.event_words import in_words
from projections.story.names import CombatantNames
from projections.story.phrases import who

_RULINGS = "core:ruling:"
_CHANGE_WHO_FIGHTS = (CombatantJoined, CombatantLeft, ConditionApplied, ConditionRemoved, Damaged, Healed, Moved)


class FightJudge(Protocol):
    """Questions that only the rules can answer. Every ruleset is a judge."""

    @property
    def delayed_damage(self) -> Collection[str]:
        """Resources in which damage waits until it takes effect."""

    def in_the_fight(self, battle: Battle) -> Sequence[Combatant]:
        """The combatants who can still win or lose."""

    def winner(self, battle: Battle) -> str | None:
        """The side that has won; None if no side has."""


class FollowedFight:
    """The fight up to some event, and the state after it."""

    def __init__(self, events: Sequence[Event], judge: FightJudge) -> None:
        self.events = events
        self.judge = judge
        self.battle = Battle()
        self.at = 0
        """How many standing events there have been so far."""
        self.fighting: dict[str, Combatant] = {}
        """The combatants that can still win or lose, by id."""
        self._groups: defaultdict[int, list[Event]] = defaultdict(list)

    def feed(self, event: Event) -> None:
        self.at += 1
        self.battle.apply(event)
        self._groups[event.declaration].append(event)
        if isinstance(event, _CHANGE_WHO_FIGHTS) or self.changes_vital(event):
            self.fighting = {combatant.id: combatant for combatant in self.judge.in_the_fight(self.battle)}

    def changes_vital(self, event: Event) -> bool:
        if isinstance(event, ResourceChanged):
            return event.resource in self.battle.combatants[event.owner].vitals
        return isinstance(event, Damaged | Healed)

    def delayed(self, event: Event) -> int:
        """The damage that an event dealt and that takes effect later; none for rulings."""
        if isinstance(event, ResourceChanged) and event.resource in self.judge.delayed_damage:
            declared = self.declared(event)
            ruled = declared is not None and declared.action.startswith(_RULINGS)
            return 0 if ruled else max(0, event.after - event.before)
        return 0

    def group(self, event: Event) -> list[Event]:
        """The events of the same declaration so far, the latest first."""
        return self._groups[event.declaration][::-1]

    def declared(self, event: Event) -> Declared | None:
        found = self.events[event.declaration - 1]
        return found if isinstance(found, Declared) else None

    def name(self, combatant: str) -> str:
        known = self.battle.combatants.get(combatant)
        return known.name if known is not None else who(combatant)

    # Causes

    def reaction_behind(self, event: Event) -> ReactionUsed | ReactionChosen | None:
        """The reaction that an event is part of, if any."""
        return reaction_behind(event, self.events)

    def doer(self, event: Event) -> str | None:
        """Who reacted or made the declaration. None if the event happened by itself, such as at the end of a turn."""
        return actor_behind(event, self.events)

    def is_ruled(self, event: Damaged | Healed) -> bool:
        """A ruling sets a value, which is neither damage nor healing."""
        return ruling_behind(event, self.events) is not None


@dataclass(slots=True)
class ShareTotals:
    dealt: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)
    healed: Counter[str] = field(default_factory=Counter)
    recovered: Counter[str] = field(default_factory=Counter)
    attacks: Counter[str] = field(default_factory=Counter)
    hits: Counter[str] = field(default_factory=Counter)

    def take(self, event: Event, fight: FollowedFight) -> None:
        if isinstance(event, Damaged) and not fight.is_ruled(event):
            self.taken[event.target] += event.amount
            if event.source is not None and event.source != event.target:
                self.dealt[event.source] += event.amount
        elif isinstance(event, Healed) and not fight.is_ruled(event):
            self.recovered[event.target] += event.amount
            if healer := _healer(event, fight):
                self.healed[healer] += event.amount
        elif isinstance(event, AttackResolved):
            self.attacks[event.attacker] += 1
            self.hits[event.attacker] += event.hit
        elif delayed := fight.delayed(event):
            self._take_delayed(event, fight, delayed)

    def _take_delayed(self, event: Event, fight: FollowedFight, amount: int) -> None:
        """Delayed damage counts when it is dealt, not when it takes effect."""
        doer = fight.doer(event)
        if doer is not None and isinstance(event, ResourceChanged) and doer != event.owner:
            self.dealt[doer] += amount

    def rows(self, fight: FollowedFight, falls: Counter[str]) -> list[CombatantShare]:
        """One row for each combatant that has a pool or did something."""
        acted = {*self.dealt, *self.healed, *self.attacks}
        shown = [c for c in fight.battle.combatants.values() if c.vitals or c.id in acted]
        return [self._row(combatant, combatant.id in fight.fighting, falls[combatant.id]) for combatant in shown]

    def _row(self, combatant: Combatant, in_the_fight: bool, falls: int) -> CombatantShare:
        return CombatantShare(
            id=combatant.id,
            name=combatant.name,
            side=combatant.side,
            dealt=self.dealt[combatant.id],
            taken=self.taken[combatant.id],
            healed=self.healed[combatant.id],
            recovered=self.recovered[combatant.id],
            attacks=self.attacks[combatant.id],
            hits=self.hits[combatant.id],
            falls=falls,
            pools={
                name: ReportPool(current=vital.current, maximum=vital.maximum)
                for name, vital in combatant.pools().items()
            },
            in_the_fight=in_the_fight,
        )


def _healer(event: Healed, fight: FollowedFight) -> str | None:
    """The source if it is a combatant; otherwise, as with spells, whoever brought the healing about."""
    return event.source if event.source in fight.battle.combatants else fight.doer(event)


class PoolTotals:
    def __init__(self) -> None:
        self._points: defaultdict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)

    def take(self, event: Event, fight: FollowedFight) -> None:
        if isinstance(event, Damaged | Healed):
            before = event.left + (event.amount if isinstance(event, Damaged) else -event.amount)
            self._add((event.target, event.pool), fight.at, before, event.left)
        elif isinstance(event, ResourceChanged) and fight.changes_vital(event):
            self._add((event.owner, event.resource), fight.at, event.before, event.after)

    def _add(self, whose: tuple[str, str], at: int, before: int, after: int) -> None:
        line = self._points[whose]
        if not line:
            line.append((1, before))
        line.append((at, after))

    def rows(self, fight: FollowedFight) -> list[PoolLine]:
        people = fight.battle.combatants
        return [
            PoolLine(name=people[who].name, pool=pool, points=[*points, (fight.at, points[-1][1])])
            for (who, pool), points in self._points.items()
            if people[who].vitals[pool].maximum is not None
        ]


MOST = 5
"""How many turning points a report lists."""
LEAST = 0.01
"""Smaller shifts do not count."""


def shares_of(fight: FollowedFight) -> dict[str, float]:
    """By side, from 0 to 1; all 0 when no points are left."""
    points: dict[str, int] = {combatant.side: 0 for combatant in fight.battle.combatants.values() if combatant.vitals}
    for combatant in fight.fighting.values():
        points[combatant.side] = points.get(combatant.side, 0) + sum(
            vital.current for vital in combatant.vitals.values() if vital.maximum is not None
        )
    total = sum(points.values())
    return {side: left / total if total else 0.0 for side, left in points.items()}


class BalanceShifts:
    """How the balance changed from the first round on, and which declarations changed it."""

    def __init__(self) -> None:
        self.balance: list[BalancePoint] = []
        self._by_declaration: defaultdict[int, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
        self._before: dict[int, dict[str, float]] = {}

    def take(self, event: Event, fight: FollowedFight) -> None:
        if not self.balance and not isinstance(event, RoundStarted):
            return
        now = shares_of(fight)
        last = self.balance[-1].shares if self.balance else now
        if self.balance and now == last:
            return
        before = self._before.setdefault(event.declaration, last)
        for side in {*now, *before}:
            self._by_declaration[event.declaration][side] += now.get(side, 0.0) - last.get(side, 0.0)
        self.balance.append(BalancePoint(at=fight.at, seq=event.seq, round=event.round, shares=now))

    def turning_points(self, fight: FollowedFight) -> list[TurningPoint]:
        found = [self._turning(seq, fight) for seq in self._by_declaration]
        largest = sorted(found, key=lambda turning: (-turning.gained, turning.seq))
        return [turning for turning in largest[:MOST] if turning.gained >= LEAST]

    def _turning(self, seq: int, fight: FollowedFight) -> TurningPoint:
        changes = self._by_declaration[seq]
        side = max(sorted(changes), key=lambda name: changes[name])
        declared = fight.events[seq - 1]
        return TurningPoint(
            fight=fight.battle.name,
            seq=seq,
            round=declared.round,
            words=in_words(declared, CombatantNames.of(fight.events)),
            side=side,
            before=round(self._before[seq].get(side, 0.0), 4),
            gained=round(changes[side], 4),
        )
