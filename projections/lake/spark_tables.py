"""The tables of a lake in Spark, from the same files that DuckDB reads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from projections.lake.manifest import Manifest
from projections.lake.tables import EVENTS, FIGHTS, LAKE_TABLES
from projections.readmodels.catalogue import TABLES
from projections.readmodels.tables import Table

TYPES = {
    "uuid": "STRING",
    "text": "STRING",
    "bigint": "BIGINT",
    "boolean": "BOOLEAN",
    "timestamptz": "TIMESTAMP",
    "text[]": "ARRAY<STRING>",
    "bigint[]": "ARRAY<BIGINT>",
    "bytea": "BINARY",
}
"""What a type of the catalogue is in Spark."""
EVENTS_IN_A_PART = 20_000
"""Small enough for the memory of any worker, and large enough to be worth sending."""
_IN_FILES = "lake_"
"""How the names of tables begin that have everything that is in the files, older rows included."""
_GLOB = re.compile(r"([*?\[\]{}\\])")


def show_in_spark(session: Any, folder: Path, manifest: Manifest) -> None:
    """Every table under the name that it has in PostgreSQL; of facts, the rows that are the newest."""
    session.conf.set("spark.sql.shuffle.partitions", parts_of(session, manifest))
    for table in LAKE_TABLES.values():
        paths = [_address(folder / file.path) for file in manifest.of(table.name)]
        schema = ", ".join(f"`{column.name}` {TYPES[column.sql_type]}" for column in table.columns)
        rows = session.read.schema(schema).parquet(*paths) if paths else session.createDataFrame([], schema)
        rows.createOrReplaceTempView(f"{_IN_FILES}{table.name}")
    _view(session, "newest", f"SELECT encounter, max(batch) AS batch FROM {_IN_FILES}fights GROUP BY encounter")  # noqa: S608
    session.table("newest").cache()  # every question is about the rows that it names
    _view(session, EVENTS.name, f"SELECT * FROM {_IN_FILES}{EVENTS.name}")  # noqa: S608
    _view(session, FIGHTS.name, _newest(FIGHTS))
    for table in TABLES.values():
        _view(session, table.name, _newest(table))


def parts_of(session: Any, manifest: Manifest) -> int:
    """Into how many parts work on a lake is divided, so that there is something to do for everybody."""
    return max(int(session.sparkContext.defaultParallelism), 1 + manifest.events // EVENTS_IN_A_PART)


def _newest(table: Table) -> str:
    columns = ", ".join(f"`{column.name}`" for column in table.columns)
    return f"SELECT {columns} FROM {_IN_FILES}{table.name} LEFT SEMI JOIN newest USING (encounter, batch)"  # noqa: S608


def _view(session: Any, name: str, query: str) -> None:
    session.sql(f"CREATE OR REPLACE TEMPORARY VIEW `{name}` AS {query}")


def _address(path: Path) -> str:
    """A path in which nothing stands for something else."""
    return "file:" + _GLOB.sub(r"\\\1", str(path.absolute()))
