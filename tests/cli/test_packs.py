"""The example pack, played to the end from the command line; and the commands for those who write packs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from ledger.store.database import URL_VARIABLE
from tests.cli.conftest import Prepare, Run

FROST = Path(__file__).parents[2] / "docs" / "examples" / "frost"


@pytest.fixture
def hall(prepare: Prepare) -> Run:
    """A fight with everybody of the pack; it was opened with it, so joining needs no more than names."""
    return prepare(
        ("new", "hall", "--dice", "seed:7", "--pack", str(FROST)),
        ("join", "hall", "ice_wizard", "--as", "Ilse", "--at", "2,3"),
        ("join", "hall", "winter_knight", "--as", "Bran", "--at", "3,2"),
        ("join", "hall", "fighter", "--as", "Rurik", "--at", "3,4"),
        ("join", "hall", "young_frost_dragon", "--as", "Skadi", "--side", "foes", "--at", "9,3"),
        ("join", "hall", "snow_ghoul", "--as", "Gnaw", "--side", "foes", "--at", "8,4"),
        ("start", "hall", "--dice", "20,15,1,10,5"),
    )


def elsewhere(database: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, which has never seen the pack."""
    command = [sys.executable, "-m", "cli.app", *arguments]
    return subprocess.run(
        command, env={**os.environ, URL_VARIABLE: database}, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.slow
def test_a_fight_of_the_example_pack_plays_itself_and_verifies_elsewhere(hall: Run, cli_database: str) -> None:
    steps = json.loads(hall("auto", "hall", "--to-end", "--json").out)
    assert steps[-1]["what"] == "closes the fight"
    chosen = " ".join(step["what"] for step in steps)
    assert "frost breath" in chosen
    assert "hailstorm" in chosen or "ice bolt" in chosen
    verified = elsewhere(cli_database, "verify", "hall")
    assert (verified.returncode, "is as recorded" in verified.stdout) == (0, True), verified.stdout + verified.stderr


@pytest.mark.slow
def test_corrections_need_no_pack(hall: Run, cli_database: str) -> None:
    assert hall("do", "hall", "ilse", "ice_bolt", "--target", "gnaw", "--dice", "15,3,4").status == 0
    assert hall("do", "hall", "ilse", "move", "--to", "1,3").status == 0
    events = json.loads(hall("log", "hall", "--json").out)
    (bolt,) = [event["seq"] for event in events if event.get("action") == "dnd5e:spell:ice_bolt"]
    forked = elsewhere(cli_database, "fork", "hall", "--at", str(bolt - 1), "--as", "what if")
    assert forked.returncode == 0, forked.stderr
    again = elsewhere(cli_database, "do", "what if", "ilse", "hailstorm", "--to", "8,4")
    assert again.returncode == 0, again.stderr
    amended = elsewhere(cli_database, "amend", "hall", str(bolt), "--target", "skadi", "--yes", "--reason", "misheard")
    assert amended.returncode == 0, amended.stderr
    undone = elsewhere(cli_database, "undo", "what if", "--yes", "--reason", "no")
    assert undone.returncode == 0, undone.stderr
    for name in ("hall", "what if"):
        assert elsewhere(cli_database, "verify", name).returncode == 0
    menu = elsewhere(cli_database, "actions", "hall", "skadi")
    assert "frost_breath" in menu.stdout
    assert "unknown-action" not in elsewhere(cli_database, "do", "hall", "skadi", "frost_breath").stderr


def test_a_pack_is_named_when_somebody_joins_as_well(run: Run) -> None:
    run("new", "late")
    assert "Snow Ghoul joins" in run("join", "late", "snow_ghoul", "--pack", str(FROST)).out
    ran = run("join", "late", "snow_ghoul", "--as", "Other")
    assert (ran.status, "sheet/unknown" in ran.err) == (1, True)


def test_a_scenario_may_be_simulated_with_a_pack(run: Run, tmp_path: Path) -> None:
    combatants = [
        {"sheet": "ice_wizard", "as": "Ilse", "at": [1, 1]},
        {"sheet": "snow_ghoul", "as": "Gnaw", "side": "foes", "at": [5, 1]},
    ]
    (tmp_path / "cold.yaml").write_text(yaml.safe_dump({"encounter": "Cold", "combatants": combatants}))
    ran = run("simulate", str(tmp_path / "cold.yaml"), "--runs", "3", "--jobs", "2", "--pack", str(FROST), "--json")
    assert (ran.status, json.loads(ran.out)["fights"]) == (0, 3)


def test_pack_check_lists_what_it_brings(run: Run) -> None:
    ran = run("pack", "check", str(FROST))
    assert (ran.status, "No problems." in ran.out) == (0, True)
    (report,) = json.loads(run("pack", "check", str(FROST), "--json").out)
    assert report["brings"]["actions"] == ["bury_in_snow", "frost_breath", "lick_wounds", "tail_sweep"]
    assert report["problems"] == []


def test_pack_check_lists_everything_that_is_wrong(run: Run, tmp_path: Path) -> None:
    (tmp_path / "spells.yaml").write_text("a: {archetype: ray}\nb: {archetype: bolt, level: 99}\n")
    ran = run("pack", "check", str(tmp_path))
    assert ran.status == 1
    assert "archetype/unknown" in ran.out
    assert "b's" in ran.out
    assert "2 problems; the pack cannot be used." in ran.out
    assert run("pack", "check", str(tmp_path / "none")).status == 1
    assert "ruleset/unknown" in run("pack", "check", str(FROST), "--ruleset", "chess").err


def test_pack_check_goes_on_after_a_file_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "weapons.yaml").write_text("axe: {damage: 1d10\nmace: [")
    (tmp_path / "spells.yaml").write_text("a: {archetype: ray}\nb: 7\n")
    (tmp_path / "feature.yaml").write_text("glow: {archetype: trait}\n")
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets" / "guard.yaml").write_text("weapons: [axe]\n")
    ran = run("pack", "check", str(tmp_path))
    codes = ("pack/malformed", "file/malformed", "archetype/unknown", "pack/unknown-file")
    assert [ran.out.count(f"[{code}]") for code in codes] == [1, 1, 1, 1]
    assert "Did you mean features.yaml?" in ran.out
    assert "4 problems; the pack cannot be used." in ran.out
    (report,) = json.loads(run("pack", "check", str(tmp_path), "--json").out)
    assert [problem["code"] for problem in report["problems"]].count("file/malformed") == 1
    assert report["unchecked"] == [f"{tmp_path.name}/sheets/guard.yaml"]


