"""Two fights side by side, each as a whole: a fork with the past that it shares.

The tables have a fork's own events only, so the fights are read from the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from uuid import UUID

from ledger.errors import Problem
from ledger.store import Ledger
from projections.analytics_names import By
from projections.readmodels.catalogue import TABLES
from projections.readmodels.encounter_projection import EncounterProjection
from projections.statistics.question import way_of
from projections.statistics.report import Report
from projections.statistics.scope import Scope

if TYPE_CHECKING:
    from projections.lake.reading import Lake

Number = int | float | None
Figures = dict[str, Number]


class Whole:
    """A fight with the facts of all its events, as they stand in it."""

    def __init__(self, ledger: Ledger | Lake, encounter: UUID, *, with_undone: bool) -> None:
        projection = EncounterProjection()
        for event in ledger.read(encounter).events:
            projection.feed(event)
        self.battle = projection.battle
        self._facts: dict[str, list[dict[str, Any]]] = {}
        for table, values in projection.take_facts():
            fact = dict(zip(TABLES[table].column_names, values, strict=True))
            if with_undone or not fact["undone"]:
                self._facts.setdefault(table, []).append(fact)

    def facts(self, table: str, **wanted: Any) -> list[dict[str, Any]]:
        found = self._facts.get(table, [])
        return [fact for fact in found if all(fact[name] == value for name, value in wanted.items())]

    def side_of(self, who: str | None) -> str | None:
        combatant = self.battle.combatants.get(who) if who is not None else None
        return combatant.side if combatant is not None else None

    @property
    def sides(self) -> set[str]:
        return {combatant.side for combatant in self.battle.combatants.values()}


def compare(ledger: Ledger | Lake, scope: Scope, by: By) -> Report:
    way_of({By.ACTOR: ""}, by)
    if len(scope.encounters) != 2:
        found = len(scope.encounters)
        raise Problem("stats/two-fights", "A comparison needs two fights; name both.", found=found, needed=2)
    first, second = (Whole(ledger, encounter, with_undone=scope.with_undone) for encounter in scope.encounters)
    sides = sorted(first.sides | second.sides)
    one, other = (_figures(fight, sides) for fight in (first, second))
    rows = [(what, one[what], other[what], _difference(one[what], other[what])) for what in one]
    notes = [
        f"first: {first.battle.name}; second: {second.battle.name}.",
        "A fork is counted with the past that it shares.",
    ]
    return Report.of("Two fights compared", ("what", "first", "second", "difference"), rows, notes)


def _figures(fight: Whole, sides: Iterable[str]) -> Figures:
    attacks, hits = fight.facts("attacks"), fight.facts("attacks", hit=True)
    damage = _sum(fight.facts("damage"))
    rounds = fight.battle.clock.round
    found: Figures = {
        "rounds": rounds,
        "turns": len(fight.facts("turns")),
        "attacks": len(attacks),
        "hits": len(hits),
        "hit percent": round(100 * len(hits) / len(attacks), 1) if attacks else None,
        "critical hits": len(fight.facts("attacks", critical=True)),
        "damage": damage,
        "damage per round": round(damage / rounds, 2) if rounds else None,
        "healing": _sum(fight.facts("healing")),
        "reactions used": len(fight.facts("reactions", outcome="used")),
        "reactions missed": len(fight.facts("reactions", outcome="missed")),
        "falls": len(fight.facts("falls")),
        "rulings": len([fact for fact in fight.facts("declarations") if fact["action"] == "core:ruling:rule"]),
        "corrections": len([fact for fact in fight.facts("corrections") if fact["kind"] != "forked"]),
    }
    for side in sides:
        found |= _of_side(fight, side)
    return found


def _of_side(fight: Whole, side: str) -> Figures:
    dealt = [fact for fact in fight.facts("damage") if fight.side_of(fact["actor"]) == side]
    fallen = [fact for fact in fight.facts("falls") if fight.side_of(fact["target"]) == side]
    return {f"damage by {side}": _sum(dealt), f"falls of {side}": len(fallen)}


def _sum(facts: Iterable[dict[str, Any]]) -> int:
    return sum(fact["amount"] for fact in facts)


def _difference(first: Number, second: Number) -> Number:
    return None if first is None or second is None else round(second - first, 2)
