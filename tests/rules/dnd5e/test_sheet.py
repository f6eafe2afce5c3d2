"""From draft to character: what a sheet brings, and what it is refused for."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.dnd5e.enums import Size
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import Enlistment, find
from combatlog.testing import Drill
from tests.cases import each

RULES = find("dnd5e")
MIGHTY_MACE = {"name": "mace", "damage": "2d6", "damage_type": "bludgeoning"}
FORTUNE = {"name": "coin", "damage": "1d{heads,tails}", "damage_type": "bludgeoning"}


def recruit(sheet: str = "fighter", **overrides: Any) -> Any:
    return RULES.recruit(Enlistment(sheet=RULES.sheet(sheet), overrides=overrides))


@each("name", sorted(RULES.sheets()))
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


@each(
    ("overrides", "code", "words"),
    [
        ({"weapons": ["mace", MIGHTY_MACE]}, "sheet/invalid", "weapon 'mace' appears twice"),
        ({"features": ["rage", "rage"]}, "sheet/invalid", "feature 'rage' appears twice"),
        ({"weapons": ["spoon"]}, "sheet/invalid", "there is no weapon 'spoon'"),
        ({"weapons": [FORTUNE]}, "sheet/invalid", "damage has to be a number, but '1d{heads,tails}' shows symbols"),
        ({"weapons": [{**MIGHTY_MACE, "damage": "4dF+"}]}, "sheet/invalid", "damage cannot explode, as '4dF+' does"),
        ({"features": ["flying"]}, "sheet/unknown-feature", "The sheet has an unknown feature 'flying'"),
        ({"spells": ["wish"], "spellcasting": "int"}, "sheet/unknown-spell", "The sheet has an unknown spell 'wish'"),
        ({"spells": ["bless"]}, "sheet/invalid", "spells need a spellcasting ability"),
        (
            {"condition_immunities": ["sad"]},
            "sheet/unknown-condition",
            "immune to an unknown condition 'sad'",
        ),
        ({"off_hand": "longsword"}, "sheet/invalid", "has to be one of the sheet's light weapons"),
        ({"resistances": ["wet"]}, "sheet/invalid", "The sheet's resistances.0 is not valid"),
        ({"slots": {10: 1}}, "sheet/invalid", "slots"),
        ({"speeds": {"fly": 32}}, "sheet/invalid", "The sheet's speeds.fly is not valid"),
        ({"speeds": {"run": 60}}, "sheet/invalid", "The sheet's speeds.run is not valid"),
        ({"speed": 30, "speeds": {"walk": 40}}, "sheet/invalid", "its speed is 30, but speeds.walk is 40"),
        ({"senses": {"darkvision": -5}}, "sheet/invalid", "The sheet's senses.darkvision is not valid"),
        ({"size": "medium-rare"}, "sheet/invalid", "The sheet's size is not valid"),
        (
            {"weapons": [{"name": "stick", "damage": "lots", "damage_type": "slashing"}]},
            "sheet/invalid",
            "not dice notation",
        ),
        ({"multiattack": [{"bite": 1}]}, "sheet/invalid", "multiattack names 'bite'"),
        ({"multiattack": []}, "sheet/invalid", "multiattack needs a number"),
        ({"legendary": ["longsword"]}, "sheet/invalid", "legendary needs legendary_actions"),
        ({"innate": [{"spell": "shield"}]}, "sheet/invalid", "innate spells need an ability"),
        ({"colour": "red"}, "sheet/invalid", "The sheet's colour is not valid"),
        ({"armor": "tweed"}, "sheet/invalid", "there is no armour 'tweed'"),
        ({"armor": {"name": "rags", "category": "light", "ac": 40}}, "sheet/invalid", "suit.ac"),
        ({"armor_proficiencies": ["hats"]}, "sheet/invalid", "armor_proficiencies.0"),
        ({"weapons": [{"name": "longsword", "versatile": "big"}]}, "sheet/invalid", "not dice notation"),
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
        "put_out",
        "ready",
        "search",
        "stabilize",
        "wake",
    ]


CLASSES = ("barbarian", "bard", "cleric", "fighter", "monk", "paladin", "rogue", "warlock", "wizard")
HIT_DICE = {"barbarian": 12, "fighter": 10, "paladin": 10, "wizard": 6}


@each("level", [1, 3, 5])
@each("name", CLASSES)
def test_every_class_comes_in_levels_1_3_and_5(name: str, level: int) -> None:
    """Hit points are those of the SRD: the whole hit die at level 1, half of it and 1 for each further level."""
    sheet = RULES.sheet(f"{name}_{level}")
    die, con = HIT_DICE.get(name, 8), (sheet["abilities"]["con"] - 10) // 2
    assert (sheet["level"], sheet.get("hit_die", 8)) == (level, die)
    assert sheet["hp"] == die + con + (level - 1) * (die // 2 + 1 + con)
    assert set(sheet.get("features", ())) >= set(RULES.sheet(f"{name}_1").get("features", ()))


# Armour class, worked out from armour, dexterity, shield and Unarmored Defense.
@pytest.mark.parametrize(
    ("name", "armor_class"),
    [("fighter_1", 16), ("paladin_1", 18), ("barbarian_1", 15), ("monk_1", 15), ("monk_5", 16), ("rogue_5", 15)],
)
def test_the_armour_class_of_heroes(name: str, armor_class: int) -> None:
    assert recruit(name).sheet["ac"] == armor_class


SCORES = {"str": 16, "dex": 16, "con": 14, "int": 10, "wis": 14, "cha": 8}
UNDRESSED = {name: value for name, value in RULES.sheet("fighter").items() if name not in ("ac", "armor")}


@each(
    ("worn", "armor_class"),
    [
        ({}, 13),  # 10 + 3
        ({"unarmored_defense": "con"}, 15),  # 10 + 3 + 2
        ({"unarmored_defense": "con", "shield": True}, 17),  # a barbarian's goes with a shield
        ({"unarmored_defense": "wis", "abilities": {**SCORES, "wis": 16}}, 16),  # 10 + 3 + 3
        ({"unarmored_defense": "wis", "abilities": {**SCORES, "wis": 16}, "shield": True}, 15),  # a monk's does not
        ({"armor": "none", "shield": True}, 15),
        ({"armor": "studded leather"}, 15),  # 12 + 3
        ({"armor": "half plate"}, 17),  # 15 + 2, not 3
        ({"armor": "chain mail", "shield": True}, 18),  # 16 + 2
        ({"armor": {"name": "elven plate", "category": "heavy", "ac": 18, "bonus": 1}}, 19),
        ({"armor": "plate", "abilities": {**SCORES, "dex": 6}}, 18),  # no penalty in heavy armour
        ({"armor": "scale mail", "abilities": {**SCORES, "dex": 6}}, 12),  # 14 - 2
        ({"armor": "plate", "ac": 12}, 12),  # a number that is given counts
    ],
    ids=str,
)
def test_armour_class_follows_from_what_is_worn(worn: dict[str, Any], armor_class: int) -> None:
    recruited = RULES.recruit(Enlistment(sheet={**UNDRESSED, "abilities": SCORES, **worn}, overrides={}))
    assert recruited.sheet["ac"] == armor_class


def test_a_category_of_armour_alone_gives_no_armour_class() -> None:
    with pytest.raises(Refusal, match="ac"):
        RULES.recruit(Enlistment(sheet={**UNDRESSED, "armor": "heavy"}, overrides={}))


def test_a_weapon_by_name_can_say_what_is_special_about_it() -> None:
    (javelin,) = recruit(weapons=[{"name": "javelin", "quantity": 4}]).sheet["weapons"]
    assert (javelin["damage"], javelin["quantity"]) == ("1d6", 4)


def test_speeds_and_senses_are_recorded_only_where_the_sheet_has_them() -> None:
    assert "speeds" not in recruit().sheet
    assert "senses" not in recruit().sheet
    drake = recruit(speeds={"fly": 60, "hover": True}, senses={"darkvision": 60})
    assert drake.sheet["speeds"] == {"fly": 60, "hover": True}
    assert drake.sheet["senses"] == {"darkvision": 60}


def test_a_walking_speed_may_be_written_among_the_speeds() -> None:
    sheet = {key: value for key, value in RULES.sheet("fighter").items() if key != "speed"}
    recruited = RULES.recruit(Enlistment(sheet=sheet, overrides={"speeds": {"walk": 40, "swim": 20}}))
    assert (recruited.sheet["speed"], recruited.sheet["speeds"]) == (40, {"swim": 20})


@pytest.mark.parametrize(
    ("size", "squares"), [("tiny", 1), ("small", 1), ("medium", 1), ("large", 2), ("huge", 3), ("gargantuan", 4)]
)
def test_a_size_has_its_space(size: str, squares: int) -> None:
    assert Size(size).squares == squares
