"""Whole skirmishes, played from their scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.scenario import play_in_memory, read_scenario

SCENARIOS = sorted(Path(__file__).parents[2].glob("scenarios/skirmish/*.yaml"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario_plays_as_written(path: Path) -> None:
    scenario = read_scenario(path)
    _, played = play_in_memory(scenario)
    assert [(step.number, step.differences) for step in played if step.differences] == []
    assert len(played) == len(scenario.script)


def test_there_are_scenarios() -> None:
    assert SCENARIOS
