"""`combatlog import-log`: what it says, what it refuses, and what can be done with the fights afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.rules.logs.avrae import NAME, fight_of, rurik, snig, state

SESSION = "docs/examples/session.txt"


@pytest.fixture
def recording(tmp_path: Path) -> str:
    path = tmp_path / "recording.jsonl"
    path.write_text(fight_of() + "broken\n" + state(rurik(), snig(4), round=1, current=1))
    return str(path)


def test_what_was_recorded_and_what_was_not(run: Run, recording: str) -> None:
    done = run("import-log", "fireball", recording, "--campaign", "Riverlands")
    assert (done.status, done.err) == (0, "")
    assert "events of 1 fight from 20 lines." in done.out
    assert "Could not read 1 line (1 not JSON); notes keep the text." in done.out
    assert "recording.jsonl, line 19: not JSON" in done.out
    # nine states agree as in the fight alone; then Snig has other hit points, and Rurik is not frightened any more
    assert "State agreement: 9 of 11 states of combatants (81.8 %)." in done.out
    assert "1 differ in: hit points" in done.out
    assert "Recorded nothing new" in run("import-log", "fireball", recording).out


def test_the_same_for_programs(run: Run, recording: str) -> None:
    dry = json.loads(run("import-log", "fireball", recording, "--dry-run", "--json").out)
    done = json.loads(run("import-log", "fireball", recording, "--json").out)
    assert (dry.pop("dry_run"), done.pop("dry_run")) == (True, False)
    assert dry == done
    assert done["agreement"] == {"compared": 11, "agreed": 9, "differences": {"effect ended": 1, "hit points": 1}}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (("log", NAME), "Rurik attacks Snig with a Longsword: 20 against 15, hit; Snig loses 6 hp (1 left)"),
        (("log", NAME), "Player 0 says “*The goblin jumps out of the reeds.*”"),
        (("log", NAME, "--all"), "Rurik rolls 1d20 for attack: 15 +5 bonus = 20"),
        (("replay", NAME, "--plain"), "Snig"),
        (("status", NAME), "monsters"),
        (("report", NAME), "Longsword"),
        (("list",), NAME),
        (("stats", "hits", "--campaign", "Riverlands"), "rurik"),
        (("verify", NAME), "is as recorded"),
        (("export", NAME, "--format", "markdown"), "Longsword"),
        (("label", NAME, "practice"), "practice"),
    ],
)
def test_every_command_reads_it(run: Run, recording: str, command: tuple[str, ...], shown: str) -> None:
    assert run("import-log", "fireball", recording, "--campaign", "Riverlands").status == 0
    done = run(*command)
    assert done.err == ""
    assert shown in " ".join(done.out.split())


def test_explain_names_the_line(run: Run, recording: str) -> None:
    run("import-log", "fireball", recording)
    events = json.loads(run("log", NAME, "--json").out)
    attack = next(event for event in events if event["kind"] == "attack_resolved")
    assert "line 9" in run("explain", NAME, str(attack["seq"])).out


@pytest.mark.parametrize(
    ("arguments", "code", "hint"),
    [
        (("fierball", SESSION), "import-log/format", "Did you mean fireball?"),
        (("dice", "docs/examples/sesion.txt"), "file/unusable", "Did you mean docs/examples/session.txt?"),
        (("dice", "/dev/zero"), "file/unusable", ""),
        (("foundry", "docs"), "import-log/leveldb", ""),
    ],
)
def test_what_is_refused(run: Run, arguments: tuple[str, ...], code: str, hint: str) -> None:
    refused = run("import-log", *arguments)
    assert (refused.status, refused.code) == (1, code)
    assert hint in " ".join(refused.err.split())


def test_a_fight_without_rules_takes_no_declarations(run: Run, recording: str) -> None:
    run("import-log", "fireball", recording)
    assert run("do", NAME, "rurik", "attack").code in ("recorded/no-rules", "encounter/closed")
    assert run("new", "by hand", "--ruleset", "recorded").code == "recorded/opened-by-import"
    assert run("import-log").status == 2
