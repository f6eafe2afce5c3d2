"""The tests run on a machine that has only Python and pip: what else they use is looked up in tests/optional.py."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import optional

ROOT = Path(__file__).parents[1]
OF_EVERY_SYSTEM = {"cat"}
"""What POSIX promises, and the tests call by its name."""
MODULES = {"subprocess", "pexpect", "shutil", "asyncio", "os", "pty"}
"""What starts programs or looks for them."""
_STARTS_IN_OS = re.compile(r"(system|popen|startfile|exec|spawn|posix_spawn|create_subprocess)")
_A_FIXED_PLACE = re.compile(r"^/(usr|opt|bin|sbin)/")


def sources() -> Iterator[Path]:
    for folder in ("tests", "benchmarks"):
        yield from (path for path in (ROOT / folder).rglob("*.py") if "node_modules" not in path.parts)


def by_another_way(source: str) -> list[str]:
    """The programs that a module starts or looks for by their names or paths."""
    tree = ast.parse(source)
    given = _assigned(tree)
    return [name for node in ast.walk(tree) for name in _named(node, given) if name not in OF_EVERY_SYSTEM]


def _assigned(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """What is assigned to each name, anywhere in the module: a command is often put together before it is started."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            found.setdefault(node.target.id, []).append(node.value)
    return found


def _named(node: ast.AST, given: dict[str, list[ast.expr]]) -> Iterator[str]:
    if isinstance(node, ast.Import) and any(alias.name in MODULES and alias.asname for alias in node.names):
        yield "import as"  # under another name its calls would not be recognized
    if isinstance(node, ast.ImportFrom) and node.module in MODULES and _can_start(node):
        yield f"from {node.module}"  # a bare `run` would not be recognized
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and _A_FIXED_PLACE.match(node.value):
        yield node.value
    if isinstance(node, ast.Call) and _starts(node.func) and (first := _first(node)) is not None:
        yield from _programs(first, given)


def _first(call: ast.Call) -> ast.expr | None:
    return call.args[0] if call.args else next((one.value for one in call.keywords if one.arg == "args"), None)


def _programs(command: ast.expr, given: dict[str, list[ast.expr]]) -> Iterator[str]:
    if isinstance(command, ast.BinOp):
        command = command.left
    if isinstance(command, ast.List | ast.Tuple) and command.elts:
        command = command.elts[0]
    if isinstance(command, ast.Starred):
        command = command.value
    if isinstance(command, ast.Constant) and isinstance(command.value, str):
        yield command.value
    elif isinstance(command, ast.Name):
        left = {name: values for name, values in given.items() if name != command.id}
        yield from (name for value in given.get(command.id, ()) for name in _programs(value, left))


def _starts(function: ast.expr) -> bool:
    """Most of `os` has nothing to do with programs."""
    module = _module(function)
    return module in MODULES and (module != "os" or _STARTS_IN_OS.match(function.attr) is not None)


def _can_start(node: ast.ImportFrom) -> bool:
    if node.module in ("subprocess", "pexpect"):
        return True
    return any(alias.name == "which" or _STARTS_IN_OS.match(alias.name) for alias in node.names)


def _module(function: ast.expr) -> str:
    return getattr(function.value, "id", "") if isinstance(function, ast.Attribute) else ""


@pytest.mark.slow
def test_no_program_is_found_by_another_way() -> None:
    others = (path for path in sources() if path.name not in ("optional.py", Path(__file__).name))
    found = {str(path.relative_to(ROOT)): by_another_way(path.read_text("utf-8")) for path in others}
    assert {path: programs for path, programs in found.items() if programs} == {}


@pytest.mark.parametrize(
    ("source", "programs"),
    [
        ("subprocess.run(['pgbouncer', ini])", ["pgbouncer"]),
        ("subprocess.Popen(('node', '-v'))", ["node"]),
        ("pexpect.spawn('tmux')", ["tmux"]),
        ("shutil.which('java')", ["java"]),
        ("from subprocess import run", ["from subprocess"]),
        ("from asyncio import create_subprocess_exec", ["from asyncio"]),
        ("import subprocess as sp", ["import as"]),
        ("subprocess.run(args=['node', '-v'])", ["node"]),
        ("command = ['node', '-v']\nsubprocess.run(command)", ["node"]),
        ("NODE: str = 'node'\nsubprocess.run([NODE, *options])", ["node"]),
        ("subprocess.run(['node'] + options)", ["node"]),
        ("os.execvp('tmux', options)", ["tmux"]),
        ("os.environ.get('tmux')", []),
        ("PROGRAM = Path('/usr/sbin/pgbouncer')", ["/usr/sbin/pgbouncer"]),
        ("subprocess.run([need('node'), '-v'])", []),
        ("subprocess.run([sys.executable, '-c', code])", []),
    ],
)
def test_what_counts_as_another_way(source: str, programs: list[str]) -> None:
    assert by_another_way(source) == programs


def test_a_program_is_found_outside_of_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "a-bouncer"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    wanted = optional.Program(("a-bouncer",), "nowhere", folders=(str(tmp_path),))
    assert list(wanted.candidates()) == [program]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert next(optional.Program(("a-bouncer",), "nowhere").candidates()) == program


def test_what_was_skipped_is_said_in_one_line() -> None:
    reasons = [
        "Skipped: not installed: pgbouncer (apt-get install pgbouncer)",
        "Skipped: not installed: chromium (apt-get install chromium)",
        "Skipped: not installed: pgbouncer (apt-get install pgbouncer)",
    ]
    assert optional.summary(reasons) == (
        "3 tests were skipped because these are not installed: "
        "chromium (apt-get install chromium), pgbouncer (apt-get install pgbouncer)."
    )
    assert optional.summary([]) == "Nothing was skipped for want of an optional program."
