"""A rebuild may take as long as it takes: no transaction of it is ended for being idle while a fight is folded."""

from __future__ import annotations

from typing import Any

import pytest
from psycopg import Cursor

from combatlog.rules.engine.resolution.referee import Referee
from ledger.store.ledger import LedgerStore
from projections.readmodels.rebuild import rebuild
from projections.readmodels.recorder import ReadModels
from tests.attacks.bridge import begin

ASK = "SELECT current_setting('idle_in_transaction_session_timeout') AS limit"


def test_events_are_streamed_without_a_limit_on_idle_time(ledger: LedgerStore, referee: Referee) -> None:
    begin(referee)
    limits = set()
    with ledger.recorder.hold() as conn:
        for _ in ledger.recorder.stream_rows({0: 2**48 - 1}):
            limits |= {row["limit"] if isinstance(row, dict) else row[0] for row in conn.execute(ASK)}
    assert limits == {"0"}


def test_the_new_tables_are_filled_without_a_limit_on_idle_time(
    ledger: LedgerStore, referee: Referee, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(referee)
    limits: list[Any] = []
    make_tables = ReadModels.make_tables

    def asked(self: ReadModels, cursor: Cursor[Any]) -> None:
        cursor.execute(ASK)
        limits.append(cursor.fetchone())
        make_tables(self, cursor)

    monkeypatch.setattr(ReadModels, "make_tables", asked)
    assert rebuild(database).events > 0
    assert limits == [{"limit": "0"}]
