"""Luck: what the dice gave against what they give on average, by exact odds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from psycopg import Cursor

from projections.analytics_names import By
from projections.statistics.fairness import fairness, in_words, luck
from projections.statistics.odds import mean, odds_of
from projections.statistics.question import way_of
from projections.statistics.report import Report
from projections.statistics.scope import Scope
from projections.statistics.worth import NATURALS

WAYS = {
    By.ACTOR: "r.roller",
    By.SIDE: "coalesce(c.side, 'nobody''s')",
    By.ROUND: "r.round",
    By.SOURCE: "r.dice_source",
}
_COMBATANT = "LEFT JOIN combatants c ON c.encounter = r.encounter AND c.combatant = r.roller"


@dataclass(slots=True)
class Tally:
    """What one group rolled, and what was to be expected."""

    chances: list[tuple[Fraction, int]] = field(default_factory=list)
    hits: int = 0
    damage: int = 0
    damage_expected: Fraction = Fraction(0)

    def row(self) -> tuple[Any, ...]:
        attacks = sum(number for _, number in self.chances)
        expected = sum((chance * number for chance, number in self.chances), Fraction(0))
        p_value = luck(self.chances, self.hits) if attacks else None
        verdict = in_words(self.hits, float(expected), p_value) if p_value is not None else "no attacks"
        hits = (attacks, self.hits, _rounded(expected))
        rounded = None if p_value is None else round(p_value, 4)
        return (*hits, rounded, self.damage, _rounded(self.damage_expected), verdict)


COLUMNS = ("attacks", "hits", "expected_hits", "p_value", "damage_rolled", "expected_damage", "in_words")


def chances_taken(cursor: Cursor[tuple[Any, ...]], scope: Scope, by: By) -> Report:
    way = way_of(WAYS, by)
    tallies: defaultdict[Any, Tally] = defaultdict(Tally)
    uncounted = _count_attacks(tallies, _ask(cursor, scope, _attacks(way)))
    uncounted += _count_damage(tallies, _ask(cursor, scope, _damage(way)))
    rows = [(group, *tallies[group].row()) for group in sorted(tallies)]
    notes = ["p_value: how often the dice stray at least this far from the expected hits by chance alone."]
    if uncounted:
        notes.append(f"{uncounted} rolls are left out: their dice have no exact odds.")
    return Report(f"Luck by {by.value}", (by.value, *COLUMNS), rows, notes)


def _ask(cursor: Cursor[tuple[Any, ...]], scope: Scope, sql: str) -> Iterable[tuple[Any, ...]]:
    cursor.execute(f"WITH {scope.sql()} {sql}", scope.parameters())
    return cursor.fetchall()


def _attacks(way: str) -> str:
    """Alike attacks together: there are few sorts, however many there are of each."""
    return (
        f"SELECT {way}, s.ruleset, r.notation, a.against - r.modifier, a.hit, a.total >= a.against,"  # noqa: S608
        " a.natural_roll, count(*) FROM attacks a"
        f" JOIN scope s USING (encounter) JOIN rolls r ON r.encounter = a.encounter AND r.seq = a.roll_seq {_COMBATANT}"
        " WHERE (NOT a.undone OR %(undone)s) GROUP BY 1, 2, 3, 4, 5, 6, 7"
    )


def _damage(way: str) -> str:
    return (
        f"SELECT {way}, r.notation, count(*), sum(r.total)::bigint, sum(r.modifier)::bigint FROM rolls r"  # noqa: S608
        f" JOIN scope s USING (encounter) {_COMBATANT}"
        " WHERE (NOT r.undone OR %(undone)s) AND r.purpose = 'damage' GROUP BY 1, 2"
    )


def _count_attacks(tallies: dict[Any, Tally], rows: Iterable[tuple[Any, ...]]) -> int:
    uncounted = 0
    for group, ruleset, notation, needed, hit, reached, natural, number in rows:
        chance = chance_to_hit(ruleset, notation, needed)
        if reached and not hit and natural != NATURALS.get(ruleset, (None, None))[1]:
            continue  # stopped by something other than the dice
        if chance is None:
            uncounted += number
            continue
        tallies[group].chances.append((chance, number))
        tallies[group].hits += number if hit else 0
    return uncounted


def _count_damage(tallies: dict[Any, Tally], rows: Iterable[tuple[Any, ...]]) -> int:
    uncounted = 0
    for group, notation, number, total, added in rows:
        odds = odds_of(notation)
        if odds is None:
            uncounted += number
            continue
        tallies[group].damage += total
        tallies[group].damage_expected += mean(odds) * number + added
    return uncounted


def chance_to_hit(ruleset: str, notation: str, needed: int) -> Fraction | None:
    """The chance that a roll without its modifiers reaches a number, natural hits and misses respected."""
    odds = odds_of(notation)
    if odds is None:
        return None
    always, never = NATURALS.get(ruleset, (None, None))
    hits = (chance for face, chance in odds.items() if face == always or (face != never and face >= needed))
    return sum(hits, Fraction(0))


def dice_fairness(cursor: Cursor[tuple[Any, ...]], scope: Scope) -> Report:
    """A test for every sort of die of every source."""
    counts: defaultdict[tuple[str, int], dict[int, int]] = defaultdict(dict)
    sql = (
        "SELECT f.dice_source, f.sides, f.value, count(*) FROM dice f JOIN scope s USING (encounter)"
        " WHERE f.sides IS NOT NULL AND (NOT f.undone OR %(undone)s) GROUP BY 1, 2, 3"
    )
    for source, sides, value, number in _ask(cursor, scope, sql):
        counts[source, sides][value] = number
    rows = [_tested(source, sides, faces) for (source, sides), faces in sorted(counts.items())]
    columns = ("dice_source", "die", "rolled", "chi_squared", "p_value", "in_words")
    return Report("Were the dice fair?", columns, rows)


def _tested(source: str, sides: int, faces: dict[int, int]) -> tuple[Any, ...]:
    tested = fairness(sides, faces)
    p_value = None if tested.p_value is None else round(tested.p_value, 4)
    return source, f"d{sides}", tested.rolled, round(tested.chi_squared, 2), p_value, tested.verdict


def _rounded(number: Fraction) -> float:
    return round(float(number), 2)
