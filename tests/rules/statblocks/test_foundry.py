"""Actors of Foundry's dnd5e system. The figures are worked out by hand from the samples' fields.

The Fen Brute has activities (system 4.x), the Reed Archer has none (3.x), Ilva is a character (5.x).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from combatlog.importers.statblocks.foundry_activities import ActorNumbers, ItemActivity
from combatlog.importers.statblocks.foundry_actors import FoundryActors, FoundryStatBlocks
from combatlog.importers.statblocks.foundry_paragraphs import ItemDescription
from combatlog.importers.statblocks.stat_block import StatBlockPart
from combatlog.importers.statblocks.stat_block_formats import open_source
from combatlog.rules.dnd5e.creatures.sheet import read_sheet
from combatlog.rules.dnd5e.importing.compendium import CompendiumSource
from combatlog.rules.dnd5e.importing.sheet_draft import MappingResult
from combatlog.testing import Drill, only
from ledger.errors import Problem
from ledger.events import AttackResolved, ManualResolutionNeeded
from tests.cases import each

SAMPLES = Path(__file__).parent / "samples" / "foundry"
ACTORS = FoundryActors(SAMPLES)
LIBRARY = CompendiumSource(ACTORS)


def paragraph_texts(id: str) -> dict[str, str]:
    return {one.name: one.text for one in ACTORS.creature(id).paragraphs}


def entry(id: str, section: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in LIBRARY.draft(id).sheet[section] if one["name"] == name)
    return found


def test_a_folder_and_each_of_its_files_are_recognised() -> None:
    assert type(open_source(SAMPLES)) is FoundryActors
    assert list(ACTORS.creatures()) == ["fen-brute", "ilva", "reed-archer"]
    assert all(FoundryStatBlocks().recognises(path) for path in SAMPLES.iterdir())
    assert ACTORS.origin.sentence == "The Fen Book, CC-BY-4.0."


# With activities


def test_a_monsters_figures() -> None:
    brute = ACTORS.creature("fen-brute")
    assert (brute.size, brute.type, brute.ac, brute.hp, brute.hit_dice) == ("large", "giant", 15, 84, "8d10+40")
    assert brute.proficiency == 3  # challenge 5
    assert brute.saves == {"con": 6}  # +3, proficient
    assert brute.skills == {"perception": 4, "stealth": 6}  # +1 and once, +0 and twice the proficiency bonus
    assert (brute.speeds, brute.senses) == ({"walk": 30, "swim": 40}, {"darkvision": 60})
    assert brute.resistances == ("cold", "bludgeoning, slashing from nonmagical attacks not made with silvered weapons")
    sheet = LIBRARY.draft("fen-brute").sheet
    assert (sheet["nonmagical_resistances"], sheet["except_silvered"]) == (["bludgeoning", "slashing"], True)
    assert (sheet["legendary_resistances"], sheet["xp"]) == (2, 1800)


def test_insertions_become_the_phrases_of_stat_blocks() -> None:
    assert paragraph_texts("fen-brute")["Maw"] == (
        "Melee Weapon Attack: +7 to hit, reach 10 ft., one target. "
        "Hit: 13 (2d8 + 4) piercing damage plus 3 (1d6) acid damage. "
        "The target must succeed on a DC 14 Constitution saving throw or be poisoned for 1 minute."
    )
    assert paragraph_texts("fen-brute")["Swat"] == "The fen brute makes one Fist attack."


def test_attacks_and_what_follows_them() -> None:
    maw = {"to_hit": 7, "damage": "2d8+4", "damage_type": "piercing", "reach": 10}  # strength +4, proficiency +3
    assert entry("fen-brute", "weapons", "maw") == {
        "name": "maw",
        **maw,
        "extra": [{"damage": "1d6", "damage_type": "acid"}],
    }
    assert entry("fen-brute", "weapons", "fist") == {
        "name": "fist",
        "to_hit": 7,
        "damage": "1d10+4",
        "damage_type": "bludgeoning",
    }
    assert entry("fen-brute", "features", "maw_hit")["then"] == {
        "save": "con",
        "dc": 14,  # 8 + 3 + 3
        "condition": "poisoned",
        "lasts": "minute",
    }
    assert LIBRARY.draft("fen-brute").sheet["multiattack"] == [{"maw": 1, "fist": 2}]


def test_what_only_fields_say_is_carried_out_too() -> None:
    breath = entry("fen-brute", "actions", "bog_breath")
    assert (breath["archetype"], breath["shape"], breath["size"], breath["recharge"]) == ("area", "cone", 30, 5)
    assert (breath["save"], breath["dc"], breath["damage"], breath["saved"]) == ("dex", 14, "6d6", "half")


def test_legendary_actions_and_innate_spells() -> None:
    sheet = LIBRARY.draft("fen-brute").sheet
    assert (sheet["legendary"], sheet["legendary_actions"]) == ([{"name": "fist", "cost": 2}], 3)
    (lance,) = sheet["innate"]
    assert (lance["uses"], lance["spell"]["name"], lance["spell"]["damage"]) == (2, "mud_lance", "3d6")
    assert sheet["innate_ability"] == "wis"


def test_what_the_rules_do_not_have_is_listed_and_noted() -> None:
    draft = LIBRARY.draft("fen-brute")
    assert [one.name for one in draft.entries if one.fate is MappingResult.LEFT] == ["Old Grudge"]
    assert {"name": "Old Grudge", "text": "It remembers every slight."} in draft.sheet["notes"]


# Without activities


def test_an_older_actor() -> None:
    archer = ACTORS.creature("reed-archer")
    assert (archer.ac, archer.armor) == (15, ("studded leather",))  # 12 + 3
    assert archer.vulnerabilities == ("fire",)
    sheet = LIBRARY.draft("reed-archer").sheet
    bow = {"name": "longbow", "to_hit": 5, "damage": "1d8+3", "damage_type": "piercing", "range": [150, 600]}
    assert (sheet["weapons"], sheet["features"]) == ([bow], ["pack_tactics"])
    net = entry("reed-archer", "actions", "snare_net")
    assert (net["archetype"], net["range"], net["dc"], net["damage"], net["recharge"]) == ("blast", 20, 12, "2d4", 6)


def test_what_is_said_to_the_gm_only_comes_before_what_players_read() -> None:
    assert "shoots" not in paragraph_texts("reed-archer")["Longbow"]


# A character


def test_a_character_becomes_a_hero_sheet() -> None:
    sheet = LIBRARY.draft("ilva").sheet
    assert (sheet["nature"], sheet["level"], sheet["hit_die"], sheet["proficiency"]) == ("character", 5, 10, 3)
    assert sheet["hp"] == 45  # 10 + 6 + 6 + 7 + 6, and 5 times +2
    assert (sheet["ac"], sheet["armor"], sheet["shield"]) == (18, "chain mail", True)  # 16 + 2
    assert (sheet["saves"], sheet["skills"], sheet["expertise"]) == (["wis", "cha"], ["athletics"], ["perception"])
    assert (sheet["speed"], sheet["speeds"], sheet["senses"]) == (30, {"swim": 30}, {"darkvision": 60})
    assert sheet["weapon_proficiencies"] == ["simple", "martial"]
    assert "save_bonuses" not in sheet


def test_a_characters_weapons_are_those_of_the_rules() -> None:
    longsword, reedcutter = LIBRARY.draft("ilva").sheet["weapons"]
    assert longsword == "longsword"
    assert (reedcutter["name"], reedcutter["damage"], reedcutter["bonus"]) == ("reedcutter", "1d6", 1)
    assert reedcutter["properties"] == ["finesse", "light"]


def test_a_characters_features_and_spells() -> None:
    sheet = LIBRARY.draft("ilva").sheet
    assert set(sheet["features"]) == {"lay_on_hands", "dueling", "extra_attack"}
    assert (sheet["spellcasting"], sheet["slots"]) == ("cha", {"1": 4, "2": 2})  # a paladin of level 5
    assert sheet["spells"] == ["bless"]  # Cure Wounds is not prepared
    assert read_sheet(sheet).weapon("longsword") is not None


def test_a_character_fights_and_what_is_unknown_is_put_to_the_gm() -> None:
    drill = Drill()
    drill.join(LIBRARY.draft("ilva").sheet, "Ilva", (1, 1))
    drill.join("goblin", "Snag", (2, 1), side="foes")  # AC 15
    drill.start(dice=[20, 1])
    asked = only(drill.do("ilva", "marsh_oath"), ManualResolutionNeeded)
    assert asked.effect == "As an action, she calls the fog."


def test_a_hit_counts_strength_proficiency_and_dueling() -> None:
    drill = Drill()
    drill.join(LIBRARY.draft("ilva").sheet, "Ilva", (1, 1))
    drill.join("ogre", "Grub", (2, 1), side="foes")  # AC 11, 59 hp
    drill.start(dice=[20, 1])
    drill.do("ilva", "attack")
    events = drill.do("ilva", "strike", target="grub", weapon="longsword", dice=[10, 4])
    assert only(events, AttackResolved).total == 16  # 10 + 3 + 3
    assert drill["grub.hp"] == 50  # 59 - (4 + 3 + 2)


# Formulas and insertions one by one

NUMBERS = ActorNumbers(
    {
        "abilities": {"str": {"value": 18}, "wis": {"value": 12}},
        "details": {"cr": 5},
        "attributes": {"spellcasting": "wis"},
    },
    0,
)


@each(
    ("formula", "dice"),
    [
        ("2d6 + @mod", "2d6+4"),
        ("1d8 + @prof * 2", "1d8+6"),
        ("2d6[fire] + 1d6", "3d6"),
        ("floor(@details.cr / 2)d6", ""),  # a number of dice that has to be calculated is not read
        ("max(1, @abilities.wis.mod)", "1"),
        ("@scale.monk.die + 2", ""),
        ("@attributes.spell.dc", "12"),  # 8 + 3 + 1
        ("1d6 + 1d8", ""),
        ("1d4 - 1", "1d4-1"),
        ("__import__('os')", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_formulas(formula: object, dice: str) -> None:
    assert NUMBERS.dice(formula, "str") == dice


SAVE = ItemActivity("a1", "save", ability="dex", dc=14)


@each(
    ("written", "expected"),
    [
        ("a [[/save]] saving throw", "a DC 14 Dexterity saving throw"),
        ("a [[/save con 12 format=long]]", "a DC 12 Constitution saving throw"),
        ("[[/damage 2d4 piercing average]] damage", "5 (2d4) piercing damage"),
        ("[[/r 1d6 + 2]]", "1d6+2"),
        ("&amp;Reference[prone apply=false]", "prone"),
        ("@UUID[Compendium.x.y]{Fireball}", "Fireball"),
        ("[[/item .x1]] and [[/item .x2]]{claw}", "Bite and claw"),
        ("[[/check str 12]]", "DC 12 Strength"),
        ("[[/whatever 3]]{three}", "three"),
    ],
)
def test_insertions(written: str, expected: str) -> None:
    item = {"system": {"description": {"value": f"<p>{written}</p>"}}}
    assert ItemDescription(item, "Rat", NUMBERS, [SAVE], {"x1": "Bite"}).text == expected


# What is refused


def test_an_actor_from_before_version_10_is_refused(tmp_path: Path) -> None:
    old = {"name": "Relic", "type": "npc", "items": [], "data": {"abilities": {}}}
    (tmp_path / "old.json").write_text(json.dumps(old))
    with pytest.raises(Problem) as refused:
        open_source(tmp_path / "old.json")
    assert (refused.value.code, refused.value.facts["name"]) == ("pack-import/too-old", "Relic")


@pytest.mark.parametrize(
    "broken", [{}, {"items": None}, {"items": [None, 3, {"type": "feat"}]}, {"system": {"abilities": {}}}]
)
def test_an_actor_with_little_in_it_does_no_harm(tmp_path: Path, broken: dict[str, Any]) -> None:
    actor = {"name": "Stub", "type": "npc", "items": [], "system": {"abilities": {}}} | broken
    (tmp_path / "stub.json").write_text(json.dumps(actor))
    if actor["items"] is None:
        with pytest.raises(Problem):
            open_source(tmp_path / "stub.json")
        return
    stub = open_source(tmp_path / "stub.json").creature("stub")
    assert (stub.ac, stub.hp, stub.abilities["str"]) == (10, 1, 10)


def test_parts_of_the_stat_block() -> None:
    parts = {one.name: one.part for one in ACTORS.creature("fen-brute").paragraphs}
    assert (parts["Maw"], parts["Swat"], parts["Old Grudge"]) == (
        StatBlockPart.ACTION,
        StatBlockPart.LEGENDARY,
        StatBlockPart.TRAIT,
    )
