"""The tables as files: CSV or Parquet, one for each table."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from psycopg import Cursor
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.errors import Problem
from ledger.store import Ledger
from projections.readmodels.catalogue import TABLES
from projections.readmodels.reading import reading
from projections.readmodels.session import current_session
from projections.readmodels.tables import Table
from projections.text import csv_cell

SECONDS = 3600.0
_AT_ONCE = 10_000

Write = Callable[[Path, Table, Iterator[list[tuple[Any, ...]]]], None]


def export_tables(ledger: Ledger, folder: Path, suffix: str, encounter: UUID | None = None) -> dict[str, Path]:
    """Write every table, as it is now, into a folder; the files by table."""
    write = WRITERS[suffix]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem(
            "file/unusable", f"The folder {folder} cannot be used: {error.strerror}.", folder=str(folder)
        ) from error
    files = {name: folder / f"{name}.{suffix}" for name in TABLES}
    with current_session(ledger) as session, reading(session.conn, seconds=SECONDS) as cursor:
        for name, table in TABLES.items():
            write(files[name], table, _batches(cursor, table, encounter))
    return files


def _batches(cursor: Cursor[tuple[Any, ...]], table: Table, encounter: UUID | None) -> Iterator[list[tuple[Any, ...]]]:
    with cursor.connection.cursor(f"export_{table.name}", row_factory=tuple_row) as rows:
        chosen = SQL("WHERE encounter = %s") if encounter else SQL("")
        order = SQL(", ").join(map(Identifier, table.key))
        statement = SQL("SELECT * FROM {} {} ORDER BY {}").format(Identifier(table.name), chosen, order)
        rows.execute(statement, (encounter,) if encounter else None)
        while batch := rows.fetchmany(_AT_ONCE):
            yield batch


def write_csv(path: Path, table: Table, batches: Iterator[list[tuple[Any, ...]]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table.column_names)
        for batch in batches:
            writer.writerows([[csv_cell(value) for value in row] for row in batch])


def write_parquet(path: Path, table: Table, batches: Iterator[list[tuple[Any, ...]]]) -> None:
    import pyarrow
    from pyarrow import parquet

    schema = _arrow_schema(table)
    with parquet.ParquetWriter(path, schema) as writer:
        for batch in batches:
            columns = [[_for_arrow(value) for value in column] for column in zip(*batch, strict=True)]
            arrays = [pyarrow.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))


def _for_arrow(value: Any) -> Any:
    return str(value) if isinstance(value, UUID) else value


def _arrow_schema(table: Table) -> Any:
    import pyarrow

    types = {
        "uuid": pyarrow.string(),
        "text": pyarrow.string(),
        "bigint": pyarrow.int64(),
        "boolean": pyarrow.bool_(),
        "timestamptz": pyarrow.timestamp("us", tz="UTC"),
        "text[]": pyarrow.list_(pyarrow.string()),
        "bigint[]": pyarrow.list_(pyarrow.int64()),
    }
    fields = [
        pyarrow.field(column.name, types[column.sql_type], column.is_optional, {"comment": column.meaning})
        for column in table.columns
    ]
    return pyarrow.schema(fields, metadata={"comment": table.meaning})


WRITERS: dict[str, Write] = {"csv": write_csv, "parquet": write_parquet}
