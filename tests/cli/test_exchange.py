"""Exports and imports from the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

BRIDGE = str(Path(__file__).parents[1] / "projections" / "statistics" / "bridge.yaml")


@pytest.fixture
def fought(run: Run) -> Run:
    assert run("run", BRIDGE).status == 0
    return run


def test_an_export_is_taken_in_and_known_again(fought: Run, tmp_path: Path) -> None:
    file = tmp_path / "bridge.jsonl"
    assert fought("export", "bridge", "--output", str(file)).status == 0
    assert file.read_text() == fought("export", "--all").out
    done = json.loads(fought("import", str(file), "--json").out)
    assert (done["encounters"], done["events"], done["known"]) == (1, 0, len(file.read_text().splitlines()))


def test_tables_as_csv_and_parquet_hold_the_same(fought: Run, tmp_path: Path) -> None:
    from pyarrow import parquet

    for form in ("csv", "parquet"):
        assert fought("export", "bridge", "--format", form, "--output", str(tmp_path)).status == 0
    with (tmp_path / "attacks.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["attacker"], row["hit"]) for row in rows] == [
        ("snig", "False"),
        ("rurik", "True"),
        ("osric", "False"),
        ("snig", "True"),
        ("rurik", "True"),
    ]
    table = parquet.read_table(tmp_path / "attacks.parquet")
    assert table.column("hit").to_pylist() == [False, True, False, True, True]
    assert table.column("total").to_pylist() == [12, 17, 8, 18, 25]
    assert parquet.read_table(tmp_path / "rolls.parquet").column("faces").to_pylist()[3] == ["15", "8"]


def test_the_battle_report_tells_the_fight(fought: Run) -> None:
    fought("rule", "bridge", "rurik", "--set", "hp=2", "--reason", "a_mistake")
    fought("undo", "bridge", "--yes", "--reason", "wrong")
    report = fought("export", "bridge", "--format", "markdown").out
    assert report.startswith("# bridge\n")
    assert "| Snig | foes | hp 0/20, dead |" in report
    assert "## Round 2" in report
    assert "(taken back by " in report
    assert r"a\_mistake" in report


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("export",), 2, "name an encounter"),
        (("export", "bridge", "--all"), 2, "name an encounter"),
        (("export", "nowhere"), 1, "ledger/unknown-encounter"),
        (("export", "bridge", "--format", "csv"), 2, "name a folder"),
        (("export", "bridge", "--output", "/nonexistent/x"), 1, "file/unusable"),
        (("import", "/nonexistent/x"), 1, "file/unusable"),
        (("import", BRIDGE), 1, "import/unreadable"),
    ],
)
def test_what_is_refused(fought: Run, arguments: tuple[str, ...], status: int, said: str) -> None:
    ran = fought(*arguments)
    assert ran.status == status
    assert said in ran.err
