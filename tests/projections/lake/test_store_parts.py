"""What each worker of a cluster reads of a lake in an object store: together everything, and nothing twice."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from projections.lake import spark
from projections.lake.location import MANIFEST
from projections.lake.manifest import EVENTS, LAKE_TABLES, LakeFile, read_manifest
from projections.lake.object_store import ObjectStore
from projections.lake.reading import LakeReader
from projections.lake.spark import FilePart, file_parts, rows_of
from projections.lake.spark_session import ProblemOnWorker, problem_told
from projections.lake.writing import write_lake
from tests.object_stores import asking_for_permission
from tests.projections.lake.support import put_in_place_of_another, read_file, replace_file
from tests.projections.readmodels.support import History
from tests.rules.engine.test_lake_verify import edit_file, run


def listed(*rows: int) -> list[LakeFile]:
    return [
        LakeFile(table="events", ruleset="r", month="m", path=str(number), rows=count, first=1, last=1)
        for number, count in enumerate(rows)
    ]


def divided(*rows: int) -> list[tuple[str, int, int | None]]:
    sizes = {str(number): 1 for number in range(len(rows))}
    return [("+".join(part.sizes), part.first, part.end) for part in file_parts(listed(*rows), sizes)]


def test_small_files_are_read_together_and_large_ones_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark, "_ROWS", 10)
    monkeypatch.setattr(spark, "_FILES", 3)
    assert divided() == []
    assert divided(4, 6, 1) == [("0+1", 0, None), ("2", 0, None)]
    assert divided(1, 1, 1, 1) == [("0+1+2", 0, None), ("3", 0, None)]
    assert divided(1, 25, 1) == [("1", 0, 10), ("1", 10, 20), ("1", 20, None), ("0+2", 0, None)]
    assert divided(11) == [("0", 0, 10), ("0", 10, None)]


@pytest.fixture
def lake(ledger: LedgerStore, s3: str) -> str:
    History(ledger, "one", Random(1)).play()
    write_lake(ledger, s3)
    return s3


def rows(lake: str, table: str, parts: list[FilePart] | None = None) -> list[tuple[Any, ...]]:
    place = ObjectStore.at(lake)
    given = parts or whole(lake, table)
    return [row for part in given for row in rows_of(place, LAKE_TABLES[table].columns, part)]


def whole(lake: str, table: str) -> list[FilePart]:
    files = read_manifest(lake).of(table)
    return list(file_parts(files, {file.path: len(read_file(lake, file.path)) for file in files}))


@pytest.mark.slow
def test_the_rows_of_all_parts_are_those_of_the_files(lake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark, "_ROWS", 7)
    monkeypatch.setattr(spark, "_AT_ONCE", 3)
    with LakeReader.open(lake) as alone:
        for table in LAKE_TABLES.values():
            columns = ", ".join(map(_as_passed_on, table.columns))
            expected = alone.ask(f"SELECT {columns} FROM lake.{table.name}").fetchall()
            assert sorted(map(repr, rows(lake, table.name))) == sorted(map(repr, expected)), table.name
            assert expected or table is not EVENTS


def _as_passed_on(column: Any) -> str:
    return f"epoch_us({column.name})" if column.sql_type == "timestamptz" else f'"{column.name}"'


def test_rows_that_were_added_to_a_file_are_read(lake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark, "_ROWS", 7)
    before = len(rows(lake, "events"))
    edited(lake, tmp_path, "INSERT INTO t SELECT * FROM t")
    assert len(rows(lake, "events")) == 2 * before


def edited(lake: str, room: Path, query: str) -> None:
    (file,) = read_manifest(lake).of("events")
    local = room / "edited.parquet"
    local.write_bytes(read_file(lake, file.path))
    edit_file(local, run(query))
    replace_file(lake, file.path, local.read_bytes())


# What a worker cannot do


def refusal(lake: str, parts: list[FilePart] | None = None) -> Problem:
    with pytest.raises(ProblemOnWorker) as caught:
        rows(lake, "events", parts)
    text = f"Traceback\n  somewhere\nprojections.lake.worker_problems.ProblemOnWorker: {caught.value}\n\n\tat java"
    told = problem_told(RuntimeError(text))
    assert told is not None
    assert told.sentence.startswith("A Spark worker reports: ")
    return told


def test_a_column_of_another_type(lake: str, tmp_path: Path) -> None:
    edited(lake, tmp_path, "ALTER TABLE t ALTER seq TYPE VARCHAR")
    found = refusal(lake)
    assert found.code == "lake/damaged-file"
    assert found.sentence.endswith("cannot be read: seq is VARCHAR, not BIGINT.")


def test_another_file_in_its_place(lake: str) -> None:
    put_in_place_of_another(lake, "dice", "events")
    assert refusal(lake).code == "lake/damaged-file"


def test_a_file_that_is_gone(lake: str) -> None:
    gone = FilePart({"events/ruleset=r/month=m/1-2.1.parquet": 1000})
    assert refusal(lake, [gone]).code == "lake/changed"


@pytest.mark.parametrize("package", ["obstore", "fsspec"])
def test_a_worker_without_a_package(lake: str, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    part = FilePart({MANIFEST: 1})
    monkeypatch.setitem(sys.modules, package, None)
    found = refusal(lake, [part])
    assert (found.code, found.facts["needed"]) == ("lake/not-installed", [package])


def test_a_worker_whose_credentials_are_not_accepted(lake: str, s3_server: str) -> None:
    part = FilePart({read_manifest(lake).of("events")[0].path: 1000})
    with asking_for_permission(s3_server):
        found = refusal(lake, [part])
    assert found.code == "lake/credentials"
    assert "AWS_ACCESS_KEY_ID" in found.facts["variables"]


def test_other_errors_are_not_taken_for_problems() -> None:
    assert problem_told(RuntimeError("ValueError: {}")) is None
