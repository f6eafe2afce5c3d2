"""An event that commits late, below numbers that are in the lake already, is not passed over."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from ledger.store.ledger import LedgerStore
from projections.lake.writing import write_lake
from tests.ledger.test_following import append
from tests.projections.lake.test_writing import require_same

LATE, QUICK = 3, 20
"""Events of the fight that commits late, and fights that commit in between: enough for every node of a cluster."""


@pytest.mark.parametrize("server", ["embedded", "citus"], indirect=True)
def test_an_event_that_commits_late_comes_with_the_next_run(ledger: LedgerStore, database: str, tmp_path: Path) -> None:
    with psycopg.connect(database) as slow, psycopg.connect(database, autocommit=True) as quick:
        append(slow, events=LATE)
        for _ in range(QUICK):
            append(quick)
        before = write_lake(ledger, tmp_path)
        slow.commit()
    after = write_lake(ledger, tmp_path)
    assert before.events + after.events == LATE + QUICK
    assert after.events >= LATE
    require_same(ledger, tmp_path)
