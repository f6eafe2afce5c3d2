"""Tables as files: Parquet, written with DuckDB, or CSV.

DuckDB is loaded when it is needed.
"""

from __future__ import annotations

import csv
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any
from uuid import UUID

from psycopg import Cursor
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.errors import Problem, choices
from ledger.store.ledger import LedgerStore
from projections.readmodels.catalogue import TABLES
from projections.readmodels.reading import reading
from projections.readmodels.session import current_session
from projections.readmodels.tables import Column, TableSchema
from projections.story.text import csv_cell

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


STAGING = ".staging-"
"""The prefix of the names of folders in which rows wait for their file."""
PARQUET_TYPES = {
    "uuid": "VARCHAR",
    "text": "VARCHAR",
    "bigint": "BIGINT",
    "boolean": "BOOLEAN",
    "timestamptz": "TIMESTAMPTZ",
    "text[]": "VARCHAR[]",
    "bigint[]": "BIGINT[]",
    "bytea": "BLOB",
}
"""The types of the catalogue in files. Ids become text, because many readers of Parquet have no type for ids."""


class Staging:
    """Rows on their way into files. Those that do not fit into memory are kept on disk."""

    def __init__(self, conn: DuckDBPyConnection, folder: Path) -> None:
        self.conn = conn
        self.folder = folder
        self._tables: set[str] = set()

    def add(self, table: TableSchema, rows: Sequence[Sequence[Any]]) -> None:
        self._create(table)
        if rows:
            columns = [_plain(values) for values in zip(*rows, strict=True)]
            taken = ", ".join(f"unnest(?::{PARQUET_TYPES[column.sql_type]}[])" for column in table.columns)
            self.conn.execute(f"INSERT INTO {quoted_name(table.name)} SELECT {taken}", columns)

    def _create(self, table: TableSchema) -> None:
        if table.name not in self._tables:
            columns = ", ".join(map(_column, table.columns))
            self.conn.execute(f"CREATE TABLE {quoted_name(table.name)} ({columns})")
            self._tables.add(table.name)

    def write(self, table: TableSchema, path: Path) -> None:
        """Every row that was added, in the order of the table's key."""
        self._create(table)
        order = ", ".join(map(quoted_name, table.key))
        rows = f"SELECT * FROM {quoted_name(table.name)} ORDER BY {order}"  # noqa: S608 - constants
        write_rows(self.conn, rows, table, path)
        self.conn.execute(f"DROP TABLE {quoted_name(table.name)}")
        self._tables.remove(table.name)


@contextmanager
def staging(folder: Path, **config: str) -> Iterator[Staging]:
    """A temporary place for rows in a folder; it leaves nothing behind. `config` is DuckDB's."""
    try:
        own = Path(mkdtemp(prefix=STAGING, dir=folder))
    except OSError as error:
        raise unusable_folder(folder, error) from error
    try:
        with connect_duckdb(temp_directory=str(own), **config) as conn:
            yield Staging(conn, own)
    finally:
        shutil.rmtree(own, ignore_errors=True)


@contextmanager
def connect_duckdb(**config: str) -> Iterator[DuckDBPyConnection]:
    """DuckDB without extensions from elsewhere, and without access to the variables of this program."""
    import duckdb

    settings: dict[str, Any] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
        "python_enable_replacements": False,
        **config,
    }
    with duckdb.connect(config=settings) as conn:
        conn.execute("SET TimeZone = 'UTC'")
        yield conn


def write_rows(conn: DuckDBPyConnection, rows: str, table: TableSchema, path: Path) -> None:
    """Write the rows of a query to a file."""
    import duckdb

    about = {"comment": table.meaning, **{f"comment.{column.name}": column.meaning for column in table.columns}}
    written = ", ".join(f"{quoted_name(key)}: {quoted_text(value)}" for key, value in about.items())
    options = f"FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{written}}}"
    try:
        conn.execute(f"COPY ({rows}) TO {quoted_text(str(path))} ({options})")
    except duckdb.IOException as error:
        raise Problem("file/unusable", f"{path} cannot be written: {duckdb_message(error)}.", path=str(path)) from error


def duckdb_message(error: object) -> str:
    """DuckDB's message without its last full stop, to be part of a sentence."""
    return str(error).splitlines()[0].rstrip(".!")


def sync_to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def insert_rows(staged: Staging, tables: Mapping[str, TableSchema], rows: Iterable[tuple[str, Sequence[Any]]]) -> None:
    """Rows of several tables, each with the name of its table."""
    by_table: dict[str, list[Sequence[Any]]] = {}
    for table, values in rows:
        by_table.setdefault(table, []).append(values)
    for table, values_of in by_table.items():
        staged.add(tables[table], values_of)


def _column(column: Column) -> str:
    return f"{quoted_name(column.name)} {PARQUET_TYPES[column.sql_type]}{'' if column.is_optional else ' NOT NULL'}"


def quoted_name(identifier: str) -> str:
    return '"' + identifier.replace('"', '""') + '"'


def quoted_text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def unusable_folder(folder: Path, error: OSError) -> Problem:
    return Problem("file/unusable", f"The folder {folder} cannot be used: {error.strerror}.", folder=str(folder))


def _plain(values: Sequence[Any]) -> list[Any]:
    return [str(value) if isinstance(value, UUID) else value for value in values]


SECONDS = 3600.0
_AT_ONCE = 10_000

Write = Callable[[Path, TableSchema, Iterator[list[tuple[Any, ...]]]], None]


def export_tables(ledger: LedgerStore, folder: Path, suffix: str, encounter: UUID | None = None) -> dict[str, Path]:
    """Write every table, as it is now, into a folder; the files by table."""
    if (write := WRITERS.get(suffix)) is None:
        sentence = f"Tables can be written as {choices(WRITERS)}, not as {suffix}."
        raise Problem("export/unknown-format", sentence, found=suffix, available=list(WRITERS))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unusable_folder(folder, error) from error
    files = {name: folder / f"{name}.{suffix}" for name in TABLES}
    with current_session(ledger) as session, reading(session.conn, seconds=SECONDS) as cursor:
        for name, table in TABLES.items():
            write(files[name], table, _batches(cursor, table, encounter))
    return files


def _batches(
    cursor: Cursor[tuple[Any, ...]], table: TableSchema, encounter: UUID | None
) -> Iterator[list[tuple[Any, ...]]]:
    with cursor.connection.cursor(f"export_{table.name}", row_factory=tuple_row) as rows:
        chosen = SQL("WHERE encounter = %s") if encounter else SQL("")
        order = SQL(", ").join(map(Identifier, table.key))
        statement = SQL("SELECT * FROM {} {} ORDER BY {}").format(Identifier(table.name), chosen, order)
        rows.execute(statement, (encounter,) if encounter else None)
        while batch := rows.fetchmany(_AT_ONCE):
            yield batch


def write_csv(path: Path, table: TableSchema, batches: Iterator[list[tuple[Any, ...]]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table.column_names)
        for batch in batches:
            writer.writerows([[csv_cell(value) for value in row] for row in batch])


def write_parquet(path: Path, table: TableSchema, batches: Iterator[list[tuple[Any, ...]]]) -> None:
    with staging(path.parent) as staged:
        for batch in batches:
            staged.add(table, batch)
        staged.write(table, path)
    sync_to_disk(path)


WRITERS: dict[str, Write] = {"csv": write_csv, "parquet": write_parquet}
