"""The session in docs/playing.md, typed into the shell as it stands there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[3] / "docs" / "playing.md").read_text("utf-8")
_PROMPT = re.compile(r"^((?:\([a-z ]+\)|[A-Z]\w*)>|[A-Z]\w*: [^:]*[?:]|End [^?]*\? .*\[Y/n\]|.*\? \[Y/n\])(?: (.*))?$")


def session() -> list[str]:
    """The lines of all sessions on the page, as they are shown."""
    return [line for block in re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]


def test_the_session_is_what_the_shell_shows(run: Run, cli_database: str, tmp_path: Path) -> None:
    block = re.search(r"```\n(combatlog new.*?)```", PAGE, re.DOTALL)
    assert block is not None
    for line in block[1].splitlines():
        ran = run(*shlex.split(line)[1:])
        assert ran.status == 0, ran.err
    typed = [found[2] or "" for line in session() if (found := _PROMPT.match(line))]
    shell = subprocess.run(
        [sys.executable, "-m", "cli.app", "--database", cli_database, "play", "Bridge ambush"],
        input="\n".join(typed) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "COMBATLOG_HOME": str(tmp_path), "COLUMNS": "80"},
    )
    shown = [line.rstrip() for line in shell.stdout.splitlines()]
    begun = next(place for place, line in enumerate(shown) if line.startswith("(not started)>"))
    assert shell.returncode == 0, shell.stderr
    told = [line.rstrip() for line in session() if line]
    assert [line for line in shown[begun:] if line][: len(told)] == told
