"""Undo, redo, amend, insert, fork, diff, corrections, explain and replay from the command line."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from cli.render.full_screens import ReplayScreen
from ledger.events import Declared
from projections.review.replay import Replay
from tests.cases import each
from tests.cli.conftest import BRIDGE, Prepare, Run
from tests.randomplay import random_fight


@pytest.fixture
def struck(prepare: Prepare) -> Run:
    """Snig has struck at Rurik, and Osric protected him; event 22 is the strike."""
    return prepare(
        *BRIDGE,
        ("do", "bridge", "snig", "attack"),
        ("do", "bridge", "snig", "strike", "--target", "rurik"),
        ("react", "bridge", "osric", "protection", "--dice", "15,8"),
        ("end-turn", "bridge", "snig"),
    )


def strike_of(run: Run) -> int:
    events = json.loads(run("log", "bridge", "--kind", "declared", "--json").out)
    return int(next(event["seq"] for event in events if event["action"] == "dnd5e:action:strike"))


def hp(run: Run, who: str, encounter: str = "bridge") -> int:
    state = json.loads(run("status", encounter, "--json").out)
    return int(state["combatants"][who]["vitals"]["hp"]["current"])


def changed_hp(changes: list[dict[str, Any]], who: str) -> tuple[int, int]:
    hp = next(c for c in changes if (c["who"], c["aspect"], c["name"]) == (who, "vital", "hp"))
    return hp["before"]["current"], hp["after"]["current"]


def count(run: Run) -> int:
    return int(json.loads(run("db", "status", "--json").out)["events"])


def test_undo_shows_its_plan_and_records_nothing_unless_told(struck: Run) -> None:
    before = count(struck)
    shown = struck("undo", "bridge", str(strike_of(struck)), "--dry-run")
    assert "taken back: Snig declares strike on Rurik" in shown.out
    assert "changed: Snig ends the turn" in shown.out
    assert "Osric gets the reaction back." in shown.out
    assert "nothing was recorded" in shown.out
    unconfirmed = struck("undo", "bridge")  # nobody is there to confirm
    assert (unconfirmed.status, unconfirmed.code) == (1, "correction/unconfirmed")
    assert count(struck) == before


def test_undo_and_redo(struck: Run) -> None:
    seq = str(strike_of(struck))
    assert "events recorded" in struck("undo", "bridge", seq, "--yes", "--reason", "a mistake").out
    log = struck("log", "bridge").out
    assert "The GM takes back" in log
    assert "a mistake" in log
    assert "stands again" in struck("redo", "bridge", "--yes").out
    assert struck("redo", "bridge", "--yes").code == "redo/nothing"
    assert struck("verify", "bridge").status == 0


def test_undo_by_turn_round_and_seq(struck: Run) -> None:
    for option, gone in ((("--turn",), 3), (("--round",), 3), (("--to", "20"), 2)):
        plan = json.loads(struck("undo", "bridge", *option, "--dry-run", "--json").out)
        assert len(plan["declarations"]) == gone


def test_amend_with_another_answer(struck: Run) -> None:
    seq = str(strike_of(struck))
    amended = struck(
        "amend", "bridge", seq, "--reply", "osric=pass", "--dice", "4", "--yes", "--reason", "Osric was asleep"
    )
    assert "was: Snig rolls 2d20kl1 for attack: 15 and 8, keeps 8" in amended.out
    assert "now: Snig rolls 1d20 for attack: 15 " in amended.out
    assert hp(struck, "rurik") == 6
    (trail,) = json.loads(struck("corrections", "bridge", "--json").out)
    assert trail["correction"]["reason"] == "Osric was asleep"
    assert changed_hp(trail["changes"], "rurik") == (12, 6)
    assert "Osric was asleep" in struck("corrections", "bridge").out


def test_insert_what_was_forgotten(struck: Run) -> None:
    """A trap had left Snig 5 hit points before he struck; the strike stays as it was."""
    seq, before = strike_of(struck), count(struck)
    said = ("--before", str(seq), "gm", "rule", "--target", "snig", "-o", "set={hp: 5}", "-o", "reason=a trap")
    shown = struck("insert", "bridge", *said, "--dry-run")
    assert "inserted: The GM makes a ruling on Snig" in shown.out
    assert "new: The GM rules on Snig: hp is 5 (a trap)" in shown.out
    assert "kept: Snig declares strike on Rurik" in shown.out
    assert count(struck) == before
    assert struck("insert", "bridge", *said, "--reason", "we forgot the trap", "--yes").status == 0
    assert hp(struck, "snig") == 5
    (trail,) = json.loads(struck("corrections", "bridge", "--json").out)
    assert (trail["correction"]["kind"], trail["correction"]["after"]) == ("inserted", seq - 1)
    assert changed_hp(trail["changes"], "snig") == (7, 5)
    assert "The GM adds a forgotten declaration after event" in struck("corrections", "bridge").out
    assert "we forgot the trap" in struck("log", "bridge").out
    lines = struck("log", "bridge", "--standing", "--all").out
    assert lines.index("hp is 5") < lines.index("Snig declares strike")
    assert "hp is 5" in struck("explain", "bridge", str(before + 3)).out
    assert struck("verify", "bridge").status == 0


def test_an_insertion_everywhere_else(struck: Run, tmp_path: Path) -> None:
    """Statistics, reports, replays, comparisons, exports and lists take it in like any other correction."""
    ruling = ("gm", "rule", "--target", "rurik", "-o", "set={hp: 9}", "-o", "reason=a trap")
    struck("insert", "bridge", "--before", str(strike_of(struck)), *ruling, "--yes")
    assert "round 1" in struck("list").out
    assert "insertion" in struck("report", "bridge").out
    (row,) = json.loads(struck("sql", "SELECT kind, reason FROM corrections", "--json").out)
    assert row == {"kind": "inserted", "reason": "forgotten"}
    declared = "SELECT action, undone FROM declarations WHERE replaces IS NOT NULL"
    (row,) = json.loads(struck("sql", declared, "--json").out)
    assert row == {"action": "core:ruling:rule", "undone": False}
    assert "hp is 9" in struck("replay", "bridge", "--all").out
    assert "12 to 9" in struck("diff", "bridge", "--at", "20").out
    file = str(tmp_path / "bridge.jsonl")
    assert struck("export", "bridge", "--output", file).status == 0
    assert struck("import", file).status == 0  # the same fight again
    assert struck("redo", "bridge", "--yes").status == 0
    assert hp(struck, "rurik") == 12
    assert json.loads(struck("sql", declared, "--json").out) == [{"action": "core:ruling:rule", "undone": True}]
    assert struck("verify", "bridge").status == 0


def test_a_label_that_was_forgotten(struck: Run) -> None:
    struck("insert", "bridge", "--after", "1", "gm", "label", "-o", "add=[archived]", "--yes")
    assert "bridge" not in struck("list").out
    struck("redo", "bridge", "--yes")
    assert "bridge" in struck("list").out


def test_amend_a_misread_die(struck: Run) -> None:
    roll = json.loads(struck("log", "bridge", "--kind", "rolled", "--json").out)[-1]["seq"]
    plan = struck("amend", "bridge", str(roll), "--face", f"{roll}=15,14", "--dice", "5", "--dry-run", "--json")
    changes = [change for entry in json.loads(plan.out)["declarations"] for change in entry["changes"]]
    assert any(change["now"] and change["now"]["kind"] == "damaged" for change in changes)


def test_amend_with_a_forgotten_modifier(struck: Run) -> None:
    seq = str(strike_of(struck))
    amended = struck(
        "amend", "bridge", seq, "--add", "+4", "--source", "Bless", "--owner", "snig", "--dice", "3", "--yes"
    )
    assert "The attack gets +4 for Snig: Bless (amended)" in amended.out
    assert hp(struck, "rurik") == 7  # 8 + 2 + 2 + 4 = 16 hits, for 3 + 2


def test_amend_with_a_forgotten_resistance_or_bonus_die(bridge: Run) -> None:
    """Snig hits Rurik (12 hit points) for 5 + 2 slashing damage; he resists it: 3. A bonus die of 2 makes that 4."""
    bridge("do", "bridge", "snig", "attack")
    bridge("do", "bridge", "snig", "strike", "--target", "rurik", "--reply", "osric=pass", "--dice", "15,5")
    assert hp(bridge, "rurik") == 5
    seq = str(strike_of(bridge))
    amended = bridge("amend", "bridge", seq, "--resist", "slashing", "--reason", "the ring", "--yes")
    assert "The slashing damage taken is divided by 2 for Rurik" in amended.out.replace("\n           ", " ")
    assert hp(bridge, "rurik") == 9
    seq = str(json.loads(bridge("log", "bridge", "--kind", "declared", "--json").out)[-1]["seq"])
    die = ("--with", "1d4", "--chain", "damage", "--source", "Bless", "--dice", "2")
    assert bridge("amend", "bridge", seq, *die, "--yes").status == 0
    assert hp(bridge, "rurik") == 8
    assert bridge("amend", "bridge", "--help").out.count("--immune") == 1
    assert bridge("verify", "bridge").status == 0


@each(
    ("arguments", "code"),
    [
        (("undo", "bridge", "999"), "undo/no-event"),
        (("undo", "bridge", "1"), "undo/not-standing"),
        (("undo", "bridge", "--to", "999"), "undo/nothing"),
        (("redo", "bridge"), "redo/nothing"),
        (("amend", "bridge", "20"), "amend/nothing"),
        (("insert", "bridge", "--before", "999", "snig", "dodge"), "undo/no-event"),
        (("insert", "bridge", "--before", "20", "rurik", "dodge"), "turn/other"),
        (("fork", "bridge", "--as", "bridge"), "ledger/name-taken"),
        (("fork", "bridge", "--at", "999", "--as", "x"), "fork/no-event"),
        (("explain", "bridge", "999"), "explain/no-event"),
        (("explain", "bridge", "20", "--why-not", "luck"), "explain/unknown"),
        (("replay", "bridge", "--actor", "grub"), "declaration/unknown-combatant"),
        (("replay", "bridge", "--kind", "forked"), "replay/nothing"),
        (("diff", "bridge", "nowhere"), "ledger/unknown-encounter"),
    ],
)
def test_refusals(struck: Run, arguments: tuple[str, ...], code: str) -> None:
    before = count(struck)
    refused = struck(*arguments)
    assert (refused.status, refused.code) == (1, code)
    assert count(struck) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("undo", "bridge", "20", "--turn"),
        ("undo", "bridge", "--impossible", "perhaps"),
        ("undo", "bridge", "--reply", "osric=pass"),
        ("amend", "bridge", "20", "--face", "x=3"),
        ("diff", "bridge"),
        ("insert", "bridge", "snig", "dodge"),
        ("insert", "bridge", "snig", "dodge", "--before", "20", "--after", "20"),
    ],
)
def test_wrong_usage(struck: Run, arguments: tuple[str, ...]) -> None:
    assert struck(*arguments).status == 2


def test_fork_and_diff(struck: Run) -> None:
    seq = strike_of(struck)
    assert struck("fork", "bridge", "--at", str(seq - 1), "--as", "what if").status == 0
    struck("do", "what if", "snig", "strike", "--target", "rurik")
    struck("react", "what if", "osric", "pass", "--dice", "15,4")
    assert (hp(struck, "rurik"), hp(struck, "rurik", "what if")) == (12, 6)
    compared = json.loads(struck("diff", "bridge", "what if", "--json").out)
    assert compared["common"] == seq - 1
    assert changed_hp(compared["state"], "rurik") == (12, 6)
    assert "Only in “what if”" in struck("diff", "bridge", "what if").out
    assert "(fork)" in struck("list").out
    assert struck("verify", "--all").status == 0


def test_diff_of_two_moments(struck: Run) -> None:
    seq = strike_of(struck)
    compared = json.loads(struck("diff", "bridge", "--at", str(seq - 1), "--json").out)
    assert compared["only_first"] == []
    assert ("osric", "resource", "reaction") in [(c["who"], c["aspect"], c["name"]) for c in compared["state"]]


def test_explain_says_which_dice_counted_and_why(struck: Run) -> None:
    roll = json.loads(struck("log", "bridge", "--kind", "rolled", "--json").out)[-1]["seq"]
    explained = struck("explain", "bridge", str(roll))
    assert "kept 8: disadvantage from Osric's protection" in explained.out
    assert "8 +2 +2 = 12" in explained.out
    tree = json.loads(struck("explain", "bridge", str(roll), "--json").out)
    assert tree["path"] == [strike_of(struck), roll]
    assert tree["tree"]["event"]["kind"] == "declared"


def test_explain_names_who_could_have_reacted(bridge: Run) -> None:
    bridge("do", "bridge", "snig", "attack")
    bridge("do", "bridge", "snig", "strike", "--target", "rurik", "--reply", "osric=pass", "--dice", "15,4")
    seq = str(strike_of(bridge))
    assert "Osric could have reacted and did not" in bridge("explain", "bridge", seq).out
    why = bridge("explain", "bridge", seq, "--why-not", "protection").out
    assert why.startswith("Osric was offered protection and declined it when asked, at event ")


def test_explain_of_what_was_taken_back(struck: Run) -> None:
    seq = str(strike_of(struck))
    struck("undo", "bridge", seq, "--yes")
    assert "This was taken back" in struck("explain", "bridge", seq).out


def test_replay_is_plain_when_piped(struck: Run) -> None:
    struck("undo", "bridge", str(strike_of(struck)), "--yes")
    whole = struck("replay", "bridge").out
    assert "Snig strikes Rurik" in whole
    assert "Snig 7 hp" in whole
    without = struck("replay", "bridge", "--no-undone").out
    assert "Snig strikes Rurik" not in without
    assert "joins" not in struck("replay", "bridge", "--round", "1").out
    every = struck("replay", "bridge", "--all").out
    assert "Snig declares strike on Rurik (taken back by" in every


def test_the_replay_screen_steps_by_keys() -> None:
    fight = random_fight(3, 40)
    replay = Replay(fight.events)

    async def walk() -> list[int]:
        screen = ReplayScreen(replay)
        seen = []
        async with screen.run_test(size=(120, 40)) as pilot:
            for key in ("right", "right", "left", "down", "t", "r", "end", "home", "plus", "minus", "p", "p"):
                await pilot.press(key)
                seen.append(screen.frame)
        return seen

    seen = asyncio.run(walk())
    assert seen[:3] == [1, 2, 1]
    assert isinstance(replay.frames[seen[3]], Declared)
    assert replay.frames[seen[4]].kind == "turn_started"
    assert seen[6] == len(replay) - 1
    assert seen[7] == 0


def test_why_not_says_what_kept_a_reaction_out(bridge: Run) -> None:
    """Osric has used his reaction on Snig's strike when Grub strikes too."""
    bridge("rule", "bridge", "osric", "--set", "reaction=0", "--reason", "he parried before")
    spent = json.loads(bridge("log", "bridge", "--json").out)[-1]["seq"]
    bridge("do", "bridge", "snig", "attack")
    bridge("do", "bridge", "snig", "strike", "--target", "rurik", "--dice", "3")
    seq = str(strike_of(bridge))
    assert (
        bridge("explain", "bridge", seq, "--why-not", "protection").out
        == f"Osric's reaction was spent at event {spent}.\n"
    )
    assert bridge("explain", "bridge", seq, "--why-not", "dodging").out == "Nobody was dodging at that moment.\n"


def test_why_not_when_the_ally_is_too_far(bridge: Run) -> None:
    bridge("rule", "bridge", "osric", "--to", "9,9", "--reason", "he ran")
    bridge("do", "bridge", "snig", "attack")
    bridge("do", "bridge", "snig", "strike", "--target", "rurik", "--dice", "3")
    assert "5 feet" in bridge("explain", "bridge", str(strike_of(bridge)), "--why-not", "protection").out
