"""The table in docs/performance.md: made from what was measured, and checked for what must not be in it.

It contains ratios and nothing else: seconds and rates say more about the machine than about the program.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from benchmarks.measure import Result

COMMAND = "python -m benchmarks --write docs/performance.md"
BEGIN = f"<!-- measured: {COMMAND} -->"
END = "<!-- end of what was measured -->"

_ABSOLUTE = re.compile(r"\d\s?(?:s|ms|µs|us|ns|(?:milli|micro)?seconds?)\b|\d\s?(?:/|per |a )(?:s\b|second)")
_ROW = re.compile(r"^\| `(?P<name>\w+)`", re.MULTILINE)


def write(path: Path, measured: Mapping[str, Sequence[Result]]) -> None:
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


def _row(name: str, result: Result) -> str:
    target = f"{result.aim:.2g}" if result.aim else ""
    return f"| `{name}` | {result.what.strip()} | {result.ratio:.2f} | {target} |"
