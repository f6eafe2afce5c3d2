"""Characters of D&D Beyond and Avrae. The figures are worked out by hand from the samples' fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from combatlog.importers.statblocks.avrae_characters import AutomationScope, attack_text
from combatlog.importers.statblocks.stat_block import Progression, pact_slots, slots
from combatlog.importers.statblocks.stat_block_formats import open_source
from combatlog.rules.dnd5e.creatures.sheet import read_sheet
from combatlog.rules.dnd5e.importing.compendium import CompendiumSource
from combatlog.rules.dnd5e.importing.sheet_draft import MappingResult, SheetDraft
from combatlog.testing import Drill, all_of, only
from ledger.errors import Problem
from ledger.events import AttackResolved, Damaged, ManualResolutionNeeded

SAMPLES = Path(__file__).parent / "samples"
ORLA = SAMPLES / "dnd_beyond.json"
TARN = SAMPLES / "avrae.json"


def drafted(path: Path) -> SheetDraft:
    library = CompendiumSource(open_source(path))
    return library.draft(library.compendium.creatures()[0])


def orla() -> dict[str, Any]:
    """A halfling rogue of level 4, who learned some magic. Dexterity 15 + 2, Constitution 13; proficiency +2."""
    return drafted(ORLA).sheet


def tarn() -> dict[str, Any]:
    """A barbarian 5 and cleric 1. Strength +4, Dexterity +1, Constitution +2, Wisdom +1; proficiency +3."""
    return drafted(TARN).sheet


def entry(sheet: dict[str, Any], section: str, name: str) -> dict[str, Any]:
    return next(one for one in sheet[section] if isinstance(one, dict) and one["name"] == name)


# D&D Beyond


def test_figures_of_dnd_beyond() -> None:
    sheet = orla()
    assert sheet["abilities"] == {"str": 10, "dex": 17, "con": 13, "int": 12, "wis": 14, "cha": 8}
    assert (sheet["level"], sheet["proficiency"], sheet["size"]) == (4, 2, "small")
    assert sheet["hp"] == 33  # 21 + 4 times (+1 and a bonus of 2 for each level)
    assert (sheet["ac"], sheet["armor"]) == (16, "studded leather")  # 12 + 1 + 3; the cloak is not attuned
    assert (sheet["speed"], sheet["speeds"], sheet["senses"]) == (25, {"swim": 25}, {"darkvision": 60})
    assert sheet["resistances"] == ["poison"]


def test_training_of_dnd_beyond() -> None:
    sheet = orla()
    assert (sheet["saves"], sheet["skills"], sheet["expertise"]) == (["dex", "int"], ["acrobatics"], ["stealth"])
    assert sheet["save_bonuses"]["dex"] == 6  # 3 + 2, and 1 from a ring
    assert sheet["weapon_proficiencies"] == ["simple", "rapier", "hand crossbow"]
    assert read_sheet(sheet).skill_modifier(read_sheet(sheet).expertise[0]) == 7  # 3 + 2 * 2


def test_weapons_of_dnd_beyond() -> None:
    sheet = orla()
    rapier = entry(sheet, "weapons", "rapier, +1")
    assert (rapier["bonus"], rapier["damage"], rapier["properties"]) == (1, "1d8", ["finesse"])
    assert sheet["weapons"].count("dagger") == 2
    assert entry(sheet, "weapons", "crossbow, light")["range"] == [80, 320]
    assert entry(sheet, "weapons", "fog blade")["to_hit"] == 3  # not trained with shortswords


def test_what_a_magic_weapon_says_is_asked_and_not_guessed() -> None:
    asked = entry(orla(), "features", "fog_blade_question")
    assert asked["text"].endswith("When you hit a fiend, it becomes frightened until your next turn.")
    assert not any(isinstance(one, dict) and one["name"] == "fog_blade_hit" for one in orla()["features"])


def test_features_of_dnd_beyond() -> None:
    draft = drafted(ORLA)
    assert {"sneak_attack", "cunning_action", "potion_of_healing"} <= {
        one for one in draft.sheet["features"] if isinstance(one, str)
    }
    assert "uncanny_dodge" not in draft.sheet["features"]  # of level 5
    assert [one.name for one in draft.entries if one.fate is MappingResult.LEFT] == ["Reed Step"]
    breath = entry(draft.sheet, "actions", "marsh_breath")
    assert (breath["shape"], breath["size"], breath["dc"], breath["damage"]) == ("cone", 15, 11, "2d6")  # 8 + 2 + 1
    assert (breath["damage_type"], breath["uses"], breath["back_after"]) == ("acid", 1, "short")


def test_spells_of_dnd_beyond() -> None:
    sheet = orla()
    assert (sheet["spellcasting"], sheet["slots"]) == ("int", {"1": 3})  # a third of level 4 counts as level 2
    assert sheet["spells"][:2] == ["fire_bolt", "shield"]
    assert (sheet["spells"][2]["archetype"], sheet["spells"][2]["damage"]) == ("bolt", "2d8")
    assert sheet["innate"] == [{"spell": "misty_step", "uses": 1}]


@pytest.mark.parametrize("wrap", [lambda one: one["data"], lambda one: {"ddb": {"character": one["data"]}}])
def test_the_same_character_from_other_tools(tmp_path: Path, wrap: Any) -> None:
    path = tmp_path / "orla.json"
    path.write_text(json.dumps(wrap(json.loads(ORLA.read_text()))))
    assert drafted(path).sheet["abilities"] == orla()["abilities"]


def test_a_character_that_is_not_public_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "orla.json"
    path.write_text(json.dumps({"id": 0, "success": False, "message": "Unauthorized Access Attempt.", "data": None}))
    with pytest.raises(Problem) as refused:
        open_source(path, "dnd-beyond")
    assert refused.value.code == "pack-import/not-public"


# Avrae


def test_figures_of_avrae() -> None:
    sheet = tarn()
    assert (sheet["level"], sheet["hp"], sheet["ac"], sheet["hit_die"]) == (6, 58, 15, 12)
    assert (sheet["saves"], sheet["skills"], sheet["expertise"]) == (
        ["str", "con"],
        ["athletics", "medicine"],
        ["perception"],
    )
    assert sheet["skill_bonuses"] == {"stealth": 2}  # +1 by Dexterity; all others are as training makes them
    assert (sheet["resistances"], sheet["nonmagical_resistances"], sheet["immunities"]) == (
        ["cold"],
        ["slashing"],
        ["poison"],
    )


def test_attacks_of_avrae() -> None:
    sheet = tarn()
    assert sheet["weapons"][0] == "greataxe"  # 4 + 3 to hit, 1d12 + 4
    spear = entry(sheet, "weapons", "bog spear")
    assert (spear["to_hit"], spear["damage"], spear["range"]) == (8, "1d6+5", [20, 60])
    assert spear["extra"] == [{"damage": "1d4", "damage_type": "acid"}]
    lash = entry(sheet, "features", "venom_lash_hit")["then"]
    assert lash == {"save": "con", "dc": 13, "damage": "2d6", "damage_type": "poison"}
    assert entry(sheet, "features", "old_maul_question")["at"] == "hit"


def test_features_and_spells_of_avrae() -> None:
    sheet = tarn()
    assert {"rage", "reckless_attack"} <= {one for one in sheet["features"] if isinstance(one, str)}
    assert (sheet["spellcasting"], sheet["slots"]) == ("wis", {"1": 2})
    assert [one if isinstance(one, str) else one["name"] for one in sheet["spells"]] == ["bless", "shatter"]
    assert "System Reference Document" in sheet["source"]  # Shatter is only named, so it comes from there
    notes = {note["name"]: note["text"] for note in sheet["notes"]}
    assert notes["Spellcasting"] == "Spells left to the GM: Guidance of Reeds."
    assert notes["Fog Dice"] == "Dice of fog."
    assert "Barbarian 5, Cleric 1" in notes["Several classes"]


@pytest.mark.parametrize(
    ("attack", "text"),
    [
        (
            {"bonus": "5", "damage": "1d6 + 3 [fire]", "details": "It burns."},
            "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 6 (1d6 + 3) fire damage. It burns.",
        ),
        ({"bonus": None, "damage": "1d6 [fire]", "details": "No roll."}, "No roll."),
        ({"automation": [{"type": "target", "effects": [{"type": "save", "stat": "dex", "fail": []}]}]},
         "One target must succeed on a DC 14 Dexterity saving throw or suffer the effect."),
        ({"automation": [None, {"type": "text"}]}, ""),
    ],
)  # fmt: skip
def test_odd_attacks_of_avrae(attack: dict[str, Any], text: str) -> None:
    scope = AutomationScope({"str": 16}, 2, 3, {}, {"dc": 14})
    assert attack_text(attack, scope) == text


# Both in a fight


def test_a_character_of_dnd_beyond_strikes() -> None:
    drill = Drill()
    drill.join(orla(), "Orla", (1, 1))
    drill.join("ogre", "Grub", (2, 1), side="foes")  # AC 11
    drill.start(dice=[20, 1])
    drill.do("orla", "attack")
    events = drill.do("orla", "strike", target="grub", weapon="rapier, +1", dice=[5, 6])
    assert only(events, AttackResolved).total == 11  # 5 + 3 + 2 + 1
    assert sum(hurt.amount for hurt in all_of(events, Damaged)) == 10  # 6 + 3 + 1


def test_the_gm_is_asked_after_a_hit_with_a_weapon_that_says_more() -> None:
    drill = Drill()
    drill.join(orla(), "Orla", (1, 1))
    drill.join("ogre", "Grub", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    drill.do("orla", "attack")
    events = drill.do("orla", "strike", target="grub", weapon="fog blade", dice=[15, 4])
    assert "frightened" in only(events, ManualResolutionNeeded).effect


def test_the_gm_is_asked_what_an_unknown_action_does() -> None:
    drill = Drill()
    drill.join(tarn(), "Tarn", (1, 1))
    drill.join("ogre", "Grub", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    assert only(drill.do("tarn", "song"), ManualResolutionNeeded).effect == "He sings of the marsh."


# Slots by class


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([(Progression.FULL, 5)], {1: 4, 2: 3, 3: 2}),
        ([(Progression.HALF, 1)], {}),
        ([(Progression.HALF, 5)], {1: 4, 2: 2}),
        ([(Progression.THIRD, 3)], {1: 2}),
        ([(Progression.THIRD, 7)], {1: 4, 2: 2}),
        ([(Progression.FULL, 3), (Progression.HALF, 3)], {1: 4, 2: 3}),  # 3 + 1
        ([(Progression.NONE, 9), (Progression.PACT, 3)], {}),
    ],
)
def test_slots(levels: list[tuple[Progression, int]], expected: dict[int, int]) -> None:
    assert slots(levels) == expected


@pytest.mark.parametrize(("level", "expected"), [(1, {1: 1}), (2, {1: 2}), (5, {3: 2}), (11, {5: 3}), (17, {5: 4})])
def test_pact_slots(level: int, expected: dict[int, int]) -> None:
    assert pact_slots(level) == expected
