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
MODULES = {"subprocess", "pexpect", "shutil", "asyncio"}
"""What starts programs or looks for them."""
_A_FIXED_PLACE = re.compile(r"^/(usr|opt|bin|sbin)/")


def sources() -> Iterator[Path]:
    for folder in ("tests", "benchmarks"):
        yield from (path for path in (ROOT / folder).rglob("*.py") if "node_modules" not in path.parts)


def by_another_way(source: str) -> list[str]:
    """The programs that a module starts or looks for by their names or paths."""
    return [name for node in ast.walk(ast.parse(source)) for name in _named(node) if name not in OF_EVERY_SYSTEM]


def _named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and node.module in MODULES and _can_start(node):
        yield f"from {node.module}"  # a bare `run` would not be recognized
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and _A_FIXED_PLACE.match(node.value):
        yield node.value
    if isinstance(node, ast.Call) and _module(node.func) in MODULES and node.args:
        first = node.args[0]
        program = first.elts[0] if isinstance(first, ast.List | ast.Tuple) and first.elts else first
        if isinstance(program, ast.Constant) and isinstance(program.value, str):
            yield program.value


def _can_start(node: ast.ImportFrom) -> bool:
    return node.module in ("subprocess", "pexpect") or any(alias.name == "which" for alias in node.names)


def _module(function: ast.expr) -> str:
    return getattr(function.value, "id", "") if isinstance(function, ast.Attribute) else ""


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
