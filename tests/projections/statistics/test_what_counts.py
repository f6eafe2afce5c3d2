"""Which fights count: forks, practice and archived ones only if they are named or asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from combatlog.rules.content.scenario import play_in_memory, read_scenario
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.resolution.referee import Referee
from ledger.store.ledger import LedgerStore, encounter_id
from projections.statistics.answers import statistics
from projections.statistics.question import Report
from projections.statistics.scope import StatisticScope
from projections.statistics.statistic_names import By, Statistic
from tests.projections.readmodels.support import renamed

BRIDGE = Path(__file__).parent / "bridge.yaml"


@pytest.fixture
def four(ledger: LedgerStore) -> LedgerStore:
    """The bridge, where Rurik attacks twice and Osric once; the same as practice and archived; and a fork of the first
    in which Osric strikes once more."""
    fight = play_in_memory(read_scenario(BRIDGE))[0]
    referee = Referee(ledger)
    for name, label in (("bridge", None), ("drill", "practice"), ("old", "archived")):
        ledger.append(renamed(fight.events, name))
        if label is not None:
            referee.declare(name, Declaration(actor="gm", action="core:time:label", options={"add": [label]}))
    referee.fork("bridge", None, "what if", by="gm")
    referee.declare("what if", Declaration(actor="osric", action="attack"))
    referee.declare("what if", Declaration(actor="osric", action="strike", targets=("rurik",)), dice=[18, 1])
    return ledger


def hits(ledger: LedgerStore, **scope: Any) -> Report:
    return statistics(ledger, Statistic.HITS, StatisticScope(**scope), By.ACTOR)[0]


def attacks(ledger: LedgerStore, **scope: Any) -> dict[str, int]:
    return {row.actor: row.attacks for row in hits(ledger, **scope).rows}


def test_what_does_not_count_is_left_out_and_said_to_be(four: LedgerStore) -> None:
    report = hits(four)
    assert {row.actor: row.attacks for row in report.rows} == {"osric": 1, "rurik": 2, "snig": 2}
    assert report.left_out == {"forks": 1, "practice": 1, "archived": 1}
    assert report.notes == ["1 fork, 1 practice fight and 1 archived fight are left out."]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "expected", "notes"),
    [
        ({"with_forks": True}, 2, ["1 practice fight and 1 archived fight are left out."]),
        ({"with_practice": True}, 2, ["1 fork and 1 archived fight are left out."]),
        ({"with_archived": True, "with_forks": True}, 3, ["1 practice fight is left out."]),
        ({"with_archived": True, "with_forks": True, "with_practice": True}, 4, []),
        ({"encounters": (encounter_id("drill"),)}, 1, []),
        ({"encounters": (encounter_id("what if"),)}, 1, []),
        ({"encounters": (encounter_id("old"), encounter_id("bridge"))}, 2, []),
    ],
)
def test_what_is_asked_for_or_named_counts(
    four: LedgerStore, asked: dict[str, Any], expected: int, notes: list[str]
) -> None:
    assert attacks(four, **asked)["osric"] == expected
    assert hits(four, **asked).notes == notes


def test_only_what_would_be_in_the_scope_is_said_to_be_left_out(four: LedgerStore) -> None:
    Referee(four).fork("old", None, "what if not", by="gm")
    assert hits(four, campaign="riverlands").notes == ["2 forks, 1 practice fight and 1 archived fight are left out."]
    assert hits(four, since=None, until=None, campaign="riverlands").left_out["forks"] == 2


def test_every_statistic_leaves_out_the_same(four: LedgerStore) -> None:
    for statistic in (one for one in Statistic if one is not Statistic.COMPARE):
        report = statistics(four, statistic, StatisticScope(), By.ACTOR)[-1]
        assert report.left_out == {"forks": 1, "practice": 1, "archived": 1}, statistic


def test_a_label_that_is_taken_off_makes_it_count_again(four: LedgerStore) -> None:
    off = Declaration(actor="gm", action="core:time:label", options={"remove": ["archived"]})
    Referee(four).declare("old", off)
    assert attacks(four) == {"osric": 2, "rurik": 4, "snig": 4}
