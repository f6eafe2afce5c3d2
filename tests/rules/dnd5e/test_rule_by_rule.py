"""The table of rules in docs/rulesets.md: whatever it names as shown has to be there."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cases import each

ROOT = Path(__file__).parents[3]
SCENARIOS = {path.stem for path in (ROOT / "tests" / "scenarios" / "dnd5e").glob("*.yaml")}
MODULES = list((ROOT / "tests" / "rules" / "dnd5e").rglob("test_*.py"))
TESTS = {path.stem for path in MODULES} | {
    name for path in MODULES for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)
}


def rows() -> list[list[str]]:
    page = (ROOT / "docs" / "rulesets.md").read_text()
    section = page.split("### The SRD rule by rule")[1].split("\n## ")[0]
    cells = [line.strip().strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in cells if row[0].strip() not in ("rule", "---")]


@each("row", rows(), ids=lambda row: row[0])
def test_a_rule_is_shown_or_left_out_for_a_reason(row: list[str]) -> None:
    rule, shown_by, left_out = row
    names = re.findall(r"`([^`]+)`", shown_by)
    assert rule
    assert names or left_out
    assert [name for name in names if name not in SCENARIOS | TESTS] == []
