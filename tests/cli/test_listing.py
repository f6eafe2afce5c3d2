"""The list of encounters: whatever the width, each is named, dated and said how far it has got."""

from __future__ import annotations

import json

import pytest

import combatlog
from cli.render.terminal import console
from combatlog import Undo
from tests.cli.conftest import Run

LONG = "The siege of Ravenhold, third night, with the reinforcements from the river"


@pytest.fixture
def fights(cli_database: str) -> None:
    with combatlog.open() as ledger:
        ledger.new(LONG, "action_points")
        under_way = ledger.new("龍の洞窟", dice="table")
        under_way.join("fighter", "Rurik")
        under_way.start(dice=[10])
        under_way.end_turn("rurik")
        over = ledger.new("Duel", dice="table")
        over.conclude()


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.usefixtures("fights")
@pytest.mark.parametrize("columns", [40, 60, 80, 120, 200])
def test_no_name_is_cut_off(run: Run, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    console.cache_clear()
    shown = run("list").out
    console.cache_clear()
    for part in LONG.split():
        assert part in shown
    assert "龍の洞窟" in shown
    for fact in ("action_points", "not started", "round 2", "over"):
        assert fact in words(shown)


@pytest.mark.usefixtures("fights")
def test_ids_are_shown_where_there_is_room_and_where_they_are_wanted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    encounter = json.loads(run("list", "--json").out)["encounters"][0]["encounter"]
    for columns, arguments, is_shown in (
        ("60", ("list",), False),
        ("60", ("list", "--ids"), True),
        ("160", ("list",), True),
    ):
        monkeypatch.setenv("COLUMNS", columns)
        console.cache_clear()
        assert (encounter in run(*arguments).out) is is_shown
    console.cache_clear()


@pytest.mark.usefixtures("fights")
def test_how_far_each_has_got_is_a_field(run: Run) -> None:
    listed = json.loads(run("list", "--json").out)["encounters"]
    assert [(entry["state"], entry["round"]) for entry in listed] == [("over", 0), ("under way", 2), ("not started", 0)]


def test_what_was_taken_back_does_not_count(run: Run, cli_database: str) -> None:
    with combatlog.open() as ledger:
        fight = ledger.new("Duel", dice="table")
        fight.join("fighter", "Rurik")
        fight.start(dice=[10])
        closed = fight.conclude()
        fight.apply(fight.plan(Undo(reason="not yet")))
        fork = fight.fork("What if", closed[0].seq - 1)
        fork.end_turn("rurik")
    listed = json.loads(run("list", "--json").out)["encounters"]
    assert {entry["name"]: (entry["state"], entry["round"]) for entry in listed} == {
        "Duel": ("under way", 1),
        "What if": ("under way", 2),
    }
