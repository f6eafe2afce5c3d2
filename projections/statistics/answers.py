"""Answer a statistic by its name: from a question to its reports, on up-to-date tables.

Two fights can be compared side by side, each as a whole: a fork includes the past that it shares.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from projections.readmodels.catalogue import TABLES
from projections.readmodels.encounter_projection import EncounterProjection
from projections.readmodels.reading import QueryCursor, once_in_place, reading
from projections.readmodels.session import current_session
from projections.statistics.luck import chances_taken, dice_fairness
from projections.statistics.question import Report, way_of
from projections.statistics.scope import StatisticScope
from projections.statistics.source_worth import worth
from projections.statistics.statistic_names import By, Statistic
from projections.statistics.statistics_by_name import QUESTIONS

if TYPE_CHECKING:
    from projections.lake.reading import LakeReader


Number = int | float | None
Figures = dict[str, Number]


class WholeFight:
    """A fight with the facts of all its events, including a shared past."""

    def __init__(self, ledger: LedgerStore | LakeReader, encounter: UUID, *, with_undone: bool) -> None:
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


def compare(ledger: LedgerStore | LakeReader, scope: StatisticScope, by: By) -> Report:
    way_of({By.ACTOR: ""}, by)
    if len(scope.encounters) != 2:
        found = len(scope.encounters)
        raise Problem("stats/two-fights", "A comparison needs two fights; name both.", found=found, needed=2)
    first, second = (WholeFight(ledger, encounter, with_undone=scope.with_undone) for encounter in scope.encounters)
    sides = sorted(first.sides | second.sides)
    one, other = (_figures(fight, sides) for fight in (first, second))
    rows = [(what, one[what], other[what], _difference(one[what], other[what])) for what in one]
    notes = [
        f"first: {first.battle.name}; second: {second.battle.name}.",
        "A fork is counted with the past that it shares.",
    ]
    return Report.of("Two fights compared", ("what", "first", "second", "difference"), rows, notes)


def _figures(fight: WholeFight, sides: Iterable[str]) -> Figures:
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


def _of_side(fight: WholeFight, side: str) -> Figures:
    dealt = [fact for fact in fight.facts("damage") if fight.side_of(fact["actor"]) == side]
    fallen = [fact for fact in fight.facts("falls") if fight.side_of(fact["target"]) == side]
    return {f"damage by {side}": _sum(dealt), f"falls of {side}": len(fallen)}


def _sum(facts: Iterable[dict[str, Any]]) -> int:
    return sum(fact["amount"] for fact in facts)


def _difference(first: Number, second: Number) -> Number:
    return None if first is None or second is None else round(second - first, 2)


SECONDS = 60.0


def statistics(ledger: LedgerStore, statistic: Statistic, scope: StatisticScope, by: By = By.ACTOR) -> list[Report]:
    """The reports that answer a question. Events recorded so far are brought in first."""
    if statistic is Statistic.COMPARE:
        return [compare(ledger, scope, by)]
    return once_in_place(lambda: _now(ledger, statistic, scope, by))


def _now(ledger: LedgerStore, statistic: Statistic, scope: StatisticScope, by: By) -> list[Report]:
    with current_session(ledger) as session, reading(session.conn, seconds=SECONDS) as cursor:
        return reports(cursor, statistic, scope, by)


def lake_statistics(lake: LakeReader, statistic: Statistic, scope: StatisticScope, by: By = By.ACTOR) -> list[Report]:
    """The same from a lake, as of when it was written."""
    if statistic is Statistic.COMPARE:
        return [compare(lake, scope, by)]
    return reports(lake.cursor(), statistic, scope, by)


def reports(cursor: QueryCursor, statistic: Statistic, scope: StatisticScope, by: By) -> list[Report]:
    check_campaign(cursor, scope.campaign)
    *others, last = answer(cursor, statistic, scope, by)
    return [*others, last.without(scope.left_out(cursor))]


def answer(cursor: QueryCursor, statistic: Statistic, scope: StatisticScope, by: By) -> list[Report]:
    if statistic is Statistic.LUCK:
        return [chances_taken(cursor, scope, by), dice_fairness(cursor, scope)]
    if statistic is Statistic.DAMAGE and by is By.SOURCE:
        return [worth(cursor, scope)]
    return [QUESTIONS[statistic.value].ask(cursor, scope, by)]


def scope_of(
    ledger: LedgerStore | LakeReader,
    encounters: Iterable[str] = (),
    campaign: str | None = None,
    since: date | None = None,
    until: date | None = None,
    *,
    with_undone: bool = False,
    with_forks: bool = False,
    with_practice: bool = False,
    with_archived: bool = False,
) -> StatisticScope:
    """The scope that a user named, with encounters by name or id."""
    if campaign is not None and "\0" in campaign:
        raise _unknown_campaign(campaign)  # PostgreSQL accepts no such text, not even in a query
    named = tuple(map(ledger.require, encounters))
    return StatisticScope(named, campaign, since, until, with_undone, with_forks, with_practice, with_archived)


def check_campaign(cursor: QueryCursor, campaign: str | None) -> None:
    """Refuse unknown campaigns: an empty answer would look like fights in which nothing happened."""
    if campaign is None:
        return
    cursor.execute("SELECT 1 FROM encounters WHERE campaign = %(campaign)s LIMIT 1", {"campaign": campaign})
    if cursor.fetchone() is None:
        raise _unknown_campaign(campaign)


def _unknown_campaign(campaign: str) -> Problem:
    return Problem("stats/unknown-campaign", f"No encounter has the campaign {campaign!r}.", name=campaign)