def test_pack_check_suggests_the_folder_that_was_meant(run: Run) -> None:
    ran = run("pack", "check", str(FROST.with_name("frist")))
    assert (ran.status, f"Did you mean {FROST}?" in " ".join(ran.out.split())) == (1, True)


def test_pack_archetypes_shows_what_there_is(run: Run) -> None:
    listed = run("pack", "archetypes").out
    assert all(name in listed for name in ("spells.yaml", "archetype: area", "archetype: on_hit", "weapons.yaml"))
    shown = run("pack", "archetypes", "area").out
    assert "damage_type: acid" in shown
    assert "recharge: 2 to 6" in shown
    forms = json.loads(run("pack", "archetypes", "trait", "--json").out)
    assert [(form["section"], form["archetype"]) for form in forms] == [("features", "trait")]
    assert "pool: fat or vit" in run("pack", "archetypes", "items", "--ruleset", "action_points").out
    assert "archetype/unknown" in run("pack", "archetypes", "nonsense").err


def test_a_skirmish_takes_its_cards_when_it_opens(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cards.yaml").write_text("Short Cut: {label: Gain 2 movement points, mpBonus: 2}\n")
    assert run("new", "port", "--ruleset", "skirmish", "--pack", str(tmp_path)).status == 0
    late = run("join", "port", "scout", "--pack", str(tmp_path))
    assert (late.status, "pack/too-late" in late.err) == (1, True)
