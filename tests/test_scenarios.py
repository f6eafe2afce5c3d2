"""Every scenario file comes out as it says, in memory and in the ledger alike."""

from __future__ import annotations

from pathlib import Path

from combatlog.rules.content.scenario import play_in_memory, read_scenario
from combatlog.rules.verification.verify import check_declarations
from tests.cases import each

HERE = Path(__file__).parent
SCENARIOS = sorted([*HERE.glob("scenarios/**/*.yaml"), *HERE.parent.glob("cli/scenarios/*.yaml")])


@each("path", SCENARIOS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_scenario(path: Path) -> None:
    scenario = read_scenario(path)
    fight, played = play_in_memory(scenario)
    assert [step.differences for step in played] == [[] for _ in scenario.script]
    assert list(check_declarations(fight.events)) == []
