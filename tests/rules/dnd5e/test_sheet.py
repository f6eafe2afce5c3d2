"""From draft to character: what a sheet brings, and what it is refused for."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.testing import Drill
from rules.engine.refusal import Refusal
from rules.engine.ruleset import Enlistment, find

RULES = find("dnd5e")
MIGHTY_MACE = {"name": "mace", "damage": "2d6", "damage_type": "bludgeoning"}


def recruit(sheet: str = "fighter", **overrides: Any) -> Any:
    return RULES.recruit(Enlistment(sheet=RULES.sheet(sheet), overrides=overrides))


@pytest.mark.parametrize("name", sorted(RULES.sheets()))
def test_every_shipped_sheet_can_join(name: str) -> None:
    recruited = recruit(name)
    assert recruited.vitals["hp"].current == RULES.sheet(name)["hp"]


def test_the_content_that_was_promised_is_there() -> None:
    characters = {"dual_wielder", "paladin", "rogue", "monk", "barbarian", "wizard", "cleric"}
    creatures = {"goblin", "hobgoblin", "orc", "wolf", "skeleton", "zombie", "ogre", "bandit_captain"}
    assert characters | creatures <= set(RULES.sheets())


def test_features_and_slots_bring_their_pools() -> None:
    pools = {name: gauge.current for name, gauge in recruit("bard").resources.items()}
    assert pools == {
        "action": 0,
        "bonus_action": 0,
        "reaction": 1,
        "attacks": 0,
        "movement": 0,
        "bardic_inspiration": 3,
        "luck": 3,
        "slot_1": 4,
        "slot_2": 2,
    }


@pytest.mark.parametrize(
    ("overrides", "code", "words"),
    [
        ({"weapons": ["mace", MIGHTY_MACE]}, "sheet/invalid", "weapon 'mace' appears twice"),
        ({"features": ["rage", "rage"]}, "sheet/invalid", "feature 'rage' appears twice"),
        ({"weapons": ["spoon"]}, "sheet/invalid", "there is no weapon 'spoon'"),
        ({"features": ["flying"]}, "sheet/unknown-feature", "The sheet has an unknown feature 'flying'"),
        ({"spells": ["wish"], "spellcasting": "int"}, "sheet/unknown-spell", "The sheet has an unknown spell 'wish'"),
        ({"spells": ["bless"]}, "sheet/invalid", "spells need a spellcasting ability"),
        (
            {"condition_immunities": ["sad"]},
            "sheet/unknown-condition",
            "immune to an unknown condition 'sad'",
        ),
        ({"off_hand": "longsword"}, "sheet/invalid", "has to be one of the sheet's light weapons"),
        ({"resistances": ["wet"]}, "sheet/invalid", "The sheet's resistances.0 is not right"),
        ({"slots": {10: 1}}, "sheet/invalid", "slots"),
        ({"size": "medium-rare"}, "sheet/invalid", "The sheet's size is not right"),
        (
            {"weapons": [{"name": "stick", "damage": "lots", "damage_type": "slashing"}]},
            "sheet/invalid",
            "not dice notation",
        ),
        ({"multiattack": [{"bite": 1}]}, "sheet/invalid", "multiattack names 'bite'"),
        ({"multiattack": []}, "sheet/invalid", "multiattack needs a number"),
        ({"legendary": ["longsword"]}, "sheet/invalid", "legendary needs legendary_actions"),
        ({"innate": [{"spell": "shield"}]}, "sheet/invalid", "innate spells need an ability"),
        ({"colour": "red"}, "sheet/invalid", "The sheet's colour is not right"),
    ],
    ids=lambda value: "" if isinstance(value, dict) else value,
)
def test_a_wrong_sheet_is_refused_with_what_is_wrong(overrides: dict[str, Any], code: str, words: str) -> None:
    with pytest.raises(Refusal) as refused:
        recruit(**overrides)
    assert refused.value.code == code
    assert words in refused.value.sentence


def test_a_shield_leaves_no_hand_free_for_a_second_weapon() -> None:
    with pytest.raises(Refusal, match="no hand free"):
        recruit("dual_wielder", shield=True)


def test_every_character_has_the_standard_abilities() -> None:
    drill = Drill()
    drill.join("wizard", "Mila", (1, 1))
    (combat, *_) = RULES.menu(drill.fight.battle, drill.fight.battle.combatants["mila"])
    assert sorted(choice.name for choice in combat.choices) == [
        "attack",
        "dash",
        "disengage",
        "dodge",
        "escape",
        "help",
        "hide",
        "ready",
        "stabilize",
    ]
