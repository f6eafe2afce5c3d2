"""Start-up: a command imports its own module, and the overview and completion import none."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from cli.app import GROUPS, SECTIONS

_LOADED = """
import sys
sys.argv[0] = "combatlog"
from cli.app import main
try:
    main()
except SystemExit:
    pass
print(*sorted(sys.modules), file=sys.stderr)
"""
COMMANDS = {
    f"cli.{function.rpartition('.')[0]}"
    for commands in (*SECTIONS.values(), *GROUPS.values())
    for function, _ in commands.values()
    if function
}
SLOW = {"combatlog.rules", "combatlog.messages", "cli.completion", "psycopg", "rich", "textual"}
"""What takes long to import."""


def loaded(*arguments: str, **environment: str) -> tuple[str, set[str]]:
    """What a command prints, and the modules that it imports."""
    ran = subprocess.run(
        [sys.executable, "-c", _LOADED, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout, set(ran.stderr.split())


@pytest.mark.parametrize("arguments", [("--help",), ("lake", "--help"), ("--version",)])
def test_an_overview_imports_no_command(arguments: tuple[str, ...]) -> None:
    _, modules = loaded(*arguments)
    assert modules & (COMMANDS | SLOW) <= {"cli.service_login"}  # which also reads the options before a command


def test_completing_a_command_imports_none() -> None:
    offered, modules = loaded(_COMBATLOG_COMPLETE="complete_zsh", _TYPER_COMPLETE_ARGS="combatlog econ")
    assert "economy" in offered
    assert modules & (COMMANDS | SLOW) <= {"cli.service_login", "rich"}  # typer formats what zsh shows with rich


def test_a_command_imports_its_own_module() -> None:
    shown, modules = loaded("list", "--help")
    assert "--archived" in shown
    assert modules & COMMANDS == {"cli.fights", "cli.service_login"}
    assert "combatlog.rules" not in modules
