"""Help: every command has a summary that fits, an example that works, and no Python in it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from cli.app import SECTIONS, app
from tests.cases import each
from tests.cli.conftest import Run


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*path, name))


ALL = dict(commands(typer.main.get_command(app)))
LEAVES = {path: command for path, command in ALL.items() if not hasattr(command, "commands")}


def test_every_command_is_in_one_section() -> None:
    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(name for path in ALL if len(path) == 1 for name in path)


@pytest.fixture
def cli_database() -> str:
    """Help does not ask for one."""
    return ""


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@each("path", ALL, ids=" ".join)
def test_help_is_plain(run: Run, path: tuple[str, ...]) -> None:
    shown = run(*path, "--help").out
    about = [line for line in shown.splitlines() if not line.startswith("Usage:")]
    assert shown.startswith("Usage: combatlog")
    assert re.findall(r"<\w|list\[|x>=|\bNone\b", shown) == []
    assert [line for line in about if line.endswith("...")] == []
    assert "...." not in shown


@each("path", LEAVES, ids=" ".join)
def test_every_command_has_an_example_of_itself(run: Run, path: tuple[str, ...]) -> None:
    examples = re.findall(r"^    (combatlog .*)$", run(*path, "--help").out, re.MULTILINE)
    assert examples
    for example in examples:
        assert any(" ".join(path) in part for part in example.split("&&"))
        shlex.split(example)


@each("path", LEAVES, ids=" ".join)
def test_every_flag_in_an_example_is_one_of_the_command(run: Run, path: tuple[str, ...]) -> None:
    shown = run(*path, "--help").out
    for example in re.findall(r"^    (combatlog .*)$", shown, re.MULTILINE):
        flags = set(re.findall(r" (--[a-z-]+)", re.sub(r'"[^"]*"', "", example)))
        known = {flag for param in LEAVES[path].params for flag in (*param.opts, *param.secondary_opts)}
        assert flags <= known | {"--database"}


@each("path", LEAVES, ids=" ".join)
def test_every_parameter_says_what_it_is(path: tuple[str, ...]) -> None:
    for param in LEAVES[path].params:
        words = param.help or ""
        assert words[:1].isupper(), param.name
        assert words.endswith((".", ")")), param.name
