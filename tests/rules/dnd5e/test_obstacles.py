"""Why a reaction or feature did not come, told afterwards."""

from __future__ import annotations

import pytest

from combatlog.rules.engine.menu import why_not
from combatlog.testing import Drill
from ledger.errors import Problem


def struck(shield: bool = True, **more: object) -> Drill:
    """Snig strikes at Rurik, Osric the paladin beside him."""
    drill = Drill()
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.join("fighter", "Rurik", (1, 1), overrides={"features": ["second_wind"]})
    drill.join("paladin", "Osric", (1, 2), overrides={"shield": shield, **more})
    drill.start(dice=[20, 10, 5])
    drill.do("snig", "attack")
    return drill


def told(drill: Drill, name: str) -> list[str]:
    drill.do("snig", "strike", target="rurik", dice=(2,))
    return why_not(drill.fight.events, len(drill.fight.events), name)


def test_the_obstacle_is_the_one_that_kept_it_from_being_offered() -> None:
    assert told(struck(shield=False), "protection") == ["Osric was not offered protection: Osric has no shield."]


def test_a_spent_reaction_says_when_it_was_spent() -> None:
    drill = struck()
    drill.do("gm", "rule", target="osric", options={"set": {"reaction": 0}, "reason": "spent"})
    seq = len(drill.fight.events)
    assert told(drill, "Protection") == [f"Osric's reaction was spent at event {seq}."]


def test_who_could_not_act_did_not_react() -> None:
    drill = struck()
    drill.do("gm", "rule", target="osric", options={"add": ["stunned"], "reason": "a blow"})
    assert told(drill, "protection") == ["Osric could not act."]


def test_a_reaction_that_was_not_triggered() -> None:
    drill = struck(features=["uncanny_dodge"])
    assert told(drill, "uncanny dodge") == [
        "Osric was not offered uncanny dodge: it was not triggered, or would have made no difference."
    ]


def test_a_feature_that_has_nothing_to_say_and_a_condition_nobody_has() -> None:
    drill = struck(features=[])
    assert told(drill, "second wind") == ["Rurik has second wind, but it contributed nothing to this declaration."]
    assert why_not(drill.fight.events, len(drill.fight.events), "prone") == ["Nobody was prone at that moment."]


def test_what_nobody_has_is_refused() -> None:
    with pytest.raises(Problem) as refused:
        told(struck(shield=False), "wish")
    assert refused.value.code == "explain/unknown"
