"""What is written for people harms nobody: no formula runs in a spreadsheet, and no older seal is lost."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from projections.story.text import csv_cell
from tests.cli.conftest import Run

FORMULA = "=HYPERLINK(1)"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_text_that_begins_like_a_formula_is_quoted(start: str) -> None:
    assert csv_cell(f"{start}1+1") == f"'{start}1+1"


@pytest.mark.parametrize("value", [-3, 2.5, None, True, "", "1=1", "osric"])
def test_other_values_stay_as_they_are(value: object) -> None:
    assert csv_cell(value) is value


def test_no_formula_gets_into_a_csv_file(run: Run, tmp_path: Path) -> None:
    run("new", FORMULA)
    assert run("export", "--all", "--format", "csv", "--output", str(tmp_path)).status == 0
    cells = [
        cell
        for file in tmp_path.glob("*.csv")
        for row in csv.reader(file.read_text("utf-8").splitlines())
        for cell in row
    ]
    assert f"'{FORMULA}" in cells
    assert FORMULA not in cells
    assert FORMULA not in run("sql", "SELECT name FROM encounters", "--csv").out.splitlines()


def test_a_seal_does_not_replace_an_older_one(run: Run, tmp_path: Path) -> None:
    run("new", "Final")
    seal = tmp_path / "final.seal"
    assert run("seal", "Final", "--out", str(seal)).status == 0
    kept = seal.read_text()
    assert run("seal", "Final", "--out", str(seal)).code == "file/exists"
    assert seal.read_text() == kept
