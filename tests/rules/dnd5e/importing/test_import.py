"""Importing stat blocks: hand-made ones in detail, the whole SRD by its figures and in fights."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import combatlog
from combatlog.importers.statblocks.fivee_bits import installed
from combatlog.importers.statblocks.stat_block_formats import open_source
from combatlog.rules.autoplay.player import sides_left
from combatlog.rules.content.bestiary import MappingCount
from combatlog.rules.dnd5e.importing.compendium import CompendiumSource
from combatlog.rules.dnd5e.importing.sheet_draft import SheetDraft
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of, only
from ledger.errors import Problem
from ledger.events import AttackResolved, Damaged, ManualResolutionNeeded
from tests.cases import each
from tests.effort import examples
from tests.rules.dnd5e.autoplay.support import walked_back

ROOT = Path(__file__).parents[4]
MARSH = ROOT / "docs" / "examples" / "marsh.json"
OPEN5E = ROOT / "tests" / "rules" / "statblocks" / "samples" / "open5e"
EVERYTHING = os.environ.get("COMBATLOG_TEST_SRD")
"""Fight with every creature, not with a sample; if it is a folder, with every open5e set in it as well."""
LEAST = {"attacks": 0.99, "traits and actions": 0.84, "combat spells": 0.77}
"""With what is mapped in part, whose rest is put to the GM."""
IN_FULL = {"attacks": 0.9, "traits and actions": 0.8, "combat spells": 0.7}
"""Without it."""


def srd() -> CompendiumSource:
    found = installed()
    assert found is not None
    return CompendiumSource(found)


SRD = srd()


def lurker() -> SheetDraft:
    return CompendiumSource(open_source(MARSH)).draft("marsh-lurker")


def entry(draft: SheetDraft, section: str, name: str) -> dict[str, Any]:
    return next(one for one in draft.sheet[section] if isinstance(one, dict) and one["name"] == name)


# Hand-made stat blocks


def test_attacks_become_weapons_with_the_printed_numbers() -> None:
    bite, tail = lurker().sheet["weapons"]
    assert bite == {
        "name": "bite",
        "to_hit": 5,
        "damage": "1d10+3",
        "damage_type": "piercing",
        "extra": [{"damage": "1d6", "damage_type": "poison"}],
    }
    assert (tail["reach"], tail["damage"]) == (10, "1d8+3")


def test_what_follows_a_hit_becomes_a_feature() -> None:
    draft = lurker()
    poison = {"save": "con", "dc": 12, "condition": "poisoned", "lasts": "minute"}
    assert entry(draft, "features", "bite_hit")["then"] == poison
    held = {"condition": "grappled", "escape_dc": 13, "lasts": "until_ended", "largest": "medium"}
    assert entry(draft, "features", "tail_hit")["then"] == held


def test_figures_defences_and_multiattack() -> None:
    sheet = lurker().sheet
    assert (sheet["cr"], sheet["xp"], sheet["level"], sheet["hit_die"], sheet["proficiency"]) == (3, 700, 7, 10, 2)
    assert (sheet["save_bonuses"], sheet["skill_bonuses"]) == ({"con": 4}, {"stealth": 5})
    assert (sheet["resistances"], sheet["nonmagical_resistances"]) == (["cold"], ["bludgeoning", "piercing"])
    assert sheet["except_silvered"]
    assert sheet["multiattack"] == [{"bite": 1, "tail": 2}]


def test_breath_and_legendary_actions() -> None:
    draft = lurker()
    assert entry(draft, "actions", "mud_spray") == {
        "name": "mud_spray",
        "archetype": "area",
        "save": "dex",
        "dc": 12,
        "shape": "cone",
        "size": 15,
        "range": 15,
        "damage": "4d6",
        "damage_type": "acid",
        "saved": "half",
        "uses": 1,
        "recharge": 5,
    }
    slap, stench = draft.sheet["legendary"]
    assert (slap, stench["cost"], stench["around"]) == ({"name": "tail"}, 2, True)


def test_what_cannot_be_mapped_is_noted_and_put_to_the_gm() -> None:
    draft = lurker()
    assert {"Amphibious", "Murk", "Sing"} <= {note["name"] for note in draft.sheet["notes"]}
    drill = Drill()
    drill.join(draft.sheet, "Lurker", (1, 1), side="foes")
    drill.join("fighter", "Rurik", (5, 5))
    drill.start(dice=[20, 1])
    asked = only(drill.do("lurker", "sing"), ManualResolutionNeeded)
    assert asked.effect == "It hums a song of the marsh, and something stirs."


def test_an_imported_bite_hits_with_what_is_printed() -> None:
    drill = Drill()
    drill.join(lurker().sheet, "Lurker", (1, 1), side="foes")
    drill.join("fighter", "Rurik", (3, 1))  # AC 16; its constitution save is +4
    drill.start(dice=[20, 1])
    drill.do("lurker", "attack")
    events = drill.do("lurker", "strike", target="rurik", weapon="bite", dice=[11, 4, 2, 8])
    assert only(events, AttackResolved).total == 16  # 11 + 5
    assert sum(hurt.amount for hurt in all_of(events, Damaged)) == 9  # 4 + 3 and 2
    assert "poisoned" not in drill["rurik.conditions"]  # 8 + 4 saves


def test_open5e_with_the_phrases_of_the_second_edition() -> None:
    draft = CompendiumSource(open_source(OPEN5E)).draft("witch-light")
    assert draft.sheet["weapons"] == [{"name": "touch", "to_hit": 6, "damage": "1d8+4", "damage_type": "lightning"}]
    assert draft.sheet["multiattack"] == [{"touch": 2}]
    flash = entry(draft, "actions", "flash")
    assert (flash["archetype"], flash["around"], flash["size"], flash["dc"]) == ("area", True, 20, 14)
    assert [one.get("uses") for one in draft.sheet["innate"]] == [None, 1]
    assert draft.sheet["innate_dc"] == 14
    assert any("Lost Spell" in note["text"] for note in draft.sheet["notes"])
    assert draft.sheet["source"].startswith("The Bog Book, CC-BY-4.0.")


# A pack on disk


def test_a_pack_is_written_and_can_be_used(tmp_path: Path) -> None:
    done = combatlog.import_pack(MARSH, tmp_path / "marsh")
    assert (done.creatures, done.spells, done.unusable) == (1, 1, ())
    assert (tmp_path / "marsh" / "SOURCE.txt").read_text() == "marsh.\n"
    drill = Drill(packs=[tmp_path / "marsh"])
    drill.join("Marsh Lurker", None, (1, 1))
    assert drill["marsh-lurker.hp"] == 52


def test_a_folder_that_is_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(Problem) as refused:
        combatlog.import_pack(MARSH, tmp_path, replace=True)
    assert refused.value.code == "pack-import/exists"


def test_a_file_is_no_folder_for_a_pack(tmp_path: Path) -> None:
    (tmp_path / "marsh").write_text("mine")
    with pytest.raises(Problem, match="marsh cannot be written") as refused:
        combatlog.import_pack(MARSH, tmp_path / "marsh")
    assert refused.value.code == "file/unwritable"


def test_a_pack_that_is_written_again_leaves_nothing_of_the_earlier_one(tmp_path: Path) -> None:
    combatlog.import_pack(MARSH, tmp_path)
    spells = tmp_path / "spells.yaml"
    assert spells.is_file()
    old = tmp_path / "weapons.yaml"
    old.write_text(spells.read_text("utf-8"), "utf-8")
    combatlog.import_pack(MARSH, tmp_path, replace=True)
    assert (spells.is_file(), old.exists()) == (True, False)


def test_an_imported_pack_can_be_written_again(tmp_path: Path) -> None:
    combatlog.import_pack(MARSH, tmp_path / "marsh")
    with pytest.raises(Problem):
        combatlog.import_pack(MARSH, tmp_path / "marsh")
    assert combatlog.import_pack(MARSH, tmp_path / "marsh", replace=True).creatures == 1


# The whole SRD


@pytest.mark.parametrize("name", ["adult-red-dragon", "adult_red_dragon", "Adult Red Dragon", "srd:adult-red-dragon"])
def test_creatures_of_the_srd_join_by_name(name: str) -> None:
    drill = Drill()
    drill.join(name, "Ember", (2, 2), side="foes")
    assert drill["ember.hp"] == 256


def test_a_shipped_sheet_comes_before_the_srd() -> None:
    assert "source" not in rulesets.find("dnd5e").sheet("goblin")
    assert "System Reference Document" in rulesets.find("dnd5e").sheet("srd:goblin")["source"]


def sources() -> list[CompendiumSource]:
    folder = Path(EVERYTHING) if EVERYTHING and EVERYTHING != "1" else None
    found = sorted(path for path in folder.iterdir() if path.is_dir()) if folder is not None else []
    return [SRD, *(CompendiumSource(open_source(path)) for path in found)]


def in_full(tally: MappingCount) -> float:
    return tally.mapped / tally.total


def figures(tally: MappingCount) -> str:
    return (
        f"{tally.kind}: {tally.mapped} in full ({in_full(tally):.0%}), {tally.in_part} in part "
        f"({tally.share:.0%} with them), {tally.left} left to the GM; {tally.no_bearing} have no bearing on a fight"
    )


def test_how_much_of_the_srd_is_mapped(capsys: pytest.CaptureFixture[str]) -> None:
    for library in sources():
        done = library.imported("srd")
        with capsys.disabled():
            print(f"\n{library.compendium.origin.title}: {len(done.pack.sheets)} creatures", end="")
            for tally in done.tallies:
                print(f"\n  {figures(tally)}", end="")
            print()
        assert done.unusable == ()
        assert {tally.kind: in_full(tally) for tally in done.tallies if in_full(tally) < IN_FULL[tally.kind]} == {}
        assert {tally.kind: tally.share for tally in done.tallies if tally.share < LEAST[tally.kind]} == {}
    assert (len(SRD.compendium.creatures()), len(SRD.compendium.spells())) == (334, 319)


def fight_to_the_end(sheet: dict[str, Any], hero: str, seed: int) -> Drill:
    drill = Drill(dice=f"seed:{seed}", map=["." * 12] * 10)
    drill.join(sheet, "Foe", (2, 4), side="foes")
    drill.join(hero, "Hero", (9, 5))
    drill.start()
    for _ in drill.auto(to_end=True):
        pass
    return drill


def check_fight(sheet: dict[str, Any], hero: str = "paladin", seed: int = 7) -> None:
    drill = fight_to_the_end(sheet, hero, seed)
    assert len(sides_left(drill.battle)) <= 1  # nobody is left if the last blow made something burst
    assert list(check_declarations(drill.fight.events)) == []
    assert walked_back(drill.fight.events) == []


SAMPLE = 24
"""Every so many creatures fight in every run; with COMBATLOG_TEST_SRD, all of them do."""


def fighting() -> list[tuple[CompendiumSource, str]]:
    step = 1 if EVERYTHING else SAMPLE
    return [(library, id) for library in sources() for id in list(library.compendium.creatures())[::step]]


@each(("library", "id"), fighting(), ids=lambda value: value if isinstance(value, str) else "in")
def test_an_imported_creature_fights_to_the_end_and_verifies(library: CompendiumSource, id: str) -> None:
    check_fight(library.draft(id).sheet)


@given(
    st.sampled_from(SRD.compendium.creatures()), st.sampled_from(["wizard", "fighter", "cleric"]), st.integers(0, 99)
)
@examples(12)
@example("grick", "cleric", 0)  # weapons hardly hurt it: the cleric once kept dodging until the last round
@example("sprite", "paladin", 7)  # it flies and shoots: the paladin once had nothing left to throw
def test_any_creature_against_anybody(id: str, hero: str, seed: int) -> None:
    check_fight(SRD.draft(id).sheet, hero, seed)


# Ten creatures of different kinds, checked against their stat blocks by hand


def sheet_of(id: str) -> dict[str, Any]:
    return SRD.draft(id).sheet


def weapon(id: str, name: str) -> tuple[Any, ...]:
    found = next(one for one in sheet_of(id)["weapons"] if one["name"] == name)
    extra = [(more["damage"], more["damage_type"]) for more in found.get("extra", ())]
    return found["to_hit"], found["damage"], found["damage_type"], found.get("reach", 5), *extra


def test_a_dragon() -> None:
    sheet = sheet_of("adult-red-dragon")
    assert weapon("adult-red-dragon", "bite") == (14, "2d10+8", "piercing", 10, ("2d6", "fire"))
    assert sheet["multiattack"] == [{"frightful_presence": 1, "bite": 1, "claw": 2}]
    assert (sheet["legendary_resistances"], sheet["legendary_actions"], sheet["immunities"]) == (3, 3, ["fire"])
    assert [one["name"] for one in sheet["legendary"]] == ["tail", "wing_attack", "search"]


@pytest.mark.parametrize(
    ("name", "speed", "senses"),
    [
        ("Adult Red Dragon", "40 ft, fly 80 ft, climb 40 ft", "darkvision 120 ft, blindsight 60 ft"),
        ("Will-o'-Wisp", "0 ft, fly 50 ft (hover)", "darkvision 120 ft"),
        ("Ogre", "40 ft", None),
    ],
)
def test_a_stat_block_shows_every_speed_and_sense(name: str, speed: str, senses: str | None) -> None:
    figures = {line.name: line.text for line in combatlog.creature(name).figures}
    assert (figures["Speed"], figures.get("Senses")) == (speed, senses)


@pytest.mark.parametrize(
    ("asked", "code"),
    [({"cr": (9, 1)}, "creatures/cr"), ({"type": "undaed"}, "creatures/unknown-type")],
)
def test_what_no_creature_can_be_is_refused(asked: dict[str, Any], code: str) -> None:
    with pytest.raises(Problem) as refused:
        combatlog.creatures(**asked)
    assert refused.value.code == code
    assert refused.value.facts.get("suggestions", ["undead"]) == ["undead"]


def test_only_the_srd_has_its_licence() -> None:
    """Somebody's own creature in the same format is not by Wizards of the Coast."""
    assert lurker().sheet["source"] == "marsh."
    assert "CC-BY-4.0" in sheet_of("adult-red-dragon")["source"]


