"""Every statistic, by everything it can be told apart by, is the same from a lake as from PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import combatlog
from combatlog.rules.content.scenario import play_in_memory, read_scenario
from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from projections.statistics.statistic_names import By, Statistic
from tests.projections.readmodels.support import History, renamed

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").glob("**/*.yaml"))
WHERES: list[dict[str, Any]] = [{}, {"with_undone": True, "forks": True, "practice": True, "archived": True}]


@pytest.fixture
def fought(ledger: LedgerStore, where: str) -> Iterator[tuple[combatlog.Ledger, combatlog.Lake]]:
    """The same fights in a ledger and in a lake."""
    fight_everywhere(ledger)
    public = combatlog.Ledger(ledger)
    public.write_lake(where)
    with combatlog.open_lake(where) as lake:
        yield public, lake


def fight_everywhere(ledger: LedgerStore) -> None:
    """Fights of every ruleset, and two that were corrected and forked."""
    for number, path in enumerate(SCENARIOS):
        fight, _ = play_in_memory(read_scenario(path))
        ledger.append(renamed(fight.events, f"{path.stem} {number}"))
    for name in ("one", "two"):
        history = History(ledger, name, Random(name))
        for _ in range(6):
            history.grow()


@pytest.mark.slow
def test_every_statistic_is_the_same_as_in_postgresql(fought: tuple[combatlog.Ledger, combatlog.Lake]) -> None:
    ledger, lake = fought
    assert {row[0] for row in lake.sql("SELECT DISTINCT ruleset FROM encounters").rows} >= {
        *("dnd5e", "action_points", "skirmish")
    }
    asked = 0
    for statistic in Statistic:
        for by in By:
            for where in WHERES:
                given = {**where, "fights": ["one", "two"]} if statistic is Statistic.COMPARE else where
                found = answer(ledger, statistic, by, given)
                assert answer(lake, statistic, by, given) == found, (statistic, by, where)
                asked += found != "stats/by"
    assert asked > 80


def answer(source: combatlog.Ledger | combatlog.Lake, statistic: str, by: str, where: Any) -> object:
    try:
        reports = source.statistics(statistic, by, **where)
    except Problem as problem:
        return problem.code
    return [(report.title, report.columns, list(map(typed, report.rows)), report.notes) for report in reports]


def typed(row: Any) -> list[tuple[str, Any]]:
    """1 and 1.0 are not printed alike."""
    return [(type(value).__name__, value) for value in row]


@pytest.mark.parametrize("where", [{"fights": ["nowhere"]}, {"campaign": "nowhere"}])
def test_what_is_refused_is_the_same(ledger: LedgerStore, tmp_path: Path, where: dict[str, Any]) -> None:
    public = combatlog.Ledger(ledger)
    public.write_lake(tmp_path / "lake")
    with combatlog.open_lake(tmp_path / "lake") as lake:
        refused = answer(lake, "hits", "actor", where)
        assert refused == answer(public, "hits", "actor", where)
        assert refused in ("ledger/unknown-encounter", "stats/unknown-campaign")
