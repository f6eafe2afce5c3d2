"""Packs: what they bring, how they are checked, and that a fight stands on its own whatever becomes of them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from combatlog.rules.content.pack_files import check_pack, examine, packs_to_join, read_pack, read_packs
from combatlog.rules.content.packs import enlist, find_sheet, opened_with, packs_of
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.ruleset import Enlistment
from combatlog.testing import Drill, only
from ledger.events import CombatantJoined, Damaged

KNIGHT = {
    "name": "Knight",
    "nature": "character",
    "abilities": {"str": 16, "dex": 12, "con": 14, "int": 10, "wis": 10, "cha": 12},
    "ac": 18,
    "hp": 28,
    "weapons": ["moonblade", "longbow"],
}
MOONBLADE = {"damage": "1d10", "damage_type": "radiant", "bonus": 1}
BEAM = {"archetype": "bolt", "level": 0, "range": 60, "damage": "1d8", "damage_type": "radiant"}
GLOW = {"archetype": "trait", "resists": ["radiant"]}
FLARE = {"archetype": "stance", "condition": "invisible", "uses": 1}
ENDLESS = {"archetype": "stance", "condition": "invisible"}


def trait_to(chain: str, **change: Any) -> dict[str, Any]:
    return {"archetype": "trait", "contributes": [{"to": chain, **change}]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "moon" / "sheets" / "knight.yaml", KNIGHT)
    write(tmp_path / "moon" / "creatures" / "moth.yaml", {**KNIGHT, "name": "Moth", "weapons": []})
    write(tmp_path / "moon" / "weapons.yaml", {"moonblade": MOONBLADE})
    return tmp_path / "moon"


def write(path: Path, data: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(data, sort_keys=False))


def dnd5e() -> rulesets.Ruleset:
    return rulesets.find("dnd5e")


def join(fight: FightEngine, sheet: str, packs: list[Any], name: str, **more: Any) -> CombatantJoined:
    options = enlist(fight.ruleset, sheet, packs, name=name, **more)
    return only(fight.declare(Declaration(actor="gm", action="core:time:join", options=options)), CombatantJoined)


def test_a_pack_has_sheets_and_creatures(folder: Path) -> None:
    pack = read_pack(folder)
    check_pack(dnd5e(), pack)
    assert sorted(pack.sheets) == ["knight", "moth"]


def test_a_sheet_of_a_pack_is_recorded_in_full(folder: Path) -> None:
    weapons = join(Drill().fight, "knight", [read_pack(folder)], "Sir").sheet["weapons"]
    assert weapons[0] == {"name": "moonblade", "damage": "1d10", "damage_type": "radiant", "bonus": 1}
    assert weapons[1]["name"] == "longbow"


def test_pieces_of_a_pack_are_recorded_in_full_and_work_without_it(folder: Path) -> None:
    write(folder / "spells.yaml", {"beam": BEAM})
    write(folder / "features.yaml", {"glow": GLOW})
    write(folder / "actions.yaml", {"flare": FLARE})
    own = {"spells": ["beam", "shield"], "spellcasting": "int", "features": ["glow", "defense"], "actions": ["flare"]}
    write(folder / "sheets" / "knight.yaml", {**KNIGHT, **own})
    drill = Drill()
    sheet = join(drill.fight, "knight", read_packs([folder], drill.ruleset), "Sir").sheet
    shutil.rmtree(folder)
    assert sheet["spells"] == [{"name": "beam", **BEAM}, "shield"]
    assert sheet["features"] == [{"name": "glow", **GLOW}, "defense"]
    assert sheet["actions"] == [{"name": "flare", **FLARE}]
    drill.join("orc", "Ugh", side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 1])
    again = FightEngine(drill.fight.events)  # as another process would read it
    beam = Declaration(actor="sir", action="beam", targets=("ugh",))
    assert only(again.declare(beam, dice=(15, 4)), Damaged).amount == 4
    again.declare(Declaration(actor="gm", action="core:ruling:rule", targets=("sir",), options={**RESTORED}))
    again.declare(Declaration(actor="sir", action="flare"))
    assert again.battle.combatants["sir"].has("dnd5e:condition:invisible")


RESTORED = {"set": {"action": 1}, "reason": "one more"}


def test_the_pack_that_was_named_last_goes_first_and_the_ruleset_is_still_there(folder: Path, tmp_path: Path) -> None:
    write(tmp_path / "sun" / "sheets" / "knight.yaml", {**KNIGHT, "hp": 99, "weapons": []})
    packs, rules = [read_pack(folder), read_pack(tmp_path / "sun")], dnd5e()
    assert find_sheet(rules, packs, "knight")["hp"] == 99
    assert find_sheet(rules, packs, "goblin") == rules.sheet("goblin")


def test_what_differs_from_a_sheet_may_name_what_is_in_a_pack(folder: Path) -> None:
    joined = join(Drill().fight, "goblin", [read_pack(folder)], "Snig", overrides={"weapons": ["moonblade"]})
    assert joined.sheet["weapons"][0]["damage_type"] == "radiant"


@pytest.mark.parametrize(
    ("file", "content", "code", "named"),
    [
        ("sheets/knight.yaml", {**KNIGHT, "hp": "many"}, "sheet/invalid", "moon/sheets/knight.yaml: The sheet's hp"),
        ("sheets/knight.yaml", {**KNIGHT, "features": ["flight"]}, "sheet/unknown-feature", "moon/sheets/knight.yaml"),
        ("sheets/knight.yaml", {**KNIGHT, "actions": ["flight"]}, "sheet/unknown-action", "'flight'"),
        ("sheets/knight.yaml", {**KNIGHT, "actions": ["strike"]}, "sheet/unknown-action", "'strike'"),
        ("sheets/knight.yaml", ["a list"], "pack/malformed", "knight.yaml"),
        ("weapons.yaml", {"moonblade": {**MOONBLADE, "damage": "lots"}}, "weapon/invalid", "moonblade: The weapon's"),
        ("weapons.yaml", {"moonblade": MOONBLADE, "idle": {"damage": "1d6"}}, "weapon/invalid", "weapons.yaml, idle"),
        ("weapons.yaml", {"moonblade": 7}, "pack/malformed", "moonblade"),
        ("weapons.yml", {"moonblade": MOONBLADE}, "pack/twice", "'weapons'"),
        ("creatures/knight.yaml", KNIGHT, "pack/twice", "'knight'"),
        ("spellz.yaml", {"beam": BEAM}, "pack/unknown-file", "spells.yaml"),
        ("spells.yaml", {"beam": {**BEAM, "damage": "lots"}}, "archetype/invalid", "moon/spells.yaml, beam"),
        ("spells.yaml", {"beam": {**BEAM, "damage": "99d6"}}, "archetype/invalid", "at most 40 dice"),
        ("spells.yaml", {"beam": {**BEAM, "range": 12}}, "archetype/invalid", "beam's range"),
        ("spells.yaml", {"beam": {**BEAM, "colour": "red"}}, "archetype/unknown-option", "damage_type"),
        ("spells.yaml", {"beam": {**BEAM, "archetype": "ray"}}, "archetype/unknown", "bolt"),
        ("spells.yaml", {"beam": {"level": 1}}, "archetype/missing", "bolt"),
        ("spells.yaml", {"Moon Beam": BEAM}, "archetype/invalid", "ice_bolt"),
        ("spells.yaml", {"dodge": BEAM}, "archetype/reserved-name", "'dodge'"),
        ("spells.yaml", {"slot_2": BEAM}, "archetype/reserved-name", "'slot_2'"),
        ("spells.yaml", {"beam": {**BEAM, "then": {"condition": "dead"}}}, "archetype/invalid", "then.condition"),
        (
            "spells.yaml",
            {"beam": {**BEAM, "then": {"condition": "prone", "dc": 9}}},
            "archetype/invalid",
            "save and dc have to be given together",
        ),
        ("spells.yaml", {"beam": {**BEAM, "melee": True}}, "archetype/invalid", "5 to 30"),
        ("features.yaml", {"glow": {"archetype": "trait"}}, "archetype/invalid", "give it contributes"),
        ("features.yaml", {"glow": trait_to("speed", advantage=True)}, "archetype/invalid", "exactly one of bonus"),
        ("features.yaml", {"glow": trait_to("save", bonus=1, when={"by": "melee"})}, "archetype/invalid", "when.by"),
        (
            "features.yaml",
            {"glow": trait_to("maximum_hp", bonus=1, when={"bloodied": True})},
            "archetype/invalid",
            "when.bloodied does not apply to maximum_hp",
        ),
        ("features.yaml", {"glow": {"archetype": "on_hit"}}, "archetype/invalid", "further effects"),
        ("actions.yaml", {"flare": {**FLARE, "uses": 99}}, "archetype/invalid", "flare's uses"),
        ("actions.yaml", {"flare": {"archetype": "trait"}}, "archetype/unknown", "stance"),
        ("actions.yaml", {"flare": {**ENDLESS, "takes": "nothing"}}, "archetype/invalid", "a number of uses"),
        ("actions.yaml", {"flare": {**ENDLESS, "recharge": 5}}, "archetype/invalid", "needs a number of uses"),
    ],
)
def test_what_is_wrong_is_named(folder: Path, file: str, content: object, code: str, named: str) -> None:
    write(folder / file, content)
    with pytest.raises(Refusal) as refused:
        check_pack(dnd5e(), read_pack(folder))
    assert refused.value.code == code
    assert named in refused.value.sentence


def test_everything_that_is_wrong_is_found_at_once(folder: Path) -> None:
    write(folder / "spells.yaml", {"beam": {**BEAM, "range": 12}, "dodge": BEAM})
    write(folder / "weapons.yaml", {"moonblade": {}})
    report = examine(dnd5e(), folder)
    assert [finding.where for finding in report.findings] == [
        "moon/spells.yaml, beam",
        "moon/spells.yaml, dodge",
        "moon/weapons.yaml, moonblade",
        "moon/sheets/knight.yaml",
    ]
    with pytest.raises(Refusal, match="The pack has 3 more problems"):
        read_packs([folder], dnd5e())


def test_a_file_that_cannot_be_read_hides_nothing_else(folder: Path) -> None:
    """Four problems in three files. The knight names weapons of the file that cannot be read, so it may be right."""
    (folder / "weapons.yaml").write_text("moonblade: {damage: 1d10\nsunblade: [")
    write(folder / "spells.yaml", {"beam": {**BEAM, "range": 12}, "ray": 7})
    write(folder / "creatures" / "moth.yaml", {**KNIGHT, "hp": "many", "weapons": []})
    report = examine(dnd5e(), folder)
    assert [(finding.where, finding.code) for finding in report.findings] == [
        ("moon/spells.yaml, ray", "pack/malformed"),
        ("moon/weapons.yaml", "file/malformed"),
        ("moon/spells.yaml, beam", "archetype/invalid"),
        ("moon/creatures/moth.yaml", "sheet/invalid"),
    ]
    assert report.unchecked == ["moon/sheets/knight.yaml"]
    assert report.brings == {"sheets": ["knight", "moth"], "spells": ["beam"]}


def test_a_name_that_belongs_to_two_files_or_is_too_long_hides_nothing_else(folder: Path) -> None:
    write(folder / "creatures" / "knight.yaml", KNIGHT)
    write(folder / "sheets" / f"{'k' * 61}.yaml", KNIGHT)
    write(folder / "weapons.yaml", {"moonblade": {}})
    codes = [finding.code for finding in examine(dnd5e(), folder).findings]
    assert codes == ["pack/twice", "pack/malformed", "weapon/invalid"]


def test_a_strike_needs_its_weapon_on_the_sheet(folder: Path) -> None:
    write(folder / "actions.yaml", {"sweep": {"archetype": "strike", "weapon": "tail", "damage": "1d6"}})
    write(folder / "sheets" / "knight.yaml", {**KNIGHT, "actions": ["sweep"]})
    with pytest.raises(Refusal) as refused:
        read_packs([folder], dnd5e())
    assert (refused.value.code, "moonblade, longbow or unarmed strike" in refused.value.sentence) == (
        "sheet/no-weapon",
        True,
    )


def test_one_name_is_for_one_thing(folder: Path) -> None:
    write(folder / "actions.yaml", {"glow": FLARE})
    write(folder / "features.yaml", {"glow": GLOW})
    write(folder / "sheets" / "knight.yaml", {**KNIGHT, "actions": ["glow"], "features": ["glow"]})
    with pytest.raises(Refusal, match="'glow' appears twice"):
        read_packs([folder], dnd5e())


def test_a_pool_has_one_size(folder: Path) -> None:
    write(folder / "actions.yaml", {"ki": FLARE})
    write(folder / "sheets" / "knight.yaml", {**KNIGHT, "level": 3, "actions": ["ki"], "features": ["patient_defense"]})
    with pytest.raises(Refusal) as refused:
        read_packs([folder], dnd5e())
    assert refused.value.code == "sheet/pool-twice"


def test_an_empty_folder_and_no_folder_are_refused(tmp_path: Path) -> None:
    for path, code in ((tmp_path, "pack/empty"), (tmp_path / "none", "pack/no-folder")):
        with pytest.raises(Refusal) as refused:
            read_pack(path)
        assert refused.value.code == code


def test_a_sheet_that_nobody_has_is_refused_with_those_that_there_are(folder: Path) -> None:
    with pytest.raises(Refusal) as refused:
        find_sheet(dnd5e(), [read_pack(folder)], "dragon")
    assert {"moth", "goblin"} <= set(refused.value.facts["available"])


def test_an_encounter_that_is_opened_with_packs_keeps_them(folder: Path) -> None:
    options = opened_with({"campaign": "Moon"}, read_packs([folder], dnd5e()))
    fight = FightEngine.open(Opening(name="opened", dice="table", options=options))
    shutil.rmtree(folder)
    again = FightEngine(fight.events)
    assert [pack.name for pack in packs_of(again.battle)] == ["moon"]
    assert join(again, "knight", packs_of(again.battle), "Sir").sheet["weapons"][0]["name"] == "moonblade"
    assert again.battle.encounter.options["campaign"] == "Moon"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("moon", "pack/malformed"),
        ([{"sheets": {}}], "pack/malformed"),
        ([{"name": "m", "sheets": {"k": 7}}], "pack/malformed"),
        ([{"name": "m", "entries": {"spells": {"beam": {"archetype": "ray"}}}}], "archetype/unknown"),
        ([{"name": "m"}] * 51, "pack/malformed"),
    ],
)
def test_packs_among_the_options_are_checked(given: object, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        FightEngine.open(Opening(name="opened", options={"packs": given}))
    assert refused.value.code == code


# The other rulesets

THUG = {
    "name": "Thug",
    "attributes": dict.fromkeys(("str", "dex", "end", "int", "per", "wil"), 10),
    "skills": {"magery": 8, "axes": 6},
    "weapons": ["hook"],
    "spells": ["numb", "mend"],
    "items": {"black tar": 2, "antidote": 1},
}
NUMB = {"skill": "magery", "tv": 2, "range": 10, "effects": [{"does": "affect", "condition": "hampered", "rounds": 2}]}
TAR = {"effects": [{"does": "heal", "pool": "fat", "points": 3}]}


BORED = ("grimoire/unknown-condition", "'bored'")


@pytest.fixture
def street(tmp_path: Path) -> Path:
    write(tmp_path / "street" / "sheets" / "thug.yaml", THUG)
    write(tmp_path / "street" / "weapons.yaml", {"hook": {"skill": "axes", "reach": 1}})
    write(tmp_path / "street" / "spells.yaml", {"numb": NUMB})
    write(tmp_path / "street" / "items.yaml", {"black tar": TAR})
    return tmp_path / "street"


def test_a_pack_for_action_points_is_carried_in_the_sheet(street: Path) -> None:
    drill = Drill(ruleset="action_points")
    packs = read_packs([street], drill.ruleset)
    joined = join(drill.fight, "thug", packs, "Jack")
    shutil.rmtree(street)
    assert joined.sheet["items"]["black tar"] == {**TAR, "count": 2}
    assert joined.resources["black tar"].current == 2
    drill.join("guard", "Bor", side="foes")
    drill.start()
    fight = FightEngine(drill.fight.events)
    actor = fight.battle.combatants["jack"]
    menu = {section.title: [c.name for c in section.choices] for section in fight.ruleset.menu(fight.battle, actor)}
    assert (menu["Spells"], menu["Items"]) == (["numb", "mend"], ["black tar", "antidote"])
    fight.declare(Declaration(actor="bor", action="core:time:end-turn"))  # a guard has more skills, and goes first
    cast = Declaration(actor="jack", action="cast", targets=("bor",), options={"spell": "numb"})
    fight.declare(cast, dice=(0, 0, 0, 0))  # skill 13 against 2
    assert fight.battle.combatants["bor"].has("action_points:condition:hampered")
    use = Declaration(actor="jack", action="use_item", options={"item": "black tar"})
    fight.declare(use)
    assert fight.battle.combatants["jack"].economy.left("black tar") == 1


@pytest.mark.parametrize(
    ("file", "content", "code", "named"),
    [
        (
            "spells.yaml",
            {"numb": {**NUMB, "range": -1}},
            "spell/invalid",
            "street/spells.yaml, numb: The spell's",
        ),
        ("spells.yaml", {"numb": {**NUMB, "skill": "juggling"}}, "sheet/invalid", "'juggling'"),
        ("spells.yaml", {"numb": {**NUMB, "effects": [{"does": "cure", "condition": "bored"}]}}, *BORED),
        ("items.yaml", {"black tar": {}}, "item/invalid", "street/items.yaml, black tar"),
        ("items.yaml", {"black tar": {"effects": [{"does": "explode"}]}}, "item/invalid", "effects.0"),
        ("features.yaml", {"glow": GLOW}, "pack/unknown-file", "items.yaml"),
        ("sheets/thug.yaml", {**THUG, "items": {"black tar": 100}}, "sheet/invalid", "count"),
        ("sheets/thug.yaml", {**THUG, "spells": ["numb", "numb"]}, "sheet/invalid", "twice"),
    ],
)
def test_what_is_wrong_with_a_pack_for_action_points(
    street: Path, file: str, content: object, code: str, named: str
) -> None:
    write(street / file, content)
    with pytest.raises(Refusal) as refused:
        read_packs([street], rulesets.find("action_points"))
    assert (refused.value.code, named in refused.value.sentence) == (code, True), refused.value.sentence


@pytest.fixture
def spaceport(tmp_path: Path) -> Path:
    card = {"label": "Gain 2 movement points", "mpBonus": 2}
    write(tmp_path / "port" / "cards.yaml", {"Short Cut": card})
    write(tmp_path / "port" / "abilities.yaml", {"Dockhand": {"type": "specialAction", "label": "Lift", "mpBonus": 1}})
    write(tmp_path / "port" / "sheets" / "docker.yaml", DOCKER)
    return tmp_path / "port"


DOCKER = {"name": "Docker", "cost": 3, "health": 6, "speed": 4, "attack": ["red"], "abilities": ["Dockhand"]}


def test_a_skirmish_is_opened_with_a_packs_abilities_and_cards(spaceport: Path) -> None:
    rules = rulesets.find("skirmish")
    options = opened_with({}, read_packs([spaceport], rules))
    fight = FightEngine.open(Opening(name="port", ruleset="skirmish", options=options))
    library = fight.battle.encounter.options["library"]["abilities"]
    assert library["Short Cut"]["type"] == "ccEffect"
    assert library["Dockhand"]["label"] == "Lift"
    assert join(fight, "docker", packs_of(fight.battle), "Docker").sheet["abilities"] == ["Dockhand"]
    with pytest.raises(Refusal) as refused:
        packs_to_join([spaceport], rules)
    assert refused.value.code == "pack/too-late"


def test_a_packs_card_is_checked_like_any_other(spaceport: Path) -> None:
    write(spaceport / "cards.yaml", {"Short Cut": {"label": "x", "mpBonus": "two"}})
    with pytest.raises(Refusal) as refused:
        read_packs([spaceport], rulesets.find("skirmish"))
    assert (refused.value.code, "port/cards.yaml, Short Cut" in refused.value.sentence) == ("library/invalid", True)


def test_innate_spells_and_legendary_and_lair_actions_can_name_entries(folder: Path) -> None:
    write(folder / "spells.yaml", {"beam": BEAM})
    write(folder / "actions.yaml", {"flare": FLARE})
    more = {
        "innate_ability": "cha",
        "innate": [{"spell": "beam", "uses": 2}],
        "legendary_actions": 3,
        "legendary": ["moonblade", {"name": "flare", "cost": 2}],
        "lair": ["flare"],
    }
    write(folder / "sheets" / "knight.yaml", {**KNIGHT, **more})
    fight = FightEngine.open(Opening(name="moonlit"))
    joined = join(fight, "knight", [read_pack(folder)], "Selene")
    assert joined.sheet["innate"] == [{"spell": {"name": "beam", **BEAM}, "uses": 2}]
    assert joined.sheet["legendary"] == [{"name": "moonblade"}, {"name": "flare", "cost": 2, **FLARE}]
    assert joined.sheet["lair"] == [{"name": "flare", **FLARE}]


def test_the_monster_in_the_documentation_can_join() -> None:
    text = (Path(__file__).parents[3] / "docs" / "packs.md").read_text().partition("## Monsters")[2]
    stat_block, after_hits = (yaml.safe_load(part.partition("```")[0]) for part in text.split("```yaml\n")[1:3])
    features = [{"name": name, **entry} for name, entry in after_hits.items()]
    rules = dnd5e()
    joined = rules.recruit(Enlistment(sheet=rules.sheet("ogre"), overrides={**stat_block, "features": features}))
    assert {"legendary_action", "legendary_resistance", "lair_magma", "innate_fireball"} <= set(joined.resources)