def test_an_undead_spellcaster() -> None:
    sheet = sheet_of("lich")
    assert (sheet["spell_dc"], sheet["spell_attack"], sheet["level"], sheet["spellcasting"]) == (20, 12, 18, "int")
    assert sheet["slots"] == {"1": 4, "2": 3, "3": 3, "4": 3, "5": 3, "6": 1, "7": 1, "8": 1, "9": 1}
    assert sheet["nonmagical_immunities"] == ["bludgeoning", "piercing", "slashing"]
    assert "fireball" in [one if isinstance(one, str) else one["name"] for one in sheet["spells"]]


def test_a_beast_that_knocks_down() -> None:
    then = next(one for one in sheet_of("dire-wolf")["features"] if isinstance(one, dict))["then"]
    assert then == {"save": "str", "dc": 13, "condition": "prone", "lasts": "until_ended"}
    assert {"pack_tactics", "keen_senses"} <= {one for one in sheet_of("dire-wolf")["features"] if isinstance(one, str)}


def test_a_ghoul_spares_the_undead() -> None:
    then = next(one for one in sheet_of("ghoul")["features"] if isinstance(one, dict))["then"]
    assert (then["condition"], then["save"], then["dc"], then["not_on"]) == ("paralyzed", "con", 10, ["undead"])


