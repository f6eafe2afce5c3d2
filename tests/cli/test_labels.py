"""Labelling at the command line, and what `list` makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

AMBUSH = Path(__file__).parents[2] / "docs" / "examples" / "ambush.yaml"


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")


def listed(run: Run, *arguments: str) -> dict[str, list[str]]:
    """The labels of what is listed, by name."""
    return {entry["name"]: entry["labels"] for entry in json.loads(run("list", "--json", *arguments).out)["encounters"]}


def test_an_archived_fight_is_left_out_and_said_to_be(run: Run) -> None:
    run("new", "bridge")
    run("new", "old bridge")
    run("conclude", "old bridge")
    labelled = run("label", "old bridge", "archived", "winter", "--reason", "last year")
    assert "labelled archived and winter (last year)" in labelled.out
    assert run("verify", "old bridge").status == 0
    assert listed(run) == {"bridge": []}
    assert "1 archived encounter is not shown" in run("list").out
    assert listed(run, "--archived") == {"bridge": [], "old bridge": ["archived", "winter"]}
    run("label", "bridge", "archived")
    assert "2 archived encounters are not shown" in run("list").out


def test_practice_and_forks_are_marked(run: Run) -> None:
    run("new", "bridge", "--practice")
    run("fork", "bridge", "--as", "what if")
    assert listed(run) == {"what if": [], "bridge": ["practice"]}
    shown = run("list").out
    assert "bridge (practice)" in shown
    assert "what if (fork)" in shown


def test_a_label_is_taken_off_or_back(run: Run) -> None:
    run("new", "bridge", "--practice")
    assert run("label", "bridge", "practice").code == "label/unchanged"
    assert run("label", "bridge", "practise", "--remove").code == "label/not-there"
    assert "no labels any more" in run("label", "bridge", "practice", "--remove").out
    assert listed(run) == {"bridge": []}
    assert run("undo", "bridge", "--reason", "it is", "--yes").status == 0
    assert listed(run) == {"bridge": ["practice"]}


def test_the_demo_is_practice(run: Run) -> None:
    run("demo")
    assert listed(run) == {"Demo at the bridge": ["practice"]}


def test_recorded_simulations_are_practice(run: Run) -> None:
    run("simulate", str(AMBUSH), "--runs", "1", "--jobs", "1", "--record")
    assert list(listed(run).values()) == [["practice"]]
