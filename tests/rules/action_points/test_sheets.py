"""Sheets: data that is validated, and what follows from it."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.testing import Drill
from rules.action_points import RULESET
from rules.action_points.sheet import read_sheet
from rules.engine import ruleset as rulesets
from rules.engine.refusal import Refusal

SHIPPED = {  # maximum AP, FAT and VIT, computed from each sheet by hand
    "archer": (3, 14, 11),
    "brigand": (2, 14, 19),
    "duelist": (4, 16, 13),
    "guard": (3, 16, 17),
    "hedge_mage": (3, 15, 9),
    "novice": (1, 13, 13),
}
PLAIN = {
    "name": "Plain",
    "attributes": {"str": 10, "dex": 10, "end": 10, "int": 10, "per": 10, "wil": 10},
    "skills": {"swords": 3},
}


def test_the_ruleset_is_installed() -> None:
    assert rulesets.find("action_points") is RULESET


def test_the_shipped_sheets() -> None:
    sheets = {name: read_sheet(data) for name, data in RULESET.sheets().items()}
    gauges = {
        name: (sheet.resources()["ap"], sheet.vitals()["fat"], sheet.vitals()["vit"]) for name, sheet in sheets.items()
    }
    assert {name: tuple(gauge.maximum for gauge in three) for name, three in gauges.items()} == SHIPPED
    assert all(gauge.current == gauge.maximum for three in gauges.values() for gauge in three)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"attributes": {"str": 10}}, "missing"),
        ({"attributes": {**PLAIN["attributes"], "str": 2}}, "greater than or equal to 3"),
        ({"skills": {"juggling": 3}}, "give its attribute and level"),
        ({"skills": {"swords": -1}}, "greater than or equal to 0"),
        ({"weapons": ["halberd"]}, "no weapon 'halberd'"),
        ({"weapons": ["dagger", "dagger"]}, "twice"),
        ({"spells": ["fireball"]}, "no spell 'fireball'"),
        ({"items": {"lamp": 1}}, "no item 'lamp'"),
        ({"items": {"antidote": 0}}, "greater than or equal to 1"),
        ({"level": 3}, "not permitted"),
    ],
)
def test_a_sheet_that_is_not_right_is_refused_with_what_is_wrong(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_sheet({**PLAIN, **change})
    assert refused.value.code == "sheet/invalid"
    assert problem in refused.value.sentence


def test_a_sheet_may_describe_its_own_skills_and_weapons() -> None:
    sheet = read_sheet(
        {
            **PLAIN,
            "skills": {"juggling": {"attribute": "dex", "level": 6}},
            "weapons": [{"name": "whip", "skill": "juggling", "reach": 4, "bonus": 1}],
        }
    )
    assert (sheet.ability("juggling"), sheet.weapons[0].farthest) == (11, 4)


def test_an_untrained_skill_has_level_0() -> None:
    assert read_sheet(PLAIN).ability("dodge") == 5


def test_what_is_recorded_of_a_sheet_stands_on_its_own() -> None:
    drill = Drill(ruleset="action_points")
    drill.join("guard", "Gil", overrides={"shield": False})
    recorded = drill.fight.battle.combatants["gil"].sheet
    assert recorded["weapons"] == [{"name": "spear", "skill": "spears", "reach": 3}]
    assert recorded["skills"]["focus"] == {"attribute": "wil", "level": 4}
    assert read_sheet(recorded) == read_sheet({**RULESET.sheet("guard"), "shield": False})


def test_rulings_know_the_conditions() -> None:
    with pytest.raises(Refusal) as refused:
        RULESET.condition_ref("raging")
    assert refused.value.code == "rule/unknown-condition"
