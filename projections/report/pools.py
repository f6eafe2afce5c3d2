"""Every bounded pool over time."""

from __future__ import annotations

from collections import defaultdict

from ledger.events import Damaged, Event, Healed, ResourceChanged
from projections.report.followed import Followed
from projections.report.models import PoolLine


class Pools:
    def __init__(self) -> None:
        self._points: defaultdict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)

    def take(self, event: Event, fight: Followed) -> None:
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

    def rows(self, fight: Followed) -> list[PoolLine]:
        people = fight.battle.combatants
        return [
            PoolLine(name=people[who].name, pool=pool, points=[*points, (fight.at, points[-1][1])])
            for (who, pool), points in self._points.items()
            if people[who].vitals[pool].maximum is not None
        ]
