"""Exports and imports from the command line."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.store.database import URL_VARIABLE
from ledger.store.ledger import encounter_id
from projections.readmodels.catalogue import TABLES
from tests.cases import each
from tests.cli.conftest import Prepare, Run

BRIDGE = str(Path(__file__).parents[1] / "projections" / "statistics" / "bridge.yaml")


@pytest.fixture
def fought(prepare: Prepare) -> Run:
    return prepare(("run", BRIDGE))


def test_an_export_is_taken_in_and_known_again(fought: Run, tmp_path: Path) -> None:
    file = tmp_path / "bridge.jsonl"
    assert fought("export", "bridge", "--output", str(file)).status == 0
    assert file.read_text() == fought("export", "--all").out
    done = json.loads(fought("import", str(file), "--json").out)
    assert (done["encounters"], done["events"], done["known"]) == (1, 0, len(file.read_text().splitlines()))


def test_fights_that_are_here_already_can_be_skipped(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedded: str, make_database: Callable[[str], str]
) -> None:
    file = str(tmp_path / "theirs.jsonl")
    for name in ("bridge", "tavern"):
        assert run("new", name).status == 0
    assert run("fork", "bridge", "--at", "1", "--as", "what if").status == 0
    assert run("export", "--all", "--output", file).status == 0
    monkeypatch.setenv(URL_VARIABLE, make_database(embedded))
    assert run("new", "bridge").status == 0
    refused = run("import", file)
    assert (refused.code, "--skip-existing" in refused.err) == ("import/differs", True)
    taken = run("import", file, "--skip-existing")
    assert taken.status == 0
    assert taken.out.splitlines() == [
        "Imported 1 event of 1 encounter; 0 were here already.",
        "Left out bridge: another fight has this name here.",
        "Left out what if: it was forked from a fight that was left out.",
    ]
    again = json.loads(run("import", file, "--skip-existing", "--json").out)
    assert (again["encounters"], again["events"], again["known"]) == (1, 0, 1)
    assert again["left_out"] == [
        {"name": "bridge", "encounter": str(encounter_id("bridge")), "why": "name_taken"},
        {"name": "what if", "encounter": str(encounter_id("what if")), "why": "parent_left_out"},
    ]


def test_fights_whose_names_are_taken_can_have_others(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedded: str, make_database: Callable[[str], str]
) -> None:
    file = str(tmp_path / "theirs.jsonl")
    for name in ("bridge", "tavern", "cave"):
        assert run("new", name).status == 0
    assert run("export", "--all", "--output", file).status == 0
    monkeypatch.setenv(URL_VARIABLE, make_database(embedded))
    for name in ("bridge", "tavern"):
        assert run("new", name).status == 0
    refused = run("import", file)
    assert (refused.code, "--rename-taken" in refused.err) == ("import/differs", True)
    assert "another fight named 'bridge'" in refused.err
    taken = run("import", file, "--rename", "bridge = bridge at Tom's", "--rename", "tavern", "--rename", "cave=hole")
    assert taken.out.splitlines() == [
        "Imported 5 events of 3 encounters; 0 were here already.",
        "bridge is now here as bridge at Tom's.",
        "tavern is now here as tavern (2).",
        "cave keeps its name: no other fight here has it.",
    ]
    again = json.loads(run("import", file, "--rename-taken", "--json").out)
    assert (again["events"], again["known"]) == (0, 3)
    assert again["renamed"] == [
        {"name": name, "new_name": new, "encounter": str(encounter_id(new)), "new": False}
        for name, new in (("bridge", "bridge at Tom's"), ("tavern", "tavern (2)"))
    ]
    assert "copied from another ledger" in run("log", "tavern (2)").out
    assert run("verify", "--all").status == 0
    assert run("import", file, "--rename", "=x").status == 2


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
    assert not list(tmp_path.glob(".staging-*"))


ARROW_TYPES = {
    "uuid": "string",
    "text": "string",
    "bigint": "int64",
    "boolean": "bool",
    "timestamptz": "timestamp[us, tz=UTC]",
    "text[]": "list<element: string>",
    "bigint[]": "list<element: int64>",
}
"""The types that columns have had in Parquet from the first export on."""


def test_other_tools_find_the_columns_types_and_meanings_of_the_catalogue(fought: Run, tmp_path: Path) -> None:
    from pyarrow import parquet

    assert fought("export", "--all", "--format", "parquet", "--output", str(tmp_path)).status == 0
    for name, table in TABLES.items():
        schema = parquet.read_schema(tmp_path / f"{name}.parquet")
        found = {field.name: str(field.type).replace(" not null", "") for field in schema}
        assert found == {column.name: ARROW_TYPES[column.sql_type] for column in table.columns}
        assert schema.metadata[b"comment"].decode() == table.meaning
        for column in table.columns:
            assert schema.metadata[f"comment.{column.name}".encode()].decode() == column.meaning


def test_the_battle_report_tells_the_fight(fought: Run) -> None:
    fought("rule", "bridge", "rurik", "--set", "hp=2", "--reason", "a_mistake")
    fought("undo", "bridge", "--yes", "--reason", "wrong")
    report = fought("export", "bridge", "--format", "markdown").out
    assert report.startswith("# bridge\n")
    assert "| Snig | foes | hp 0/20, dead |" in report
    assert "## Round 2" in report
    assert "(taken back by " in report
    assert r"a\_mistake" in report


def test_a_replay_is_one_file_for_a_seat(fought: Run, tmp_path: Path) -> None:
    file = tmp_path / "bridge.html"
    ran = fought("export", "bridge", "--format", "html", "--as", "players", "--output", str(file))
    assert (ran.status, ran.out) == (0, f"Wrote the replay to {file}.\n")
    page = file.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "players of heroes" in page
    assert fought("export", "bridge", "--format", "html").out.count("<title>bridge</title>") == 1


@each(
    ("arguments", "status", "said"),
    [
        (("export", "--all", "--format", "html"), 2, "html writes one fight"),
        (("export", "bridge", "--format", "html", "--as", "nobody"), 1, "view/unknown-seat"),
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