def test_a_giant_regenerates() -> None:
    piece = next(
        one for one in sheet_of("troll")["features"] if isinstance(one, dict) and one["name"] == "regeneration"
    )
    assert (piece["amount"], piece["stopped_by"]) == (10, ["acid", "fire"])


def test_a_venomous_beast() -> None:
    piece = next(one for one in sheet_of("giant-poisonous-snake")["features"] if isinstance(one, dict))
    assert piece["then"] == {"save": "con", "dc": 11, "damage": "3d6", "damage_type": "poison"}


def test_a_construct_with_magic_weapons() -> None:
    sheet = sheet_of("stone-golem")
    assert all(one["magical"] for one in sheet["weapons"])
    assert (sheet["except_adamantine"], sheet["multiattack"]) == (True, [{"slam": 2}])


def test_a_fiend_with_innate_spells() -> None:
    sheet = sheet_of("pit-fiend")
    assert (sheet["innate_ability"], sheet["innate_dc"]) == ("cha", 21)
    assert weapon("pit-fiend", "bite")[:2] == (14, "4d6+8")


def test_a_humanoid_with_two_ways_to_attack() -> None:
    assert sheet_of("bandit-captain")["multiattack"] in (
        [{"scimitar": 2, "dagger": 1}, {"dagger": 2}],
        [{"scimitar": 2, "dagger": 1}],
    )
    assert "parry" in sheet_of("bandit-captain")["features"]


def test_a_swarm_and_an_ooze() -> None:
    assert "swarm" in sheet_of("swarm-of-rats")["features"]
    assert sheet_of("gray-ooze")["creature_type"] == "ooze"
