"""Sheets: data that is validated, and what follows from it."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.action_points import RULESET
from combatlog.rules.action_points.sheet import read_sheet
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import Enlistment
from combatlog.testing import Drill
from tests.cases import each

SHIPPED = {  # maximum AP, FAT and VIT, computed from each sheet by hand
    "archer": (3, 14, 11),
    "brigand": (2, 14, 19),
    "duelist": (4, 16, 13),
    "guard": (3, 16, 17),
    "hedge_mage": (3, 15, 9),
    "man_at_arms": (3, 17, 19),
    "novice": (1, 13, 13),
    "troll": (2, 19, 31),
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


@each(
    ("change", "facts"),
    [
        ({"attributes": {"str": 10}}, {"field": "content"}),
        ({"attributes": {**PLAIN["attributes"], "str": 2}}, {"field": "attributes.str", "found": "2"}),
        ({"skills": {"juggling": 3}}, {"field": "content"}),
        ({"skills": {"swords": -1}}, {"field": "skills.swords.level", "found": "-1"}),
        ({"weapons": ["halberd"]}, {"field": "content"}),
        ({"weapons": ["dagger", "dagger"]}, {"field": "content"}),
        ({"spells": ["fireball"]}, {"field": "content"}),
        ({"items": {"lamp": 1}}, {"field": "content"}),
        ({"items": {"antidote": 0}}, {"field": "items.antidote.known", "found": "0"}),
        ({"level": 3}, {"field": "level"}),
    ],
)
def test_a_sheet_that_is_wrong_is_refused(change: dict[str, Any], facts: dict[str, str]) -> None:
    with pytest.raises(Refusal) as refused:
        read_sheet({**PLAIN, **change})
    assert (refused.value.code, refused.value.facts) == ("sheet/invalid", facts)


PLATE = {"name": "plate", "absorption": 3, "durability": 9}


@pytest.mark.parametrize(
    ("change", "code", "what"),
    [
        ({"weapons": [{"name": "whip", "skill": "juggling"}]}, "sheet/unknown-skill", "whip"),
        ({"shield": {**PLATE, "skill": "juggling"}}, "sheet/unknown-skill", "plate"),
        ({"armour": [{**PLATE, "skill": "juggling"}]}, "sheet/unknown-skill", "plate"),
        ({"armour": [{**PLATE, "name": "ap"}]}, "sheet/reserved-name", "ap"),
        ({"items": {"vit": {"count": 1, "effects": []}}}, "sheet/reserved-name", "vit"),
    ],
)
def test_equipment_that_could_not_be_used_is_refused(change: dict[str, Any], code: str, what: str) -> None:
    assert read_sheet({**PLAIN, **change})  # as a recorded sheet, it can still be read
    with pytest.raises(Refusal) as refused:
        RULESET.recruit(Enlistment(sheet={**PLAIN, **change}))
    assert (refused.value.code, refused.value.facts["what"]) == (code, what)


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
    assert recorded["weapons"] == [{"name": "spear", "skill": "spears", "reach": 3, "damage_type": "piercing"}]
    assert recorded["skills"]["focus"] == {"attribute": "wil", "level": 4}
    assert read_sheet(recorded) == read_sheet({**RULESET.sheet("guard"), "shield": False})


def test_rulings_know_the_conditions() -> None:
    with pytest.raises(Refusal) as refused:
        RULESET.condition_ref("raging")
    assert refused.value.code == "rule/unknown-condition"
