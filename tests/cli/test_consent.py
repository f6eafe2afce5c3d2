"""Corrections that the table has to agree to, on the command line."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Prepare, Run


@pytest.fixture
def table(prepare: Prepare) -> Run:
    """Snig has hit Rurik for 5; corrections need the table's consent."""
    return prepare(
        ("new", "Bridge", "--dice", "table", "--option", "consent=table"),
        ("join", "Bridge", "fighter", "--as", "Rurik", "--at", "3,2"),
        ("join", "Bridge", "goblin", "--as", "Snig", "--side", "foes", "--at", "4,2"),
        ("start", "Bridge", "--dice", "5,20"),
        ("do", "Bridge", "snig", "attack"),
        ("do", "Bridge", "snig", "strike", "--target", "rurik", "--dice", "19,3"),
    )


def test_an_undo_is_proposed_and_made_when_the_player_agrees(table: Run) -> None:
    asked = table("undo", "Bridge", "--reason", "a misunderstanding", "--yes")
    assert "Proposed: rurik has to agree first." in asked.out
    assert "7/12" in table("status", "Bridge").out
    shown = table("proposal", "Bridge", "--as", "rurik")
    assert "rurik has not answered yet." in shown.out
    assert "taken back" in shown.out
    assert table("agree", "Bridge", "rurik").status == 0
    assert "12/12" in table("status", "Bridge").out
    assert "Nothing is proposed." in table("proposal", "Bridge").out
    assert table("verify", "Bridge").status == 0
    assert "Rurik agrees to the proposal" in table("log", "Bridge").out


def test_who_does_not_agree_is_overruled_on_record(table: Run) -> None:
    table("amend", "Bridge", "20", "--add", "disadvantage", "--dice", "2", "--yes", "--reason", "it was dark")
    assert table("agree", "Bridge", "rurik", "--no", "--reason", "it was not").status == 0
    assert table("agree", "Bridge", "rurik").code == "consent/refused"
    assert table("overrule", "Bridge", "--reason", "it was dark").status == 0
    assert "12/12" in table("status", "Bridge").out
    assert "carries out the proposal without unanimous consent" in table("log", "Bridge").out


def test_a_proposal_as_json(table: Run) -> None:
    assert json.loads(table("proposal", "Bridge", "--json").out)["proposal"] is None
    plan = json.loads(table("undo", "Bridge", "--yes", "--json").out)
    assert plan["asked"] == ["rurik"]
    proposal = json.loads(table("proposal", "Bridge", "--json").out)
    assert (proposal["correction"], proposal["asked"], proposal["open"]) == ("undo", ["rurik"], True)


def test_nothing_is_agreed_to_if_nothing_is_proposed(table: Run) -> None:
    assert table("agree", "Bridge", "rurik").code == "consent/nothing"
    assert table("overrule", "Bridge", "--reason", "x").code == "consent/nothing"
