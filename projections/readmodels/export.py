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

from ledger.store import Ledger
from projections.parquet import staging, sync, unusable
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
        raise unusable(folder, error) from error
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
    with staging(path.parent) as staged:
        for batch in batches:
            staged.add(table, batch)
        staged.write(table, path)
    sync(path)


WRITERS: dict[str, Write] = {"csv": write_csv, "parquet": write_parquet}
