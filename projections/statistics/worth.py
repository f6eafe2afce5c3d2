"""What each source was worth: the points of damage it made, and the attacks it turned.

Computed from what is on record. A number that was added to an attack is taken off again; a die that advantage or
disadvantage brought in is left out, so that the first one counts. Where the attack then comes out otherwise, the
source turned it. A hit that was made is worth the damage it did; one that was spoilt, what the attacker's hits with
that weapon do on average.
"""

from __future__ import annotations

from typing import Any

from psycopg import Cursor

from projections.statistics.report import Report, plain
from projections.statistics.scope import SCOPE, Scope

NATURALS = {"dnd5e": (20, 1)}
"""Rulesets where one face always hits and one never does. What is on record says so only indirectly."""

_NATURALS = ", ".join(f"('{name}', {always}, {never})" for name, (always, never) in NATURALS.items())

# Alone: of several sources of advantage, none by itself turns anything.
SQL = f"""WITH {SCOPE},
naturals (ruleset, always, never) AS (VALUES {_NATURALS}),
attack AS (
    SELECT a.*, s.ruleset, r.mode, (r.faces[1])::integer AS first_face FROM attacks a
    JOIN scope s USING (encounter) JOIN rolls r ON r.encounter = a.encounter AND r.seq = a.roll_seq
    WHERE (NOT a.undone OR %(undone)s) AND r.faces[1] ~ '^-?[0-9]+$'
      AND (a.hit OR a.total < a.against OR a.natural_roll = 1)
),
moded AS (
    SELECT m.encounter, m.source, m.op, a.seq AS attack_seq,
           count(*) OVER (PARTITION BY m.encounter, a.seq, m.op) = 1 AS alone
    FROM chain_modifiers m JOIN scope s USING (encounter) CROSS JOIN LATERAL (
        SELECT seq FROM attacks a WHERE a.encounter = m.encounter AND a.declaration = m.declaration AND a.seq > m.seq
        ORDER BY a.seq LIMIT 1) a
    WHERE m.chain = 'attack' AND m.op IN ('advantage', 'disadvantage')
),
otherwise AS (
    SELECT a.encounter, a.seq, m.source, a.natural_roll AS natural_without, a.total - m.amount AS total_without
    FROM attack a JOIN roll_modifiers m ON m.encounter = a.encounter AND m.seq = a.roll_seq
    UNION ALL
    SELECT a.encounter, a.seq, m.source,
           CASE WHEN m.alone AND m.op = a.mode THEN a.first_face ELSE a.natural_roll END,
           CASE WHEN m.alone AND m.op = a.mode THEN a.total - a.natural_roll + a.first_face ELSE a.total END
    FROM attack a JOIN moded m ON m.encounter = a.encounter AND m.attack_seq = a.seq
),
judged AS (
    SELECT o.*, a.attacker, a.weapon, a.hit,
           coalesce(o.natural_without = n.always
                    OR (o.natural_without <> n.never AND o.total_without >= a.against),
                    o.total_without >= a.against)
           AND (a.hit OR o.total_without <> a.total) AS hit_without
    FROM otherwise o JOIN attack a USING (encounter, seq) LEFT JOIN naturals n USING (ruleset)
),
dealt AS (
    SELECT d.encounter, d.attack_seq AS seq, sum(d.amount) AS amount FROM damage d JOIN scope s USING (encounter)
    WHERE d.attack_seq IS NOT NULL AND (NOT d.undone OR %(undone)s) GROUP BY 1, 2
),
usual AS (
    SELECT a.attacker, a.weapon, avg(coalesce(d.amount, 0)) AS amount
    FROM attack a LEFT JOIN dealt d USING (encounter, seq) WHERE a.hit GROUP BY 1, 2
),
turned AS (
    SELECT j.source, count(*) AS counted,
           count(*) FILTER (WHERE j.hit AND NOT j.hit_without) AS hits_made,
           count(*) FILTER (WHERE NOT j.hit AND j.hit_without) AS hits_spoilt,
           sum(d.amount) FILTER (WHERE j.hit AND NOT j.hit_without) AS damage_made,
           round(sum(u.amount) FILTER (WHERE NOT j.hit AND j.hit_without), 1) AS damage_spoilt
    FROM judged j LEFT JOIN dealt d USING (encounter, seq)
    LEFT JOIN usual u ON u.attacker = j.attacker AND u.weapon IS NOT DISTINCT FROM j.weapon
    GROUP BY 1
),
points AS (
    SELECT p.source, count(*) AS parts, sum(p.amount) AS points FROM damage_parts p JOIN scope s USING (encounter)
    WHERE (NOT p.undone OR %(undone)s) GROUP BY 1
)
SELECT source, coalesce(parts, 0), coalesce(points, 0), coalesce(counted, 0),
       coalesce(hits_made, 0), coalesce(damage_made, 0), coalesce(hits_spoilt, 0), damage_spoilt
FROM points FULL JOIN turned USING (source) ORDER BY coalesce(points, 0) DESC, source
"""  # noqa: S608 - made of constants

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


def worth(cursor: Cursor[tuple[Any, ...]], scope: Scope) -> Report:
    cursor.execute(SQL, scope.parameters())
    rows = [tuple(plain(value) for value in row) for row in cursor.fetchall()]
    notes = [
        "points: damage it made, overkill included.",
        "hits_made and hits_spoilt: attacks that come out otherwise without it.",
        "damage_spoilt is what such hits do on average; empty where there were none, or nothing to go by.",
    ]
    return Report("Damage by source", COLUMNS, rows, notes)
