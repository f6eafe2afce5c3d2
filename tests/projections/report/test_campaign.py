"""Fights added up: who counts as the same character, and what is left out."""

from __future__ import annotations

from pathlib import Path

import combatlog
from combatlog import Ledger
from combatlog.rules.content.scenario import Scenario, play_in_memory, read_scenario
from projections.report.campaign_report import campaign_report
from projections.report.fight_report import report_of
from projections.report.models import FightReport, LuckVerdict
from projections.report.report_page import page_of

BRIDGE = Path(__file__).parents[1] / "statistics" / "bridge.yaml"


def played(name: str, rurik: str = "Rurik") -> tuple[FightReport, Scenario]:
    data = read_scenario(BRIDGE).model_dump(by_alias=True)
    data["encounter"] = name
    data["combatants"][0]["as"] = rurik
    scenario = Scenario.model_validate(data)
    fight, _ = play_in_memory(scenario)
    return report_of(fight.events, fight.ruleset), scenario


def test_the_same_name_is_the_same_character() -> None:
    """Twice the bridge, with 20 damage and 2 of 2 hits each. At 11/20, all of 4 miss 4.1 % of the time: 0 to 4."""
    first, _ = played("first")
    second, _ = played("second", "RURIK")
    both = campaign_report("riverlands", [first, second])
    rurik = next(row for row in both.shares if row.name == "Rurik")
    assert (rurik.dealt, rurik.taken, rurik.hits, rurik.attacks, rurik.pools) == (40, 12, 4, 4, {})
    assert [row.name for row in both.shares] == ["Rurik", "Osric", "Snig"]
    luck = next(row for row in both.luck if row.name == "Rurik")
    assert (luck.hits, luck.attacks, luck.expected, luck.low, luck.high) == (4, 4, 2.2, 0, 4)
    assert luck.verdict is LuckVerdict.CHANCE
    assert [(row.name, row.used, row.missed, row.hits_prevented) for row in both.reactions] == [("Osric", 2, 2, 2)]
    assert [(fall.fight, fall.name) for fall in both.falls] == [("first", "Snig"), ("second", "Snig")]
    assert [(turning.fight, turning.gained) for turning in both.turning_points[:3]] == [
        ("first", 0.3158),
        ("second", 0.3158),
        ("first", 0.1119),
    ]


def test_a_what_if_is_left_out_and_that_is_said(database: str) -> None:
    with combatlog.open(database) as ledger:
        _record(ledger, "first")
        _record(ledger, "second")
        ledger.fight("first").fork("what if")
        report = ledger.report("riverlands")
    assert [line.fight for line in report.fights] == ["first", "second"]
    assert (report.forks_left_out, report.others_left_out) == (1, 0)
    assert "1 what-if is left out." in page_of(report).lead


def _record(ledger: Ledger, name: str) -> None:
    fight, _ = play_in_memory(played(name)[1])
    ledger.store.append(fight.events)
