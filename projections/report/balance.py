"""The balance of a fight: each side's share of all points that are left.

A side's points are what is left in the bounded pools (hit points, fatigue and vitality, health) of those who can still
win or lose. It says who has more left, and nothing more: not who hits harder, has more spells or more turns, and so it
is no probability. It changes only where the record says so, so that every change has a declaration that caused it.
"""

from __future__ import annotations

from collections import defaultdict

from ledger.events import Event, RoundStarted
from projections.cast import Cast
from projections.report.followed import Followed
from projections.report.models import Balance, Turning
from projections.words import in_words

MOST = 5
"""How many turning points a report names."""
LEAST = 0.01
"""A smaller shift is none."""


def shares_of(fight: Followed) -> dict[str, float]:
    """By side, from 0 to 1; all are 0 when nobody has anything left."""
    points: dict[str, int] = {combatant.side: 0 for combatant in fight.battle.combatants.values() if combatant.vitals}
    for combatant in fight.fighting.values():
        points[combatant.side] = points.get(combatant.side, 0) + sum(
            vital.current for vital in combatant.vitals.values() if vital.maximum is not None
        )
    total = sum(points.values())
    return {side: left / total if total else 0.0 for side, left in points.items()}


class Shifts:
    """How the balance changed from the first round on, and by which declarations."""

    def __init__(self) -> None:
        self.balance: list[Balance] = []
        self._by_declaration: defaultdict[int, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
        self._before: dict[int, dict[str, float]] = {}

    def take(self, event: Event, fight: Followed) -> None:
        if not self.balance and not isinstance(event, RoundStarted):
            return
        now = shares_of(fight)
        last = self.balance[-1].shares if self.balance else now
        if self.balance and now == last:
            return
        before = self._before.setdefault(event.declaration, last)
        for side in {*now, *before}:
            self._by_declaration[event.declaration][side] += now.get(side, 0.0) - last.get(side, 0.0)
        self.balance.append(Balance(at=fight.at, seq=event.seq, round=event.round, shares=now))

    def turning_points(self, fight: Followed) -> list[Turning]:
        found = [self._turning(seq, fight) for seq in self._by_declaration]
        largest = sorted(found, key=lambda turning: (-turning.gained, turning.seq))
        return [turning for turning in largest[:MOST] if turning.gained >= LEAST]

    def _turning(self, seq: int, fight: Followed) -> Turning:
        changes = self._by_declaration[seq]
        side = max(sorted(changes), key=lambda name: changes[name])
        declared = fight.events[seq - 1]
        return Turning(
            fight=fight.battle.name,
            seq=seq,
            round=declared.round,
            words=in_words(declared, Cast.of(fight.events)),
            side=side,
            before=round(self._before[seq].get(side, 0.0), 4),
            gained=round(changes[side], 4),
        )
