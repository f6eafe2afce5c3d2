"""What somebody who may ask a lake questions in SQL must not reach: files, the network, extensions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import combatlog
from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from projections.lake.location import location_of
from tests.projections.lake.support import read_file


@pytest.fixture
def lake(ledger: LedgerStore, tmp_path: Path) -> Iterator[combatlog.Lake]:
    (tmp_path / "secret.csv").write_text("secret\n42\n")
    with written(ledger, str(tmp_path / "lake")) as lake:
        yield lake


@contextmanager
def written(ledger: LedgerStore, where: str) -> Iterator[combatlog.Lake]:
    Referee(ledger).open(Opening(name="bridge"))
    combatlog.Ledger(ledger).write_lake(where)
    with combatlog.open_lake(where) as lake:
        yield lake


COPY = "WITH x AS (COPY (SELECT 1) TO '{file}' (FORMAT parquet, USE_TMP_FILE false)) SELECT * FROM x"
QUOTED = COPY.replace("'", "''")
ATTACKS = (
    "SELECT * FROM read_csv('{secret}')",
    "SELECT * FROM '{secret}'",
    "SELECT (SELECT content FROM read_text('{secret}'))",
    "SELECT * FROM read_blob('/proc/self/environ')",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM sniff_csv('{secret}')",
    "SELECT * FROM read_parquet('https://example.invalid/x.parquet')",
    "SELECT * FROM 'https://example.invalid/x.parquet'",
    "SELECT * FROM parquet_metadata('{file}')",
    COPY,
    f"SELECT * FROM ({COPY})",
    f"SELECT * FROM query('{QUOTED}')",
    f"SELECT * FROM json_execute_serialized_sql(json_serialize_sql('{QUOTED}'))",
    f"FROM system.main.json_execute_serialized_sql(json_serialize_sql('{QUOTED}'))",
    f"SELECT 1 WHERE EXISTS (FROM Json_Execute_Serialized_Sql(json_serialize_sql('{QUOTED}')))",
    f"WITH y AS (FROM json_execute_serialized_sql(json_serialize_sql('{QUOTED}'))) SELECT * FROM y",
    "COPY (SELECT 1) TO '{file}'",
    "COPY (SELECT 1) TO '{folder}/new.csv'",
    "EXPORT DATABASE '{folder}/export'",
    "ATTACH '{folder}/new.duckdb'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "RESET allowed_paths",
    "PRAGMA database_list",
    "CREATE TABLE mine AS SELECT 1",
    "DROP VIEW attacks",
    "DELETE FROM lake.newest",
    "WITH gone AS (DELETE FROM lake.newest RETURNING *) SELECT * FROM gone",
    "INSERT INTO attacks VALUES (1)",
    "CALL pragma_version()",
    "CHECKPOINT",
    "SELECT * FROM checkpoint()",
    "SELECT 1; SELECT 2",
    "",
    "SELECT nothing FROM nowhere",
    "SELECT * FROM lake_of_this_test",
)


def test_a_query_reaches_nothing_but_the_tables_of_the_lake(lake: combatlog.Lake, tmp_path: Path) -> None:
    lake_of_this_test = [1]  # DuckDB would see the variables of the program that calls it
    file = tmp_path / "lake" / lake.manifest.files[0].path
    names = {"file": file, "secret": tmp_path / "secret.csv", "folder": tmp_path}
    before = {path: path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file()}
    for attack in ATTACKS:
        with pytest.raises(Problem) as caught:
            pytest.fail(f"{attack} was answered: {lake.sql(attack.format(**names)).rows}")
        assert caught.value.code in ("sql/read-only", "sql/refused"), attack
    assert {path: path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file()} == before
    assert lake.sql("SELECT name FROM encounters").rows == [("bridge",)]
    assert lake_of_this_test == [1]


def test_a_query_to_a_lake_in_a_store_reaches_nothing_else(ledger: LedgerStore, s3: str, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("secret\n42\n")
    other = s3.replace("a lake", "other.parquet")
    with written(ledger, s3) as lake:
        paths = [file.path for file in lake.manifest.files]
        before = {path: read_file(s3, path) for path in paths}
        names = {"file": f"lake://{paths[0]}", "secret": tmp_path / "secret.csv", "folder": "lake://events"}
        further = (
            "SELECT * FROM read_text('lake://manifest.json')",
            f"SELECT * FROM read_parquet('{other}')",
            f"SELECT * FROM '{other}'",
            f"COPY (SELECT 1) TO 'lake://{paths[0]}' (FORMAT parquet, USE_TMP_FILE false)",
        )
        for attack in (*ATTACKS[:-1], *further):
            with pytest.raises(Problem) as caught:
                pytest.fail(f"{attack} was answered: {lake.sql(attack.format(**names)).rows}")
            assert caught.value.code in ("sql/read-only", "sql/refused"), attack
        assert lake.sql("SELECT name FROM encounters").rows == [("bridge",)]
        assert {path: read_file(s3, path) for path in location_of(s3).files()} == before


def test_a_query_that_takes_too_long_is_stopped(lake: combatlog.Lake) -> None:
    with pytest.raises(Problem) as caught:
        lake.sql("SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range % 7 = b.range % 5", seconds=0.3)
    assert caught.value.code == "sql/too-slow"
    assert lake.sql("SELECT 1").rows == [(1,)]


HARMLESS = (
    ("SELECT name FROM encounters -- with a comment", [("bridge",)]),
    ("FROM (VALUES (2), (1)) v(a) ORDER BY a;", [(1,), (2,)]),
    ("WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 3) SELECT max(i) FROM r", [(3,)]),
    ("SELECT * FROM generate_series(1, 2)", [(1,), (2,)]),
    ("SELECT unnest([1, 2])", [(1,), (2,)]),
    ("SELECT decode(state)->>'name' FROM events", [("bridge",)]),
    ("SELECT '; DROP TABLE x'", [("; DROP TABLE x",)]),
)


@pytest.mark.parametrize(("query", "rows"), HARMLESS)
def test_ordinary_queries_are_answered(lake: combatlog.Lake, query: str, rows: object) -> None:
    assert lake.sql(query).rows == rows
