"""The fight in use, and the short forms `hit`, `cast` and `move`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run

HOME, FIGHT = "COMBATLOG_HOME", "COMBATLOG_FIGHT"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME, str(tmp_path))
    monkeypatch.delenv(FIGHT, raising=False)


@pytest.fixture
def used(bridge: Run) -> Run:
    """The fight at the bridge is in use, and there is another one."""
    assert bridge("use", "bridge").out == "Commands that name no fight now use bridge.\n"
    assert bridge("new", "other").status == 0
    return bridge


def last(run: Run, fight: str = "bridge") -> dict[str, object]:
    declared: list[dict[str, object]] = json.loads(run("log", fight, "--kind", "declared", "--json").out)
    return declared[-1]


def test_commands_without_a_name_are_about_the_fight_in_use(used: Run) -> None:
    shown = used("status")
    assert (shown.status, shown.err) == (0, "In bridge:\n")
    assert used("end-turn", "snig").status == 0
    assert last(used)["action"] == "core:time:end-turn"


def test_a_fight_that_is_named_goes_first(used: Run) -> None:
    shown = used("status", "other")
    assert (shown.status, shown.err) == (0, "")
    assert "other" in shown.out


def test_the_variable_goes_before_what_is_remembered(used: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FIGHT, "other")
    assert used("status").err == "In other:\n"
    assert used("use").out == "other (COMBATLOG_FIGHT)\n"


def test_programs_are_told_nothing_but_the_result(used: Run) -> None:
    shown = used("status", "--json")
    assert shown.err == ""
    assert json.loads(shown.out)["name"] == "bridge"


def test_it_can_be_forgotten(used: Run) -> None:
    assert used("use").out == "bridge (combatlog use)\n"
    assert used("use", "--clear").out == used("use").out == "No fight is in use.\n"
    assert used("status").status == 2


def test_what_is_remembered_belongs_to_one_database(
    used: Run, embedded: str, make_database: Callable[[str], str]
) -> None:
    assert used("--database", make_database(embedded), "use").out == "No fight is in use.\n"


def test_a_broken_file_is_as_good_as_none(used: Run, tmp_path: Path) -> None:
    (tmp_path / "fights-in-use.json").write_text("[1, 2")
    assert used("use").out == "No fight is in use.\n"
    assert used("use", "bridge").status == 0


@pytest.mark.parametrize("command", [("conclude",), ("label", "practice"), ("conclude", "brigde")])
def test_what_ends_or_labels_a_fight_needs_its_name(used: Run, command: tuple[str, ...]) -> None:
    assert used(*command).status != 0
    assert not json.loads(used("status", "--json").out)["closed"]


@pytest.mark.parametrize(
    "command",
    [
        ("undo", "brigde", "--yes"),
        ("rule", "brigde", "--set", "hp=1", "--reason", "no"),
        ("end-turn", "brigde"),
        ("leave", "brigde", "snig"),
        ("do", "brigde", "snig", "dodge"),
        ("hit", "brigde", "rurik", "15"),
    ],
)
def test_a_mistyped_name_changes_no_other_fight(used: Run, command: tuple[str, ...]) -> None:
    before = used("log", "--json").out
    assert used(*command).status != 0
    assert used("log", "--json").out == before


def test_an_unknown_fight_cannot_be_used(bridge: Run) -> None:
    assert bridge("use", "brigde").code == "ledger/unknown-encounter"
    assert bridge("use").out == "No fight is in use.\n"


@pytest.mark.parametrize(
    "command",
    [
        ("hit", "rurik", "15", "4", "--reply", "osric=pass"),
        ("hit", "bridge", "rur", "15", "4", "--reply", "osric=pass"),
        ("hit", "rurik", "--dice", "15,4", "--with", "scimitar", "--reply", "osric=pass"),
    ],
)
def test_a_hit_with_its_dice(used: Run, command: tuple[str, ...]) -> None:
    ran = used(*command)
    assert ran.status == 0, ran.err
    assert "Snig hits Rurik with a scimitar: 19 against 16" in ran.out
    assert (last(used)["action"], last(used)["weapon"]) == ("dnd5e:action:melee_attack", "scimitar")


def test_a_hit_without_dice_says_all_that_it_needs(used: Run) -> None:
    refused = used("hit", "rurik", "--reply", "osric=pass")
    assert refused.code == "dice/too-few"
    assert "Snig: d20+4, attack on Rurik with a scimitar; Snig: d6+2, damage to Rurik, if it hits;" in refused.err
    assert "Not needed after all: 4." in used("hit", "rurik", "2", "4", "--reply", "osric=pass").out


def test_a_move_says_what_it_costs_and_provokes_before_it_happens(used: Run) -> None:
    before = used("log", "--json").out
    told = used("move", "4,5", "--dry-run").out
    assert told == "To 4,5: 15 movement, 15 left. Provokes opportunity attack from Rurik and Osric.\n"
    assert used("log", "--json").out == before
    assert used("move", "5,2", "--reply", "rurik=pass").status == 0
    assert last(used)["destination"] == [5, 2]


def test_a_spell(used: Run) -> None:
    assert used("join", "cleric", "--as", "Ysolde", "--at", "2,2", "--dice", "9").status == 0
    while json.loads(used("status", "--json").out)["turn"] != "ysolde":
        used("end-turn", json.loads(used("status", "--json").out)["turn"])
    assert used("cast", "bless", "osric", "rurik").status == 0
    assert last(used)["targets"] == ["osric", "rurik"]
    assert used("cast", "blss").code == "spell/unknown"
