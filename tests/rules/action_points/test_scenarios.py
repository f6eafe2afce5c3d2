"""Scenario files, with every number computed by hand, come out as they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from projections.battle import fold
from rules.scenario import play_in_memory, read_scenario

FILES = sorted((Path(__file__).parents[2] / "scenarios" / "action_points").glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_scenario_comes_out_as_it_says(path: Path) -> None:
    scenario = read_scenario(path)
    fight, played = play_in_memory(scenario)
    assert [difference for step in played for difference in step.differences] == []
    assert len(played) == len(scenario.script)
    assert fold(fight.events).combatants == fight.battle.combatants
