"""Foundry VTT: chat and combats from exports, old files and a world's databases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import plyvel
import pytest

import combatlog
from ledger.errors import Problem
from ledger.events import (
    AttackResolved,
    CombatantJoined,
    Declared,
    InitiativeSet,
    NoteAbout,
    Noted,
    Rolled,
    RollMode,
    RoundStarted,
    SaveResolved,
    TurnStarted,
)
from tests.rules.logs.conftest import Import
from tests.rules.logs.foundry_world import EVENING, SNIG, combat, die, evening, message, plus, roll

NAME = "Foundry world 2024-01-07 20:00"


def all_of(ledger: combatlog.Ledger, kind: Any, name: str = NAME) -> list[Any]:
    return [event for event in ledger.fight(name).events() if isinstance(event, kind)]


def write(form: str, documents: list[Any], folder: Path) -> Path:
    if form == "leveldb":
        return _world(documents, folder)
    path = folder / "world.json"
    text = {
        "list": json.dumps(documents),
        "indented": "\n " + json.dumps(documents, indent=2),
        "lines": "".join(f"{json.dumps(document)}\n" for document in documents),
        "export": json.dumps({"messages": documents}),
    }[form]
    path.write_text(text, encoding="utf-8")
    return path


def _world(documents: list[Any], folder: Path) -> Path:
    """Combatants are documents of their own there, next to their combat."""
    data = folder / "world" / "data"
    for kind in ("messages", "combats"):
        (data / kind).mkdir(parents=True)
        with plyvel.DB(str(data / kind), create_if_missing=True) as database:
            for document in reversed(documents):
                if ("combatants" in document) == (kind == "combats"):
                    parts = document.get("combatants", [])
                    stored = {**document, "combatants": [part["_id"] for part in parts]} if parts else document
                    database.put(f"!{kind}!{document['_id']}".encode(), json.dumps(stored).encode())
                    for part in parts:
                        key = f"!combats.combatants!{document['_id']}.{part['_id']}"
                        database.put(key.encode(), json.dumps(part).encode())
    return data


@pytest.mark.parametrize("form", ["list", "indented", "lines", "export", "leveldb"])
def test_every_way_to_get_it_says_the_same(opened: combatlog.Ledger, tmp_path: Path, form: str) -> None:
    path = write(form, evening(), tmp_path)
    done = opened.import_log("foundry", [path])
    assert (done.fights, done.unread) == (1, {})
    (resolved,) = all_of(opened, AttackResolved)
    assert (resolved.attacker, resolved.target, resolved.weapon, resolved.hit) == ("rurik", "snig", "Longsword", True)
    assert (resolved.roll, resolved.total, resolved.against) == (15, 20, 15)
    attack, damage, save = all_of(opened, Rolled)
    assert (attack.notation, attack.faces, attack.modifiers[0].amount) == ("1d20", (15,), 5)
    assert (damage.purpose, damage.total, damage.modifiers[0].source) == ("damage", 9, "recorded:modifier:strength")
    assert (save.faces, save.kept, save.mode, save.purpose) == ((17, 7), (7,), RollMode.DISADVANTAGE, "wis save")
    (saved,) = all_of(opened, SaveResolved)
    assert (saved.saver, saved.save, saved.success, saved.against) == ("snig", "wis", False, 12)
    assert [(note.about, note.text) for note in all_of(opened, Noted)] == [(NoteAbout.SAID, "For the king !")]
    assert (
        opened.import_log(
            "foundry", [tmp_path / "world" / "data" if form == "leveldb" else tmp_path / "world.json"]
        ).events
        == 0
    )
    (report,) = opened.verify([NAME])
    assert report.findings == []


def test_each_event_leads_to_its_message(opened: combatlog.Ledger, tmp_path: Path) -> None:
    documents = evening()
    opened.import_log("foundry", [write("list", documents, tmp_path)])
    (resolved,) = all_of(opened, AttackResolved)
    declared = opened.fight(NAME).events()[resolved.declaration - 1]
    assert isinstance(declared, Declared)
    assert declared.options == {"line": 3, "id": documents[2]["_id"]}
    assert declared.recorded_at.timestamp() * 1000 == EVENING + 120_000


@pytest.mark.parametrize(
    ("total", "natural", "options", "ac", "hit", "critical"),
    [
        (15, 10, {}, 15, True, False),  # a tie hits
        (14, 9, {}, 15, False, False),
        (25, 20, {}, 30, True, True),
        (24, 19, {"criticalSuccess": 19}, 30, True, True),
        (24, 19, {}, 30, False, False),
        (31, 1, {}, 30, False, False),  # a fumble misses
    ],
)
def test_hit_and_miss_are_what_the_card_shows(
    opened: combatlog.Ledger,
    tmp_path: Path,
    total: int,
    natural: int,
    options: dict[str, int],
    ac: int,
    hit: bool,
    critical: bool,
) -> None:
    made = roll(total, die(20, natural), *plus(total - natural), **options)
    sent = message("Rurik", made, flavor="Bow - Attack", roll={"type": "attack"}, targets=[{**SNIG, "ac": ac}])
    opened.import_log("foundry", [write("list", [sent], tmp_path)])
    (resolved,) = all_of(opened, AttackResolved)
    assert (resolved.hit, resolved.critical) == (hit, critical)


def test_without_an_armor_class_there_is_a_roll_and_no_verdict(opened: combatlog.Ledger, tmp_path: Path) -> None:
    made = roll(15, die(20, 10), *plus(5))
    sent = message("Rurik", made, roll={"type": "attack"}, targets=[{**SNIG, "ac": None}])
    opened.import_log("foundry", [write("list", [sent], tmp_path)])
    assert all_of(opened, AttackResolved) == []
    assert len(all_of(opened, Rolled)) == 1


def test_a_silence_of_six_hours_ends_a_session_and_a_longer_export_goes_on(
    opened: combatlog.Ledger, tmp_path: Path
) -> None:
    late = message("Rurik", roll(4, die(20, 4)), minutes=24 * 60)
    assert opened.import_log("foundry", [write("list", [*evening()[:2], late], tmp_path)]).fights == 2
    later = message("Rurik", roll(5, die(20, 5)), minutes=24 * 60 + 5)
    documents = json.loads((tmp_path / "world.json").read_text())
    assert opened.import_log("foundry", [write("list", [*documents, later], tmp_path)]).events == 2
    assert [rolled.total for rolled in all_of(opened, Rolled, "Foundry world 2024-01-08 20:00")] == [4, 5]


@pytest.mark.parametrize("form", ["list", "leveldb"])
def test_a_combat_says_who_takes_part_and_whose_turn_it_is(opened: combatlog.Ledger, tmp_path: Path, form: str) -> None:
    path = write(form, [combat()], tmp_path)
    opened.import_log("foundry", [path])
    assert opened.import_log("foundry", [path]).events == 0
    name = "Foundry combat combat0000000001"
    assert {joined.name for joined in all_of(opened, CombatantJoined, name)} == {"Snig", "Rurik", "Late"}
    (order,) = all_of(opened, InitiativeSet, name)
    assert [(entry.combatant, entry.value) for entry in order.order] == [("rurik", 15), ("snig", 12)]
    assert [event.number for event in all_of(opened, RoundStarted, name)] == [2]
    assert [event.combatant for event in all_of(opened, TurnStarted, name)] == ["snig"]


HOSTILE: list[Any] = [
    None,
    7,
    "text",
    [],
    {},
    {"_id": 7},
    {"_id": ""},
    {"_id": "a", "timestamp": "yesterday", "speaker": 7, "rolls": 7, "flags": []},
    {"_id": "b", "timestamp": 10**30, "speaker": {"alias": "\x00\u202e"}, "content": "<" * 50_000},
    {
        "_id": "c",
        "rolls": ["not json", "[[[", "{}", '{"total": "many"}', None, '{"total": 1e400}'],
        "speaker": {"alias": "X"},
    },
    {"_id": "d", "rolls": [roll(5, {"results": [{"result": "x"}, 7], "faces": "many"}, {"operator": 7}, 9)]},
    {
        "_id": "e",
        "rolls": [roll(5, die(20, 10**12))],
        "flags": {"dnd5e": {"roll": {"type": ["x"]}, "targets": [7, {"name": 7}]}},
    },
    {"_id": "f", "rolls": [roll(-3, die(20, 2), *plus(-5))], "flags": {"dnd5e": {"roll": {"type": "attack"}}}},
    {"_id": "g", "combatants": [7, {"name": None}, {"name": "gm", "initiative": "x"}], "round": "x", "turn": [1]},
    {"_id": "h", "combatants": [], "round": 10**30},
]


@pytest.mark.parametrize("form", ["list", "lines"])
def test_hostile_documents_end_nothing(opened: combatlog.Ledger, tmp_path: Path, form: str) -> None:
    done = opened.import_log("foundry", [write(form, [*HOSTILE, *evening()], tmp_path)])
    assert done.unread == {"no document": 7}
    assert all(report.stands for report in opened.verify())
    assert len(all_of(opened, AttackResolved)) == 1
    assert opened.sql("SELECT count(*) FROM encounters").rows[0][0] >= 2


@pytest.mark.parametrize("text", ["[", "[{", "", "[1,", '[{"_id": "a"}, {"_id": "b"', "[" * 9_000, "{}}{", "\x00"])
def test_truncated_and_broken_files_end_nothing(take_in: Import, text: str) -> None:
    done = take_in("foundry", text, "world.json")
    assert done.events <= 3  # the fight, and a note of what is broken


def test_a_truncated_export_keeps_what_is_whole(opened: combatlog.Ledger, take_in: Import) -> None:
    text = json.dumps(evening())
    done = take_in("foundry", text[:-40], "world.json")
    assert done.unread == {"no document": 1}
    assert len(all_of(opened, AttackResolved)) == 1


def test_a_folder_that_is_no_database_is_refused(opened: combatlog.Ledger, tmp_path: Path) -> None:
    with pytest.raises(Problem) as refused:
        opened.import_log("foundry", [tmp_path])
    assert refused.value.code == "import-log/leveldb"
    assert list(tmp_path.iterdir()) == []  # and nothing is left behind in it
