"""The ability library from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_status_is_derived(run: Run) -> None:
    whole = json.loads(run("abilities", "list", "--json").out)
    by_status = {
        status: json.loads(run("abilities", "list", f"--{status}", "--json").out)
        for status in ("wired", "partial", "unwired")
    }
    assert sum(map(len, by_status.values())) == len(whole)
    assert {entry["status"] for entry in by_status["partial"]} == {"partial"}
    assert "Beatdown" in run("abilities", "list", "--wired").out


def test_show_says_what_each_property_does(run: Run) -> None:
    shown = run("abilities", "show", "Wild Attack").out
    assert "attackBonusDice 1: adds dice to the attack pool" in shown
    assert run("abilities", "show", "Nothing").code == "ability/unknown"


def test_check_reports_broken_entries_by_name_and_the_rest_is_used(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "cards.json"
    file.write_text('{"abilities": {"X": {"type": "ccEffect", "label": "x", "draw": -1}, "Y": {"type": "zz"}}}')
    checked = run("abilities", "check", str(file))
    assert checked.status == 1
    assert "X: draw is not valid" in checked.out
    assert "Y (zz): unwired" in checked.out
    assert "1 broken entry left out" in checked.out
    assert len(json.loads(run("abilities", "check", str(file), "--json").out)["left_out"]) == 1
    opened = run("new", "cards", "--ruleset", "skirmish", "--library", str(file))
    assert opened.status == 0
    assert opened.out.endswith("1 broken entry left out; the rest can be used.\n")
    (event,) = json.loads(run("log", "cards", "--json").out)
    assert event["options"]["library"]["left_out"] == ["X"]


def test_a_library_of_which_nothing_can_be_used_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "cards.json"
    file.write_text('{"abilities": {"X": {"type": "ccEffect", "label": "x", "draw": -1}}}')
    assert run("abilities", "check", str(file)).status == 1
    assert run("new", "cards", "--ruleset", "skirmish", "--library", str(file)).code == "library/invalid"
    assert json.loads(run("list", "--json").out)["total"] == 0


def test_a_library_of_ones_own_is_recorded_with_the_fight(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "cards.json"
    file.write_text(
        '{"source": "me", "abilities": {"Quick": {"type": "ccEffect", "label": "q", "mpBonus": 3, "fly": 1}}}'
    )
    report = json.loads(run("abilities", "check", str(file), "--json").out)
    assert report["unknown"] == [{"ability": "Quick", "property": "fly"}]
    assert run("new", "cards", "--ruleset", "skirmish", "--library", str(file)).status == 0
    (opened,) = json.loads(run("log", "cards", "--json").out)
    assert opened["options"]["library"]["abilities"]["Quick"]["mpBonus"] == 3
    assert "Beatdown" in opened["options"]["library"]["abilities"]


@pytest.mark.parametrize("arguments", [("abilities", "list", "--wired", "--partial"), ("abilities",)])
def test_wrong_usage(run: Run, arguments: tuple[str, ...]) -> None:
    assert run(*arguments).status == 2
