"""What each source was worth: the points of damage it made, and the attacks it turned.

It is computed from the record: a source turned an attack if the attack comes out differently without it (see
`readmodels.facts`). A hit that it made is worth the damage of that hit; a hit that it spoilt is worth the average hit
of that attacker with that weapon.
"""

from __future__ import annotations

from fractions import Fraction

from projections.readmodels.reading import QueryCursor
from projections.ruleset_profile import profiles
from projections.statistics.question import Report, rounded
from projections.statistics.scope import StatisticScope, join_character

# Attacks that reached their number and still missed were stopped by something other than their roll.
_SQL = f"""judged AS (
    SELECT a.encounter, a.seq, a.source, coalesce(who.name, a.attacker) AS attacker, a.weapon, a.hit,
           coalesce(a.natural_without = n.always
                    OR (a.natural_without <> n.never AND a.total_without >= a.against),
                    a.total_without >= a.against) AS hit_without
    FROM attack_sources a JOIN scope s USING (encounter) LEFT JOIN naturals n USING (ruleset)
    JOIN attacks o USING (encounter, seq) {join_character("who", "a", "a.attacker")}
    WHERE (NOT a.undone OR %(undone)s)
      AND (a.hit OR a.total < a.against OR coalesce(o.natural_roll = n.never, false))
),
dealt AS (
    SELECT d.encounter, d.attack_seq AS seq, sum(d.amount) AS amount FROM damage d JOIN scope s USING (encounter)
    WHERE d.attack_seq IS NOT NULL AND (NOT d.undone OR %(undone)s) GROUP BY 1, 2
),
usual AS (
    SELECT coalesce(who.name, a.attacker) AS attacker, a.weapon,
           sum(coalesce(d.amount, 0)) AS amount, count(*) AS hits
    FROM attacks a JOIN scope s USING (encounter) LEFT JOIN dealt d USING (encounter, seq)
    {join_character("who", "a", "a.attacker")}
    WHERE a.hit AND (NOT a.undone OR %(undone)s) GROUP BY 1, 2
),
turned AS (
    SELECT j.source, count(*) AS counted,
           count(*) FILTER (WHERE j.hit AND NOT j.hit_without) AS hits_made,
           count(*) FILTER (WHERE NOT j.hit AND j.hit_without) AS hits_spoilt,
           sum(d.amount) FILTER (WHERE j.hit AND NOT j.hit_without) AS damage_made
    FROM judged j LEFT JOIN dealt d USING (encounter, seq)
    GROUP BY 1
),
points AS (
    SELECT p.source, count(*) AS parts, sum(p.amount) AS points FROM damage_parts p JOIN scope s USING (encounter)
    WHERE (NOT p.undone OR %(undone)s) GROUP BY 1
)
"""  # noqa: S608 - made of constants

_WORTH = """
SELECT source, coalesce(parts, 0), coalesce(points, 0), coalesce(counted, 0),
       coalesce(hits_made, 0), coalesce(damage_made, 0), coalesce(hits_spoilt, 0)
FROM points FULL JOIN turned USING (source)
"""

_SPOILT = """
SELECT j.source, u.amount, u.hits, count(*)
FROM judged j JOIN usual u ON u.attacker = j.attacker AND coalesce(u.weapon, '') = coalesce(j.weapon, '')
WHERE NOT j.hit AND j.hit_without GROUP BY 1, 2, 3
"""

COLUMNS = (
    "source",
    "parts",
    "points",
    "attacks",
    "hits_made",
    "damage_made",
    "hits_spoilt",
    "damage_spoilt",
)


def worth(cursor: QueryCursor, scope: StatisticScope) -> Report:
    cursor.execute(f"WITH {scope.sql()}, {_naturals()}, {_SQL} {_WORTH}", scope.parameters())
    sources = sorted(cursor.fetchall(), key=lambda row: (-row[2], row[0]))
    spoilt = _damage_spoilt(cursor, scope)
    rows = [(*row, spoilt.get(row[0])) for row in sources]
    notes = [
        "points: damage it made, overkill included.",
        "hits_made and hits_spoilt: attacks that would have come out differently without it.",
        "damage_spoilt: the average damage of such hits; empty if there were none, or if it is unknown.",
    ]
    return Report.of("Damage by source", COLUMNS, rows, notes)


_NO_ROW = "('', 0, 0)"


def _naturals() -> str:
    """The faces that decide an attack by themselves, by ruleset. The record says so only indirectly."""
    declared = ((name, profile.naturals) for name, profile in profiles().items() if name.isidentifier())
    rows = [f"('{name}', {faces.hits}, {faces.misses})" for name, faces in declared if None not in faces.both]
    return f"naturals (ruleset, always, never) AS (VALUES {', '.join(rows or [_NO_ROW])})"


def _damage_spoilt(cursor: QueryCursor, scope: StatisticScope) -> dict[str, float]:
    """By source: for each spoilt hit, the average damage of such hits."""
    cursor.execute(f"WITH {scope.sql()}, {_naturals()}, {_SQL} {_SPOILT}", scope.parameters())
    found: dict[str, Fraction] = {}
    for source, amount, hits, number in cursor.fetchall():
        found[source] = found.get(source, Fraction(0)) + Fraction(int(amount) * number, hits)
    return {source: rounded(damage, 1) for source, damage in found.items()}
