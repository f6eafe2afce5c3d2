"""Stat blocks and spells as their formats have them, read into one form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from combatlog.importers.statblocks.stat_block import Paragraph, StatBlockPart, paragraph
from combatlog.importers.statblocks.stat_block_formats import MAX_BYTES, find, known_formats, open_source
from combatlog.rules.dnd5e.importing.compendium import CompendiumSource
from ledger.errors import Problem

SAMPLES = Path(__file__).parent / "samples"
BITS = Path(__file__).parents[3] / "docs" / "examples" / "marsh.json"
OPEN5E = SAMPLES / "open5e"


def named(paragraphs: tuple[Paragraph, ...], name: str) -> Paragraph:
    return next(one for one in paragraphs if one.name == name)


def test_each_format_is_found_by_name() -> None:
    assert known_formats() == ["5e-bits", "avrae", "dnd-beyond", "foundry", "improved-initiative", "open5e"]
    assert all(find(name).about for name in known_formats())


def test_an_unknown_format_is_refused_with_those_there_are() -> None:
    with pytest.raises(Problem) as refused:
        find("5e-bitz")
    assert refused.value.code == "pack-import/format"
    assert refused.value.facts["suggestions"] == ["5e-bits"]


def test_5e_bits() -> None:
    compendium = open_source(BITS)
    assert (list(compendium.creatures()), list(compendium.spells())) == (["marsh-lurker"], ["mud-lance", "find-frog"])
    lurker = compendium.creature("marsh-lurker")
    assert (lurker.ac, lurker.hp, lurker.cr, lurker.xp, lurker.hit_dice) == (14, 52, 3, 700, "7d10+14")
    assert (lurker.speeds, lurker.saves, lurker.skills) == (
        {"walk": 20, "swim": 40},
        {"con": 4},
        {"stealth": 5, "survival": 2},
    )
    spray = named(lurker.paragraphs, "Mud Spray")
    assert (spray.part, spray.recharge, spray.uses) == (StatBlockPart.ACTION, 5, 1)
    assert named(lurker.paragraphs, "Multiattack").routines == ({"Bite": 1, "Tail": 2},)
    assert named(lurker.paragraphs, "Stench").cost == 2
    lance = compendium.spell("mud-lance")
    assert (lance.range, lance.attack, lance.damage) == (60, "ranged", {2: "3d6", 3: "4d6"})


IMPROVED = {
    "Name": "Reed Stalker",
    "Source": "My campaign",
    "Type": "Medium monstrosity, unaligned",
    "HP": {"Value": 27, "Notes": "(5d8 + 5)"},
    "AC": {"Value": 13, "Notes": "(natural armor)"},
    "Speed": ["30 ft.", "swim 40 ft."],
    "Abilities": {"Str": 14, "Dex": 15, "Con": 12, "Int": 4, "Wis": 12, "Cha": 6},
    "DamageResistances": ["Cold"],
    "ConditionImmunities": ["Prone"],
    "Saves": [{"Name": "Dex", "Modifier": 4}],
    "Skills": [{"Name": "Stealth", "Modifier": 6}],
    "Senses": ["darkvision 60 ft.", "passive Perception 11"],
    "Challenge": "1/2",
    "Traits": [{"Name": "Pack Tactics", "Content": "It fights better beside its own."}],
    "Actions": [
        {
            "Name": "Claw",
            "Content": "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 6 (1d8 + 2) slashing damage.",
        },
        {"Name": "Hiss", "Usage": "Recharge 5-6", "Content": "It hisses."},
    ],
}


@pytest.mark.parametrize("wrapped", [IMPROVED, [IMPROVED], {"Creatures.x1": IMPROVED}])
def test_improved_initiative(tmp_path: Path, wrapped: object) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps(wrapped))
    compendium = open_source(path)
    stalker = compendium.creature("reed-stalker")
    assert (compendium.origin.title, stalker.size, stalker.type, stalker.cr) == (
        "My campaign",
        "medium",
        "monstrosity",
        0.5,
    )
    assert (stalker.ac, stalker.hp, stalker.hit_dice, stalker.speeds) == (13, 27, "5d8+5", {"walk": 30, "swim": 40})
    assert (stalker.saves, stalker.skills, stalker.senses["darkvision"]) == ({"dex": 4}, {"stealth": 6}, 60)
    assert named(stalker.paragraphs, "Hiss").recharge == 5
    draft = CompendiumSource(compendium).draft("reed-stalker")
    assert draft.sheet["weapons"] == [{"name": "claw", "to_hit": 4, "damage": "1d8+2", "damage_type": "slashing"}]
    assert (draft.sheet["features"], draft.sheet["xp"]) == (["pack_tactics"], 100)


def test_an_improved_initiative_character_and_mythic_actions(tmp_path: Path) -> None:
    """Characters are wrapped once more, and have a player; field names are those of its type `StatBlock`."""
    mythic = {"MythicActions": [{"Name": "Claw Storm", "Content": "It makes one claw attack."}]}
    block = {**IMPROVED, **mythic, "Player": "player", "Challenge": "Fighter 3, Rogue 2"}
    path = tmp_path / "improved-initiative.json"
    path.write_text(json.dumps({"ImprovedInitiative.PersistentCharacters.x": {"Name": "R", "StatBlock": block}}))
    stalker = open_source(path).creature("reed-stalker")
    assert (stalker.is_character, stalker.level, stalker.cr) == (True, 5, None)
    assert named(stalker.paragraphs, "Claw Storm").part is StatBlockPart.LEGENDARY


def test_open5e() -> None:
    compendium = open_source(OPEN5E)
    assert compendium.origin.sentence == "The Bog Book, CC-BY-4.0. A. Writer"
    light = compendium.creature("witch-light")
    assert (light.ac, light.armor, light.hover, light.speeds) == (
        15,
        ("leather armor, shield",),
        True,
        {"walk": 30, "fly": 60},
    )
    assert light.resistances == ("cold", "bludgeoning, piercing, and slashing from nonmagical attacks")
    assert [one.name for one in light.paragraphs if one.part is StatBlockPart.ACTION] == [
        "Multiattack",
        "Touch",
        "Flash",
        "Spellcasting",
    ]
    bolt = compendium.spell("bog-bolt")
    assert (bolt.level, bolt.attack, bolt.damage) == (0, "ranged", {1: "1d8", 5: "2d8"})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Fire Breath (Recharge 5-6)", {"name": "Fire Breath", "recharge": 5, "uses": 1}),
        ("Roar (3/Day)", {"name": "Roar", "uses": 3}),
        ("Wing Attack (Costs 2 Actions)", {"name": "Wing Attack", "cost": 2}),
        ("Whirl (Recharges after a Short or Long Rest)", {"name": "Whirl", "uses": 1, "per_rest": True}),
        ("Bite (Wolf Form Only)", {"name": "Bite", "remark": "Wolf Form Only", "uses": None}),
    ],
)
def test_names_say_how_often_and_at_which_cost(name: str, expected: dict[str, object]) -> None:
    read = paragraph(StatBlockPart.ACTION, name, "It does.")
    assert {key: getattr(read, key) for key in expected} == expected


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"),
        (b"[", "malformed"),
        (b"\xff\xfe\x00", "malformed"),
        (b"[" * 100_000, "malformed"),
        (b"{}", "unrecognised"),
        (b"[1, 2]", "unrecognised"),
        (b'{"index": "x"}', "unrecognised"),
        (b"null", "unrecognised"),
        (b'{"success": false, "message": "Unauthorized"}', "not-public"),
    ],
)
def test_what_is_no_stat_block_is_refused(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(content)
    with pytest.raises(Problem) as refused:
        open_source(path)
    assert refused.value.code == f"pack-import/{code}"


def test_a_huge_file_is_refused_with_its_size(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(Problem) as refused:
        open_source(path)
    assert (refused.value.code, refused.value.facts["most"]) == ("pack-import/too-large", MAX_BYTES)


@pytest.mark.parametrize("format", ["avrae", "dnd-beyond", "improved-initiative"])
def test_a_folder_is_refused_where_a_file_is_needed(tmp_path: Path, format: str) -> None:
    with pytest.raises(Problem) as refused:
        open_source(tmp_path, format)
    assert refused.value.code == "pack-import/folder"


@pytest.mark.parametrize("format", ["5e-bits", "foundry", "open5e"])
def test_a_folder_with_nothing_in_it_is_refused(tmp_path: Path, format: str) -> None:
    with pytest.raises(Problem) as refused:
        open_source(tmp_path, format)
    assert refused.value.code == "pack-import/empty"


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Problem) as refused:
        open_source(tmp_path / "nothing.json")
    assert refused.value.code == "pack-import/not-found"


def test_a_broken_open5e_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "Creature.json").write_text(json.dumps({"no": "list"}))
    with pytest.raises(Problem) as refused:
        open_source(tmp_path)
    assert refused.value.code == "pack-import/not-open5e"
