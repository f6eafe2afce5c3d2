"""The scenario files of the ruleset: each step leads to exactly what the file expects."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.scenario import play_in_memory, read_scenario

FOLDER = Path(__file__).parents[2] / "scenarios" / "dnd5e"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_scenario_goes_as_written(path: Path) -> None:
    scenario = read_scenario(path)
    _, played = play_in_memory(scenario)
    differences = {step.number: step.differences for step in played if step.differences}
    assert differences == {}
    assert len(played) == len(scenario.script)
