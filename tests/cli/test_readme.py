"""What the README and the demo tell people to type works, word for word and in that order."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Run

ROOT = Path(__file__).parent.parent.parent
MANY, FEW = "1000", "3"
"""How many fights are simulated: as the README has it, and as a test has time for."""
README = (ROOT / "README.md").read_text("utf-8")


def commands_under(heading: str) -> list[list[str]]:
    section = README.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    block = re.search(r"```\n(.*?)```", section, re.DOTALL)
    assert block is not None
    return [shlex.split(line, comments=True)[1:] for line in block[1].splitlines()]


def all_commands() -> list[list[str]]:
    """Every command of the README, from top to bottom."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    lines = [part.strip() for block in blocks for line in block.splitlines() for part in line.split(" && ")]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("combatlog ")]


def test_everything_from_top_to_bottom_in_one_home(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one ledger and one folder, so that no section is in the way of another."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMBATLOG_HOME", str(tmp_path / "home"))
    commands = all_commands()
    assert commands[0] == ["demo"]
    assert len(commands) == README.count("\ncombatlog ")
    for command in commands:
        ran = run(*(FEW if word == MANY else word for word in command))
        assert (ran.status, ran.err) == (0, ""), command


@pytest.fixture
def played(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    for command in commands_under("A fight by hand"):
        ran = run(*command)
        assert (ran.status, ran.err) == (0, ""), command
    return run


@pytest.mark.slow
@pytest.mark.parametrize("heading", ["When the table argues", "Let a side play itself, and count"])
def test_the_commands_of_a_section(played: Run, heading: str) -> None:
    for command in commands_under(heading):
        ran = played(*(FEW if word == MANY else word for word in command))
        assert (ran.status, ran.err) == (0, ""), command
        assert ran.out.strip()


def test_the_python_program(cli_database: str, capsys: pytest.CaptureFixture[str]) -> None:
    program = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert program is not None
    assert len(program[1].splitlines()) <= 10
    exec(program[1], {})
    assert "Rurik" in capsys.readouterr().out


def test_an_unasked_answer_is_refused_by_its_name(played: Run) -> None:
    refused = played("amend", "Bridge ambush", "18", "--reply", "osric=protection")
    assert refused.code == "reaction/not-offered"
    assert "protection" in refused.err
    assert refused.err.endswith("\nOmit that --reply.\n")


def test_what_the_demo_tells_to_type_next(run: Run) -> None:
    shown = run("demo").out
    told = re.findall(r"^  combatlog (.+)$", shown, re.MULTILINE)
    assert len(told) >= 5
    for command in told:
        ran = run(*shlex.split(command))
        assert (ran.status, ran.err) == (0, ""), command
