"""Folding: fights read from PostgreSQL and folded to their state, against a bare SELECT of the same rows."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg

from benchmarks.duel import STRIKE, open_duel
from benchmarks.measure import Result, compare
from combatlog.rules.engine.referee import Referee
from ledger.store import Ledger, encounter_id

AIM = 0.4
_ENCOUNTERS = 10
_STRIKES = 100

_SELECT = "SELECT * FROM combatlog.ledger_events WHERE originator_id = %s ORDER BY originator_version"


def run_fold(url: str, seconds: float) -> Iterator[Result]:
    with Ledger.open(url) as ledger, psycopg.connect(url, autocommit=True) as conn:
        referee = Referee(ledger)
        names = [_long_fight(referee) for _ in range(_ENCOUNTERS)]
        encounters = [encounter_id(name) for name in names]

        def fold() -> int:
            return sum(referee.battle(encounter).seq for encounter in names)

        def select() -> int:
            return sum(len(conn.execute(_SELECT, (encounter,)).fetchall()) for encounter in encounters)

        def select_binary() -> int:
            return sum(len(ledger.recorder.select_rows(encounter)) for encounter in encounters)

        ours, bare = compare(fold, select, seconds)
        _, binary = compare(fold, select_binary, seconds / 2)
        per_fight = select() // _ENCOUNTERS
    yield Result(f"fold fights of {per_fight} events", "events", ours, bare, AIM)
    yield Result("  the same against a SELECT in binary of what is needed only", "events", ours, binary, 0)


def _long_fight(referee: Referee) -> str:
    name = open_duel(referee)
    for _ in range(_STRIKES):
        referee.declare(name, STRIKE)
    return name
