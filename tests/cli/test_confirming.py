"""Corrections are confirmed: by an answer on the terminal, or by --yes. Otherwise nothing changes, and it shows."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import pytest

from tests.cli.conftest import Run
from tests.cli.test_corrections import strike_of, struck

__all__ = ["struck"]


def attack_of(run: Run) -> str:
    events = json.loads(run("log", "bridge", "--kind", "declared", "--json").out)
    return str(next(event["seq"] for event in events if event["action"] == "dnd5e:ability:attack"))


def recorded(run: Run) -> int:
    return len(json.loads(run("log", "bridge", "--json").out))


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_without_a_terminal_and_without_yes_nothing_changes(struck: Run, more: tuple[str, ...]) -> None:
    before, seq = recorded(struck), str(strike_of(struck))
    for command in (("undo", "bridge"), ("amend", "bridge", seq, "--reply", "osric=pass", "--dice", "4")):
        ran = struck(*command, *more)
        assert ran.status == 1
        assert "Nothing was changed: the plan has not been confirmed." in ran.err
        assert "--yes" in ran.err
        assert ran.out  # the plan
    assert recorded(struck) == before
    assert struck("undo", "bridge", "--yes").status == 0
    assert struck("redo", "bridge", *more).status == 1
    assert "stands again" in struck("redo", "bridge", "--yes").out


def test_a_dry_run_shows_what_becomes_impossible(struck: Run) -> None:
    before, attack = recorded(struck), attack_of(struck)
    shown = struck("undo", "bridge", attack, "--dry-run")
    assert shown.status == 0
    assert "no longer possible: Snig" in shown.out
    assert "--impossible drop" in shown.out
    data = json.loads(struck("undo", "bridge", attack, "--dry-run", "--json").out)
    assert data["undecided"] == "correction/impossible"
    refused = struck("undo", "bridge", attack, "--yes")
    assert (refused.status, refused.code) == (1, "correction/impossible")
    assert "no longer possible: Snig" in refused.out
    assert recorded(struck) == before


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "status"), [("n", 1), ("y", 0)])
def test_on_a_terminal_the_answer_counts(struck: Run, cli_database: str, answer: str, status: int) -> None:
    before = recorded(struck)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.app", "--database", cli_database, "undo", "bridge"],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.write(ours, f"{answer}\n".encode())
    _, err = process.communicate(timeout=60)
    assert process.returncode == status
    assert "Apply this plan?" in err
    assert (recorded(struck) > before) is (status == 0)
