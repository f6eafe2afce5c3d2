"""Find the benchmarks, and keep the table in docs/performance.md.

Every function `run_NAME` in a module of this package is the benchmark NAME.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path

import benchmarks
from benchmarks.measure import BenchmarkResult

Benchmark = Callable[..., Iterator[BenchmarkResult]]
"""Takes the address of a database, how many seconds each side may take and, in some, the size of a ledger."""
_PREFIX = "run_"


def known_benchmarks() -> dict[str, Benchmark]:
    modules = sorted(module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name != "__main__")
    found = (vars(import_module(f"benchmarks.{module}")).items() for module in modules)
    functions = {name: value for names in found for name, value in names if name.startswith(_PREFIX)}
    return {name.removeprefix(_PREFIX): functions[name] for name in sorted(functions)}


COMMAND = "python -m benchmarks --write docs/performance.md"
BEGIN = f"<!-- measured: {COMMAND} -->"
END = "<!-- end of what was measured -->"

_ABSOLUTE = re.compile(r"\d\s?(?:s|ms|µs|us|ns|(?:milli|micro)?seconds?)\b|\d\s?(?:/|per |a )(?:s\b|second)")
_ROW = re.compile(r"^\| `(?P<name>\w+)`", re.MULTILINE)


def write(path: Path, measured: Mapping[str, Sequence[BenchmarkResult]]) -> None:
    """Replace the rows of what was measured; those of other benchmarks stay, and of those with no result."""
    before, table, after = _parts(path.read_text())
    rows: dict[str, list[str]] = {}
    for line in table.splitlines():
        if (row := _ROW.match(line)) is not None:
            rows.setdefault(row["name"], []).append(line)
    rows |= {name: [_row(name, result) for result in results] for name, results in measured.items() if results}
    path.write_text(f"{before}{BEGIN}\n\n{_table(rows)}\n\n{END}{after}")


def findings(path: Path, names: Collection[str]) -> list[str]:
    """What is wrong with the document, in sentences."""
    text = path.read_text()
    listed = set(_ROW.findall(_parts(text)[1]))
    return [
        *(f"{name} is not in the table; run {COMMAND}" for name in sorted(set(names) - listed)),
        *(f"{name} is in the table, but there is no such benchmark" for name in sorted(listed - set(names))),
        *(f"{found[0]!r} is absolute; say it as a ratio" for found in _ABSOLUTE.finditer(text)),
    ]


def _parts(text: str) -> tuple[str, str, str]:
    before, _, rest = text.partition(BEGIN)
    table, _, after = rest.partition(END)
    return before, table, after


def _table(rows: Mapping[str, Sequence[str]]) -> str:
    lines = [line for _, own in sorted(rows.items()) for line in own]
    return "\n".join(["| benchmark | measured | ratio | target |", "|---|---|---|---|", *lines])


def _row(name: str, result: BenchmarkResult) -> str:
    target = f"{result.aim:.2g}" if result.aim else ""
    return f"| `{name}` | {result.what.strip()} | {result.ratio:.2f} | {target} |"
