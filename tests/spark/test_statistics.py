"""Every statistic, by everything it can be told apart by, is the same on a cluster as on one machine."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

import combatlog
from ledger.store.ledger import LedgerStore
from projections.lake.spark import SparkTables
from projections.statistics.statistic_names import By, Statistic
from tests.projections.lake.test_statistics import WHERES, answer, fight_everywhere

pytestmark = pytest.mark.usefixtures("master")


@pytest.fixture
def lakes(ledger: LedgerStore, where: str, master: str) -> Iterator[tuple[combatlog.Lake, combatlog.Lake]]:
    """The same lake on one machine and on the cluster."""
    fight_everywhere(ledger)
    combatlog.Ledger(ledger).write_lake(where)
    combatlog.compact_lake(where)
    with combatlog.open_lake(where) as alone, combatlog.open_lake(where, spark=master) as cluster:
        yield alone, cluster


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How the cluster goes about each question that it is asked."""
    ask, found = SparkTables.ask, []

    def asked(tables: SparkTables, *query: Any) -> Any:
        frame = ask(tables, *query)
        found.append(frame._jdf.queryExecution().executedPlan().toString())
        return frame

    monkeypatch.setattr(SparkTables, "ask", asked)
    return found


def test_every_statistic_is_the_same(lakes: tuple[combatlog.Lake, combatlog.Lake], plans: list[str]) -> None:
    """And rows are put together by what is equal, so that no worker needs all rows of a table in its memory."""
    alone, cluster = lakes
    asked = 0
    for statistic in Statistic:
        for by in By:
            for where in WHERES if by is By.ACTOR else WHERES[:1]:
                given: Any = {**where, "fights": ["one", "two"]} if statistic is Statistic.COMPARE else where
                expected = answer(alone, statistic, by, given)
                assert answer(cluster, statistic, by, given) == expected, (statistic, by, where)
                asked += expected != "stats/by"
    assert asked > 50
    for where in (
        {"fights": ["one", "two"]},
        {"since": date(2020, 1, 1), "until": date(2099, 1, 1)},
        {"until": date(2020, 1, 1)},
        {"campaign": "nowhere"},
        {"fights": ["nowhere"]},
    ):
        assert answer(cluster, "hits", "actor", where) == answer(alone, "hits", "actor", where), where
    assert len(plans) > 50
    assert [plan for plan in plans if "NestedLoop" in plan or "Cartesian" in plan] == []
