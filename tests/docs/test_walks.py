"""The walks of docs/architecture.md name few files, which exist, and which run when their commands do."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.docs.test_pages import FENCED, SPAN, _is_sql

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
DOTTED = re.compile(r"(?:cli|combatlog|ledger|projections)(?:\.\w+)+")
FILE = re.compile(r"(?:cli|combatlog|ledger|projections)/[\w/]+\.\w+")
TRACER = """
import json, sys, threading
from cli.app import main
ran = set()
def trace(frame, event, argument):
    if event == "call" and frame.f_code.co_name != "<module>":
        ran.add(frame.f_code.co_filename)
threading.setprofile(trace)
sys.setprofile(trace)
sys.argv = ["combatlog", *sys.argv[1:]]
try:
    main()
finally:
    sys.setprofile(None)
    print(json.dumps(sorted(ran)))
"""
"""Runs a command, and prints the files in which a function was called as the last line."""


def section(heading: str) -> str:
    return PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]


def file_of(name: str) -> str:
    """The file that defines what a dotted name stands for."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            module = import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            assert hasattr(module, part), f"{name} does not exist"
            module = getattr(module, part)
        return str(Path(import_module(".".join(parts[:end])).__file__ or "").relative_to(ROOT))
    raise AssertionError(f"{name} does not exist")


def files_named(heading: str) -> set[str]:
    """The distinct files of ours that a walk names, as dotted names or as paths."""
    spans = SPAN.findall(FENCED.sub("", section(heading)))
    dotted = {name for name in spans if DOTTED.fullmatch(name) and not _is_sql(name)}
    return {file_of(name) for name in dotted} | {path for path in spans if FILE.fullmatch(path)}


def commands(heading: str) -> list[list[str]]:
    blocks = re.findall(r"^```(text)?\n(.*?)^```", section(heading), re.MULTILINE | re.DOTALL)
    return [shlex.split(line)[1:] for language, block in blocks if not language for line in block.splitlines()]


@pytest.mark.parametrize(("heading", "least", "most"), [("One reaction", 20, 28), ("One undo in the middle", 12, 15)])
def test_a_walk_names_few_files(heading: str, least: int, most: int) -> None:
    named = files_named(heading)
    assert [path for path in named if not (ROOT / path).is_file()] == []
    assert least <= len(named) <= most, sorted(named)


@pytest.mark.slow
@pytest.mark.parametrize(("heading", "walked"), [("One reaction", 2), ("One undo in the middle", 1)])
def test_every_file_that_a_walk_names_runs(cli_database: str, heading: str, walked: int) -> None:
    """Each of its last commands, which the walk is about, is run in a process of its own, as on a command line."""
    ran: set[str] = set()
    for number, command in enumerate(todo := commands(heading)):
        done = subprocess.run(
            [sys.executable, "-c", TRACER, "--database", cli_database, *command],
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
        assert done.returncode == 0, done.stderr
        if number >= len(todo) - walked:
            ran |= set(json.loads(done.stdout.splitlines()[-1]))
    named = {path for path in files_named(heading) if path.endswith(".py")}
    assert named - {str(Path(path).relative_to(ROOT)) for path in ran if path.startswith(str(ROOT))} == set()
