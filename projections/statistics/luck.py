"""Luck: what the dice gave compared to their average, by exact odds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from projections.readmodels.reading import QueryCursor, Row, fetch
from projections.ruleset_profile import profile_of
from projections.statistics.odds import fairness, in_words, interval, luck, mean, odds_of
from projections.statistics.question import Report, way_of
from projections.statistics.scope import StatisticScope, join_character
from projections.statistics.statistic_names import By

WAYS = {
    By.ACTOR: "coalesce(who.name, r.roller)",
    By.SIDE: "coalesce(c.side, 'nobody''s')",
    By.ROUND: "r.round",
    By.SOURCE: "r.dice_source",
}
_ROLLER = (
    "LEFT JOIN combatants c ON c.encounter = r.encounter AND c.combatant = r.roller"
    f"{join_character('who', 'r', 'r.roller')}"
)


class AlikeAttacks(NamedTuple):
    """Attacks with the same chance to hit."""

    actor: Any
    ruleset: str
    notation: str
    needed: int
    hit: bool
    reached: bool
    natural_roll: int | None
    number: int


class AlikeDamage(NamedTuple):
    actor: Any
    notation: str
    number: int
    total: int
    added: int


class FaceCount(NamedTuple):
    dice_source: str
    sides: int
    value: int
    number: int


class LuckRow(NamedTuple):
    """A row of the report on luck, without the group that it is about."""

    attacks: int
    hits: int
    expected_hits: float
    likely_from: int | None
    likely_to: int | None
    p_value: float | None
    damage_rolled: int
    expected_damage: float
    in_words: str


class TestedDie(NamedTuple):
    """A row of the report on fairness."""

    dice_source: str
    die: str
    rolled: int
    chi_squared: float
    p_value: float | None
    in_words: str


@dataclass(slots=True)
class LuckTally:
    """What one group rolled, and what was expected."""

    chances: list[tuple[Fraction, int]] = field(default_factory=list)
    hits: int = 0
    damage: int = 0
    damage_expected: Fraction = Fraction(0)

    def row(self) -> LuckRow:
        attacks = sum(number for _, number in self.chances)
        expected = sum((chance * number for chance, number in self.chances), Fraction(0))
        p_value = luck(self.chances, self.hits) if attacks else None
        likely = interval(self.chances) if attacks else None
        verdict = in_words(self.hits, likely, p_value) if likely and p_value is not None else "no attacks"
        return LuckRow(
            attacks=attacks,
            hits=self.hits,
            expected_hits=_rounded(expected),
            likely_from=likely.low if likely else None,
            likely_to=likely.high if likely else None,
            p_value=None if p_value is None else round(p_value, 4),
            damage_rolled=self.damage,
            expected_damage=_rounded(self.damage_expected),
            in_words=verdict,
        )


def chances_taken(cursor: QueryCursor, scope: StatisticScope, by: By) -> Report:
    way = way_of(WAYS, by)
    tallies: defaultdict[Any, LuckTally] = defaultdict(LuckTally)
    uncounted = _count_attacks(tallies, _ask(cursor, scope, AlikeAttacks, _attacks(way)))
    uncounted += _count_damage(tallies, _ask(cursor, scope, AlikeDamage, _damage(way)))
    rows = [(group, *tallies[group].row()) for group in sorted(tallies)]
    notes = [
        "likely_from, likely_to: the hits that these odds give 95 % of the time; anything outside is luck.",
        "p_value: how often chance alone takes the hits at least this far from what is expected.",
    ]
    if uncounted:
        notes.append(f"{uncounted} rolls are left out: their dice have no exact odds.")
    return Report.of(f"Luck by {by.value}", (by.value, *LuckRow._fields), rows, notes)


def tallies(cursor: QueryCursor, scope: StatisticScope, by: By) -> dict[Any, LuckTally]:
    """How often each group hit, and how likely that was."""
    counted: defaultdict[Any, LuckTally] = defaultdict(LuckTally)
    _count_attacks(counted, _ask(cursor, scope, AlikeAttacks, _attacks(way_of(WAYS, by))))
    return counted


def _ask(cursor: QueryCursor, scope: StatisticScope, row: type[Row], sql: str) -> list[Row]:
    return fetch(cursor, row, f"WITH {scope.sql()} {sql}", scope.parameters())


def _attacks(way: str) -> str:
    """Attacks grouped by chance: there are few different ones, however many attacks there are."""
    return (
        f"SELECT {way} AS actor, s.ruleset, r.notation, a.against - r.modifier AS needed, a.hit,"  # noqa: S608
        " a.total >= a.against AS reached, a.natural_roll, count(*) AS number FROM attacks a"
        f" JOIN scope s USING (encounter) JOIN rolls r ON r.encounter = a.encounter AND r.seq = a.roll_seq {_ROLLER}"
        " WHERE (NOT a.undone OR %(undone)s) GROUP BY 1, 2, 3, 4, 5, 6, 7"
    )


def _damage(way: str) -> str:
    return (
        f"SELECT {way} AS actor, r.notation, count(*) AS number, sum(r.total)::bigint AS total,"  # noqa: S608
        f" sum(r.modifier)::bigint AS added FROM rolls r JOIN scope s USING (encounter) {_ROLLER}"
        " WHERE (NOT r.undone OR %(undone)s) AND r.purpose = 'damage' GROUP BY 1, 2"
    )


def _count_attacks(tallies: dict[Any, LuckTally], rows: Iterable[AlikeAttacks]) -> int:
    uncounted = 0
    for row in rows:
        chance = chance_to_hit(row.ruleset, row.notation, row.needed)
        if row.reached and not row.hit and row.natural_roll != profile_of(row.ruleset).naturals.misses:
            continue  # stopped by something other than the dice
        if chance is None:
            uncounted += row.number
            continue
        tallies[row.actor].chances.append((chance, row.number))
        tallies[row.actor].hits += row.number if row.hit else 0
    return uncounted


def _count_damage(tallies: dict[Any, LuckTally], rows: Iterable[AlikeDamage]) -> int:
    uncounted = 0
    for row in rows:
        odds = odds_of(row.notation)
        if odds is None:
            uncounted += row.number
            continue
        tallies[row.actor].damage += row.total
        tallies[row.actor].damage_expected += mean(odds) * row.number + row.added
    return uncounted


def chance_to_hit(ruleset: str, notation: str, needed: int) -> Fraction | None:
    """The chance that a roll without its modifiers reaches a number, natural hits and misses included."""
    odds = odds_of(notation)
    if odds is None:
        return None
    naturals = profile_of(ruleset).naturals
    hits = (chance for face, chance in odds.items() if naturals.hit(face, reached=face >= needed))
    return sum(hits, Fraction(0))


def dice_fairness(cursor: QueryCursor, scope: StatisticScope) -> Report:
    """A fairness test for every type of die from every source."""
    counts: defaultdict[tuple[str, int], dict[int, int]] = defaultdict(dict)
    sql = (
        "SELECT f.dice_source, f.sides, f.value, count(*) AS number FROM dice f JOIN scope s USING (encounter)"
        " WHERE f.sides IS NOT NULL AND (NOT f.undone OR %(undone)s) GROUP BY 1, 2, 3"
    )
    for face in _ask(cursor, scope, FaceCount, sql):
        counts[face.dice_source, face.sides][face.value] = face.number
    rows = [_tested(source, sides, faces) for (source, sides), faces in sorted(counts.items())]
    return Report.of("Were the dice fair?", TestedDie._fields, rows)


def _tested(source: str, sides: int, faces: dict[int, int]) -> TestedDie:
    tested = fairness(sides, faces)
    p_value = None if tested.p_value is None else round(tested.p_value, 4)
    return TestedDie(source, f"d{sides}", tested.rolled, round(tested.chi_squared, 2), p_value, tested.verdict)


def _rounded(number: Fraction) -> float:
    return round(float(number), 2)
