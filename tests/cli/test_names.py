"""Names wherever a command takes a combatant."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Prepare, Run


@pytest.fixture
def abbey(prepare: Prepare) -> Run:
    return prepare(
        ("new", "abbey", "--dice", "table"),
        ("join", "abbey", "paladin", "--as", "Sister Ilse", "--at", "3,3"),
        ("join", "abbey", "fighter", "--as", "Ægir", "--at", "3,2"),
        ("join", "abbey", "goblin", "--count", "2", "--side", "foes", "--at", "4,2"),
        ("start", "abbey", "--dice", "12,5,17,1"),
    )


def test_a_whole_turn_by_names(abbey: Run) -> None:
    for arguments in (
        ("actions", "abbey", "Goblin"),
        ("do", "abbey", "Goblin", "attack"),
        ("do", "abbey", "GOBLIN", "strike", "--target", "Ægir"),
        ("react", "abbey", "Sister Ilse", "protection", "--dice", "15,8"),
        ("rule", "abbey", "ÆGIR", "--set", "hp=9", "--reason", "a test"),
        ("economy", "abbey", "Goblin 2"),
        ("log", "abbey", "--actor", "Goblin"),
        ("log", "--actor", "Goblin", "abbey"),
        ("replay", "abbey", "--plain", "--actor", "Goblin"),
        ("end-turn", "abbey", "Goblin"),
        ("do", "abbey", "ilse", "attack"),
        ("do", "abbey", "ilse", "strike", "--target", "Goblin", "--dice", "2"),
        ("amend", "abbey", "LAST", "--add", "+1", "--owner", "Ægir", "--yes"),
        ("leave", "abbey", "goblin 2"),
    ):
        last = str(json.loads(abbey("log", "abbey", "--json").out)[-1]["declaration"])
        ran = abbey(*(last if argument == "LAST" else argument for argument in arguments))
        assert (ran.status, ran.err) == (0, ""), arguments
        assert ran.out, arguments


def test_answers_known_in_advance_by_names(abbey: Run) -> None:
    abbey("do", "abbey", "goblin", "attack")
    strike = ("do", "abbey", "goblin", "strike", "--target", "ægir", "--dice", "2")
    assert abbey(*strike, "--reply", "Sister Ilse=pass").status == 0
    seq = json.loads(abbey("log", "abbey", "--json").out)[-1]["declaration"]
    amended = abbey("amend", "abbey", str(seq), "--reply", "Ilse=protection", "--dice", "8", "--yes")
    assert amended.status == 0


def test_whoever_is_not_there_is_not_shown(abbey: Run) -> None:
    ran = abbey("log", "abbey", "--actor", "Ilsa")
    assert (ran.status, ran.code) == (1, "declaration/unknown-combatant")
    assert "Did you mean sister-ilse?" in ran.err
    assert abbey("log", "abbey", "--actor", "gm").out


def test_several_are_offered(abbey: Run) -> None:
    ran = abbey("do", "abbey", "gob", "attack")
    assert (ran.status, ran.code) == (1, "combatant/ambiguous")
    assert "goblin or goblin-2" in ran.err


def test_joining_is_all_or_nothing(abbey: Run) -> None:
    before = abbey("log", "abbey", "--json").out
    assert abbey("join", "abbey", "goblin", "--count", "50", "--at", "99,99").status == 1
    assert abbey("join", "abbey", "goblin", "--count", "51").status == 2
    assert abbey("log", "abbey", "--json").out == before
