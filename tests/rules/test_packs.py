from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from ledger.events import CombatantJoined
from rules import ruleset as rulesets
from rules.fight import Declaration
from rules.lifecycle import enlist
from rules.packchecks import check_pack
from rules.packs import find_sheet, read_pack
from rules.refusal import Refusal
from tests.support import Drill, only

KNIGHT = {
    "name": "Knight",
    "nature": "character",
    "abilities": {"str": 16, "dex": 12, "con": 14, "int": 10, "wis": 10, "cha": 12},
    "ac": 18,
    "hp": 28,
    "weapons": ["moonblade", "longbow"],
}
MOONBLADE = {"damage": "1d10", "damage_type": "radiant", "bonus": 1}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "moon" / "sheets" / "knight.yaml", KNIGHT)
    write(tmp_path / "moon" / "creatures" / "moth.yaml", {**KNIGHT, "name": "Moth", "weapons": []})
    write(tmp_path / "moon" / "weapons.yaml", {"moonblade": MOONBLADE})
    return tmp_path / "moon"


def write(path: Path, data: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(data))


def test_a_pack_has_sheets_and_creatures(folder: Path) -> None:
    pack = read_pack(folder)
    check_pack(rulesets.find("dnd5e"), pack)
    assert sorted(pack.sheets) == ["knight", "moth"]


def test_a_sheet_of_a_pack_is_recorded_in_full(folder: Path) -> None:
    drill = Drill()
    options = enlist(drill.ruleset, "knight", {"name": "Sir"}, [read_pack(folder)])
    events = drill.fight.declare(Declaration(actor="gm", action="core:time:join", options=options))
    weapons = only(events, CombatantJoined).sheet["weapons"]
    assert weapons[0] == {"name": "moonblade", "damage": "1d10", "damage_type": "radiant", "bonus": 1}
    assert weapons[1]["name"] == "longbow"


def test_the_pack_that_was_named_last_goes_first_and_the_ruleset_is_still_there(folder: Path, tmp_path: Path) -> None:
    write(tmp_path / "sun" / "sheets" / "knight.yaml", {**KNIGHT, "hp": 99, "weapons": []})
    packs, rules = [read_pack(folder), read_pack(tmp_path / "sun")], rulesets.find("dnd5e")
    assert find_sheet(rules, packs, "knight")["hp"] == 99
    assert find_sheet(rules, packs, "goblin") == rules.sheet("goblin")


@pytest.mark.parametrize(
    ("file", "content", "code", "named"),
    [
        ("sheets/knight.yaml", {**KNIGHT, "hp": "many"}, "sheet/invalid", "moon/sheets/knight.yaml"),
        ("sheets/knight.yaml", {**KNIGHT, "features": ["flight"]}, "sheet/unknown-feature", "moon/sheets/knight.yaml"),
        ("sheets/knight.yaml", ["a list"], "pack/malformed", "knight.yaml"),
        (
            "weapons.yaml",
            {"moonblade": {**MOONBLADE, "damage": "lots"}},
            "weapon/invalid",
            "moon/weapons.yaml, moonblade",
        ),
        ("creatures/knight.yaml", KNIGHT, "pack/twice", "'knight'"),
    ],
)
def test_what_is_wrong_is_named(folder: Path, file: str, content: object, code: str, named: str) -> None:
    write(folder / file, content)
    with pytest.raises(Refusal) as refused:
        check_pack(rulesets.find("dnd5e"), read_pack(folder))
    assert refused.value.code == code
    assert named in refused.value.sentence


def test_an_empty_folder_and_no_folder_are_refused(tmp_path: Path) -> None:
    for path, code in ((tmp_path, "pack/empty"), (tmp_path / "none", "pack/no-folder")):
        with pytest.raises(Refusal) as refused:
            read_pack(path)
        assert refused.value.code == code


def test_a_sheet_that_nobody_has_is_refused_with_those_that_there_are(folder: Path) -> None:
    with pytest.raises(Refusal, match="moth"):
        find_sheet(rulesets.find("dnd5e"), [read_pack(folder)], "dragon")
