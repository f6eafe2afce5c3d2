"""Scenario files: what a step can say, and what it can expect."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.content.scenario import Scenario, play_in_memory
from ledger.errors import Problem
from ledger.events import Declared, ReactionChosen

START: dict[str, Any] = {"do": "start", "dice": [11, 4]}
STRIKES_TOO_EARLY: dict[str, Any] = {"do": "strike", "actor": "rurik", "target": "snig"}
REFUSAL = "economy/no-attacks-left"


def scenario(*script: dict[str, Any], **more: Any) -> Scenario:
    """A fighter next to a goblin; the fighter goes first."""
    combatants = [
        {"sheet": "fighter", "as": "Rurik", "at": [1, 1]},
        {"sheet": "goblin", "as": "Snig", "side": "foes", "at": [2, 1]},
    ]
    return Scenario.model_validate(
        {"encounter": "Small", "dice": "table", "combatants": combatants, "script": script, **more}
    )


def differences(*script: dict[str, Any]) -> list[str]:
    return [found for step in play_in_memory(scenario(*script))[1] for found in step.differences]


def test_a_step_says_by_whom_it_is_declared() -> None:
    fight, _ = play_in_memory(scenario({**START, "by": "nina"}))
    (start,) = (event for event in fight.events if isinstance(event, Declared) and event.action == "core:time:start")
    assert (start.actor, start.by) == ("gm", "nina")


def test_an_answer_says_by_whom_it_is_given() -> None:
    script = [
        {"do": "start"},
        {"do": "attack", "actor": "ana", "target": "bor"},
        {"react": "passive", "actor": "bor", "by": "tom", "dice": [-1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0]},
    ]
    bor = {"sheet": "brigand", "as": "Bor", "side": "foes", "controller": "player"}
    combatants = [{"sheet": "duelist", "as": "Ana"}, bor]
    fight, played = play_in_memory(scenario(*script, ruleset="action_points", combatants=combatants))
    assert [step.differences for step in played] == [[], [], []]
    assert [event.by for event in fight.events if isinstance(event, ReactionChosen)] == ["tom"]


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ({"expect": {"rurik.attacks": 0}}, None),
        ({"expect": {"rurik.attacks": 1}}, "rurik.attacks: expected 1, found 0"),
        ({"events": [{"kind": "declared"}]}, 'expected the event {"kind": "declared"}, but no declared among them'),
        ({"no_events": [{"kind": "declared"}]}, None),
    ],
)
def test_a_refused_step_is_compared_like_any_other(expected: dict[str, Any], found: str | None) -> None:
    step = {**STRIKES_TOO_EARLY, "refused": REFUSAL, **expected}
    assert differences(START, step) == ([found] if found else [])


@pytest.mark.parametrize(
    ("unwanted", "found"),
    [
        ({"kind": "damaged"}, False),
        ({"kind": "turn_started"}, True),
        ({"kind": "turn_started", "combatant": "rurik"}, True),
        ({"kind": "turn_started", "combatant": "snig"}, False),
    ],
)
def test_a_step_can_say_that_an_event_must_not_occur(unwanted: dict[str, Any], found: bool) -> None:
    assert bool(differences({**START, "no_events": [unwanted]})) == found


def test_a_wrong_sheet_is_named_with_its_owner() -> None:
    combatants = [{"sheet": "fighter"}, {"sheet": "goblin", "as": "Snig", "overrides": {"hp": "many"}}]
    with pytest.raises(Problem) as refused:
        play_in_memory(scenario(combatants=combatants))
    assert refused.value.code == "sheet/invalid"
    assert refused.value.sentence.startswith("Combatant 2 (Snig): ")
    assert refused.value.facts["combatant"] == 2


def test_a_sheet_without_a_name_is_named_by_its_place_in_the_file() -> None:
    with pytest.raises(Problem) as refused:
        play_in_memory(scenario(combatants=[{"sheet": {"hp": 3}}]))
    assert refused.value.sentence.startswith("Combatant 1: ")
