"""Declaring: a strike with Protection, rules and fold included, one durable commit each.

Against a bare psycopg loop that COPYs and commits the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import psycopg

from benchmarks.duel import STRIKE, open_duel
from benchmarks.measure import Result, compare
from combatlog.rules.engine.referee import Referee
from ledger.store import Ledger

AIM = 0.6
_PER_ENCOUNTER = 50
"""Strikes before another encounter is taken, as in fights of some length."""
_ENCOUNTERS = 40
"""For each second: more than can be used up. They are opened before, since opening is no strike."""

_COPY = "COPY bare_events (originator_id, originator_version, topic, state, hash) FROM STDIN"


def run_declare(url: str, seconds: float) -> Iterator[Result]:
    with Ledger.open(url) as ledger, psycopg.connect(url, autocommit=True) as conn:
        referee = Referee(ledger)
        name = open_duel(referee)
        first = referee.declare(name, STRIKE).events
        rows = ledger.recorder.select_rows(first[0].encounter, after=first[0].seq - 1)
        conn.execute("DROP TABLE IF EXISTS bare_events")
        conn.execute("CREATE TABLE bare_events (LIKE combatlog.ledger_events INCLUDING ALL)")

        fights = iter([open_duel(referee) for _ in range(int(_ENCOUNTERS * seconds) + 1)])

        def declare() -> int:
            encounter = next(fights)
            for _ in range(_PER_ENCOUNTER):
                referee.declare(encounter, STRIKE)
            return _PER_ENCOUNTER

        def copy() -> int:
            encounter = uuid4()
            for number in range(_PER_ENCOUNTER):
                with conn.transaction(), conn.cursor() as cursor, cursor.copy(_COPY) as stream:
                    for place, row in enumerate(rows):
                        stream.write_row((encounter, number * 100 + place + 1, row.name, row.state, row.hash))
            return _PER_ENCOUNTER

        ours, bare = compare(declare, copy, seconds)
        conn.execute("DROP TABLE bare_events")
    what = f"declare a strike with Protection ({len(rows)} events)"
    yield Result(what, "declarations", ours, bare, AIM)
