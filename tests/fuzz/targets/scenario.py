"""Scenario files: refused, or played without the ledger."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from combatlog.rules.content.files import read_yaml_text
from combatlog.rules.content.limits import check_data
from combatlog.rules.content.scenario import Scenario, play_in_memory
from ledger.errors import Problem

_SCENARIOS = Path(__file__).parents[2] / "scenarios"
SEEDS = tuple(path.read_bytes()[:4_000] for path in sorted(_SCENARIOS.glob("*/*.yaml")))
_MOST_PLAYED = 30
"""Commands of one script; a fuzzer learns nothing from longer ones."""


def target(data: bytes) -> None:
    try:
        read = read_yaml_text(data.decode("utf-8", "replace"), "file")
        check_data(read)
        scenario = Scenario.model_validate(read)
        if len(scenario.script) + len(scenario.combatants) <= _MOST_PLAYED:
            play_in_memory(scenario)
    except (Problem, ValidationError):
        return
