"""`advise`, `auto`, `simulate` and `--pack` on the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from cli import autoplay
from combatlog.rules.autoplay import simulate
from tests.cli.conftest import Prepare, Run

SCENARIO = {
    "encounter": "Ambush",
    "combatants": [
        {"sheet": "fighter", "as": "Rurik", "at": [2, 2]},
        {"sheet": "goblin", "as": "Snig", "side": "foes", "at": [6, 2]},
    ],
}


@pytest.fixture
def fray(prepare: Prepare) -> Run:
    """A fight with seeded dice where it is Snig's turn."""
    return prepare(
        ("new", "fray", "--dice", "seed:4"),
        ("join", "fray", "fighter", "--as", "Rurik", "--at", "2,2"),
        ("join", "fray", "goblin", "--as", "Snig", "--side", "foes", "--at", "6,2"),
        ("start", "fray", "--dice", "1,20"),
    )


@pytest.fixture
def ambush(tmp_path: Path) -> str:
    path = tmp_path / "ambush.yaml"
    path.write_text(yaml.safe_dump(SCENARIO))
    return str(path)


def test_advice_for_dnd5e_is_ranked_with_its_metrics(fray: Run) -> None:
    advice = json.loads(fray("advise", "fray", "snig", "--json").out)
    scores = [entry["score"] for entry in advice]
    assert scores == sorted(scores, reverse=True)
    assert advice[0]["recommended"]
    assert advice[0]["metrics"]
    shown = fray("advise", "fray", "snig").out
    assert advice[0]["choice"] in shown
    assert "Expected damage" in shown


def test_a_side_plays_itself_until_the_other_has_to_act(fray: Run) -> None:
    ran = fray("auto", "fray", "--side", "foes")
    assert ran.status == 0
    assert "snig: " in ran.out
    assert "expected damage" in ran.out
    assert "It is Rurik's turn." in ran.out


def test_playing_to_the_end_closes_the_fight_and_it_verifies(fray: Run) -> None:
    steps = json.loads(fray("auto", "fray", "--to-end", "--json").out)
    assert steps[-1]["what"] == "closes the fight"
    assert fray("verify", "fray").status == 0
    again = fray("auto", "fray", "--to-end")
    assert (again.status, "encounter/closed" in again.err) == (1, True)


def test_playing_by_turns(fray: Run) -> None:
    assert "It is Rurik's turn." in fray("auto", "fray", "--quiet").out
    assert "It is Rurik's turn." in fray("auto", "fray", "--turns", "2", "--quiet").out


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--turns", "1", "--to-end"), 2, "one of"),
        (("--turns", "0"), 2, "--turns"),
        (("--side", "pirates"), 1, "auto/unknown-side"),
    ],
)
def test_wrong_input_is_refused(fray: Run, arguments: tuple[str, ...], status: int, said: str) -> None:
    ran = fray("auto", "fray", *arguments)
    assert (ran.status, said in ran.err) == (status, True)


def test_a_skirmish_that_has_not_started_is_not_played(run: Run) -> None:
    run("new", "cards", "--ruleset", "skirmish")
    ran = run("auto", "cards")
    assert (ran.status, "auto/not-started" in ran.err) == (1, True)


def test_a_simulation_shows_shares_and_writes_nothing(run: Run, ambush: str) -> None:
    ran = run("simulate", ambush, "--runs", "4", "--seed", "7", "--jobs", "1")
    assert ran.status == 0
    assert "4 fights" in ran.out
    assert "95% confidence" in ran.out
    assert "rounds" in ran.out
    assert json.loads(run("list", "--json").out)["total"] == 0


def test_a_recorded_simulation_is_in_the_ledger(run: Run, ambush: str) -> None:
    ran = run("simulate", ambush, "--runs", "2", "--jobs", "1", "--record", "--json")
    assert json.loads(ran.out)["fights"] == 2
    assert json.loads(run("list", "--json").out)["total"] == 2
    again = run("simulate", ambush, "--runs", "2", "--jobs", "2", "--record")
    assert (again.status, "ledger/name-taken" in again.err) == (1, True)


def test_a_pack_brings_sheets_to_a_fight(run: Run, tmp_path: Path) -> None:
    sheet = {"name": "Knight", "nature": "monster", "ac": 18, "hp": 28}
    sheet["abilities"] = dict.fromkeys(("str", "dex", "con", "int", "wis", "cha"), 12)
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets" / "jouster.yaml").write_text(yaml.safe_dump(sheet))
    run("new", "joust")
    assert "Knight joins" in run("join", "joust", "jouster", "--pack", str(tmp_path)).out
    without = run("join", "joust", "jouster", "--as", "Other")
    assert (without.status, "sheet/unknown" in without.err) == (1, True)
    missing = run("join", "joust", "knight", "--pack", str(tmp_path / "nowhere"))
    assert (missing.status, "pack/no-folder" in missing.err) == (1, True)


def test_nobody_plays_itself_with_dice_from_the_table(bridge: Run) -> None:
    before = bridge("log", "bridge").out
    refused = bridge("auto", "bridge", "--turns", "1")
    assert refused.code == "auto/table-dice"
    assert bridge("log", "bridge").out == before


def test_a_turn_that_needs_no_dice_is_played_with_any(run: Run) -> None:
    """Nobody is near enough to strike at, so the goblin moves and is done."""
    for arguments in (
        ("new", "meadow", "--dice", "table"),
        ("join", "meadow", "goblin", "--as", "Snig", "--side", "foes", "--at", "0,0", "--set", "weapons=[scimitar]"),
        ("join", "meadow", "fighter", "--as", "Rurik", "--at", "29,0"),
        ("start", "meadow", "--dice", "20,1"),
        ("auto", "meadow", "--turns", "1"),
    ):
        assert run(*arguments).status == 0
    assert "It is Rurik's turn" in run("auto", "meadow", "--side", "foes").out


def test_an_interrupted_simulation_says_how_far_it_came(run: Run, ambush: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(plan: simulate.SimulationPlan, jobs: int | None) -> Iterator[simulate.SimulationResult]:
        yield simulate.run_one(plan, 0)
        raise KeyboardInterrupt

    monkeypatch.setattr(autoplay, "run_all", interrupted)
    stopped = run("simulate", ambush, "--runs", "9", "--record")
    assert stopped.status == 130
    assert stopped.err.startswith("Interrupted after 1 of 9 fights. Fights that were finished are recorded")
    assert stopped.err.count("\n") == 1
    assert "is as recorded" in run("verify", "--all").out


def test_mixed_dice_from_the_command_line(run: Run) -> None:
    run("new", "mill", "--dice", "heroes=table,foes=random")
    run("join", "mill", "fighter", "--as", "Rurik", "--at", "1,1")
    run("join", "mill", "goblin", "--as", "Snig", "--side", "foes", "--at", "2,1")
    assert run("start", "mill").code == "dice/too-few"
    assert run("start", "mill", "--dice", "11").status == 0
    assert "table for heroes and random for foes" in run("log", "mill", "--all").out
    assert run("auto", "mill", "--side", "heroes").code == "auto/table-dice"
    assert run("verify", "mill").status == 0
    assert run("new", "x", "--dice", "heroes=tabel").code == "dice/source"
