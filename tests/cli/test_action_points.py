"""Every command works with the action points ruleset as well."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Prepare, Run

DUEL = "Duel at dawn"


@pytest.fixture
def duel(prepare: Prepare) -> Run:
    """Ana the duelist (AP 4, FAT 16, swords 15) against Bor the brigand (passive defence 7); it is Ana's turn."""
    return prepare(
        ("new", DUEL, "--ruleset", "action_points", "--dice", "table"),
        ("join", DUEL, "duelist", "--as", "Ana"),
        ("join", DUEL, "brigand", "--as", "Bor", "--side", "foes", "--reaction", "*=never"),
        ("start", DUEL),
    )


def attack(run: Run, *dice: int) -> int:
    ran = run("do", DUEL, "ana", "attack", "--target", "bor", "--dice", ",".join(map(str, dice)), "--json")
    return int(json.loads(ran.out)[0]["seq"])


def test_explain_shows_all_twelve_faces_of_an_explosion(duel: Run) -> None:
    """Four pluses, four pluses, two pluses: 10, and 15 of skill against 7 is a success value of 18, which rolls 1d8."""
    faces = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, -1]
    seq = attack(duel, *faces, 5)
    events = json.loads(duel("log", DUEL, "--kind", "rolled", "--from", str(seq), "--json").out)
    assert (events[0]["faces"], events[0]["total"]) == (faces, 25)
    explained = duel("explain", DUEL, str(events[0]["seq"])).out
    assert "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0 and −1" in explained.replace("\n", " ")


def test_reacting_with_options(run: Run) -> None:
    for arguments in (
        ("new", DUEL, "--ruleset", "action_points", "--dice", "table"),
        ("join", DUEL, "duelist", "--as", "Ana"),
        ("join", DUEL, "duelist", "--as", "Cid", "--side", "foes", "--controller", "player"),
        ("start", DUEL),
        ("do", DUEL, "ana", "attack", "--target", "cid"),
        ("react", DUEL, "cid", "dodge", "-o", "pay=fatigue-free", "--dice", "0,0,0,0,0,0,0,0,3"),
    ):
        assert run(*arguments).status == 0, arguments
    state = json.loads(run("status", DUEL, "--json").out)["combatants"]["cid"]
    assert (state["economy"]["ap"]["current"], state["vitals"]["fat"]["current"]) == (2, 16)


def test_every_command(duel: Run) -> None:
    seq = attack(duel, 0, 0, -1, -1, 2, 3)
    for arguments in (
        ("status", DUEL),
        ("status", DUEL, "--at", str(seq)),
        ("log", DUEL),
        ("actions", DUEL, "ana"),
        ("economy", DUEL, "ana"),
        ("advise", DUEL, "ana"),
        ("explain", DUEL, str(seq)),
        ("explain", DUEL, str(seq), "--why-not", "shield_block"),
        ("explain", DUEL, str(seq), "--why-not", "parrying"),
        ("replay", DUEL),
        ("undo", DUEL, "--yes"),
        ("redo", DUEL, "--yes"),
        ("corrections", DUEL),
        ("fork", DUEL, "--as", "Another dawn"),
        ("diff", DUEL, "Another dawn"),
        ("verify", DUEL),
    ):
        ran = duel(*arguments)
        assert (ran.status, ran.err) == (0, ""), arguments
        assert ran.out.strip()


def test_why_not_names_the_obstacle(duel: Run) -> None:
    seq = attack(duel, 0, 0, -1, -1, 2, 3)
    assert "declined it by policy" in duel("explain", DUEL, str(seq), "--why-not", "dodge").out
    assert "Bor has no shield to block with." in duel("explain", DUEL, str(seq), "--why-not", "shield_block").out


def test_advise_marks_what_fits(duel: Run) -> None:
    advice = json.loads(duel("advise", DUEL, "ana", "--json").out)
    payments = {entry["choice"]: entry for entry in advice if entry["score"] is None}
    assert [choice for choice, entry in payments.items() if entry["recommended"]] == ["standard"]
    assert payments["fatigue-free"]["leaves"] == {"ap": 2, "fat": 16}
    assert "★" in duel("advise", DUEL, "ana").out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("attack", "-t", "bor", "-o", "pay=free"), "declaration/invalid-option"),
        (("attack", "-t", "bor", "-o", "boost_ap=9"), "economy/no-ap-left"),
        (("boost",), "boost/after-roll"),
        (("rest", "-o", "ap=9"), "economy/no-ap-left"),
    ],
)
def test_refusals(duel: Run, arguments: tuple[str, ...], code: str) -> None:
    refused = duel("do", DUEL, "ana", *arguments)
    assert (refused.status, refused.code) == (1, code)
