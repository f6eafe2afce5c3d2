"""Fights of every ruleset become facts, and every statistic has an answer for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from combatlog.rules.content.scenario import play_in_memory, read_scenario
from ledger.store.ledger import LedgerStore
from projections.readmodels.rebuild import rebuild
from projections.readmodels.session import catch_up
from projections.statistics.answers import statistics
from projections.statistics.scope import StatisticScope
from projections.statistics.statistic_names import By, Statistic
from tests.projections.readmodels.support import dump, renamed

pytestmark = pytest.mark.slow

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").glob("**/*.yaml"))


@pytest.fixture
def recorded(ledger: LedgerStore) -> LedgerStore:
    for number, path in enumerate(SCENARIOS):
        fight, _ = play_in_memory(read_scenario(path))
        ledger.append(renamed(fight.events, f"{path.stem} {number}"))
    catch_up(ledger)
    return ledger


def test_every_ruleset_is_among_them_and_kept_equals_rebuilt(recorded: LedgerStore, database: str) -> None:
    kept = dump(database)
    assert {row[2] for row in kept["encounters"]} == {"dnd5e", "action_points", "skirmish"}
    assert [name for name in ("attacks", "damage", "saves", "checks", "reactions", "healing") if not kept[name]] == []
    rebuild(database)
    assert dump(database) == kept


def test_every_statistic_has_an_answer(recorded: LedgerStore) -> None:
    for statistic in (one for one in Statistic if one is not Statistic.COMPARE):
        report = statistics(recorded, statistic, StatisticScope(with_forks=True), By.ACTOR)[0]
        assert report.rows or statistic is Statistic.CORRECTIONS, statistic
        assert all(len(row) == len(report.columns) for row in report.rows)
