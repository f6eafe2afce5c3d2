"""Tables as Parquet files, written with DuckDB, which is loaded when it is needed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any
from uuid import UUID

from ledger.errors import Problem
from projections.readmodels.tables import Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

STAGING = ".staging-"
"""How the names of folders begin in which rows wait for their file."""
TYPES = {
    "uuid": "VARCHAR",
    "text": "VARCHAR",
    "bigint": "BIGINT",
    "boolean": "BOOLEAN",
    "timestamptz": "TIMESTAMPTZ",
    "text[]": "VARCHAR[]",
    "bigint[]": "BIGINT[]",
    "bytea": "BLOB",
}
"""What a type of the catalogue is in a file. An id is text, because many readers of Parquet know no ids."""


class Staging:
    """Rows on their way into files. What does not fit into memory waits on the disk."""

    def __init__(self, conn: DuckDBPyConnection, folder: Path) -> None:
        self.conn = conn
        self.folder = folder
        self._tables: set[str] = set()

    def add(self, table: Table, rows: Sequence[Sequence[Any]]) -> None:
        self._create(table)
        if rows:
            columns = [_plain(values) for values in zip(*rows, strict=True)]
            taken = ", ".join(f"unnest(?::{TYPES[column.sql_type]}[])" for column in table.columns)
            self.conn.execute(f"INSERT INTO {name(table.name)} SELECT {taken}", columns)

    def _create(self, table: Table) -> None:
        if table.name not in self._tables:
            columns = (
                f"{name(column.name)} {TYPES[column.sql_type]}{'' if column.is_optional else ' NOT NULL'}"
                for column in table.columns
            )
            self.conn.execute(f"CREATE TABLE {name(table.name)} ({', '.join(columns)})")
            self._tables.add(table.name)

    def write(self, table: Table, path: Path) -> None:
        """Everything that was added, in the order of the table's key."""
        self._create(table)
        order = ", ".join(map(name, table.key))
        rows = f"SELECT * FROM {name(table.name)} ORDER BY {order}"  # noqa: S608 - constants
        write_rows(self.conn, rows, table, path)
        self.conn.execute(f"DROP TABLE {name(table.name)}")
        self._tables.remove(table.name)


@contextmanager
def staging(folder: Path, **config: str) -> Iterator[Staging]:
    """A place for rows in a folder, of which nothing is left afterwards. `config` is DuckDB's."""
    try:
        own = Path(mkdtemp(prefix=STAGING, dir=folder))
    except OSError as error:
        raise unusable(folder, error) from error
    try:
        with connect(temp_directory=str(own), **config) as conn:
            yield Staging(conn, own)
    finally:
        shutil.rmtree(own, ignore_errors=True)


@contextmanager
def connect(**config: str) -> Iterator[DuckDBPyConnection]:
    """DuckDB without extensions from elsewhere, and blind to the variables of this program."""
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


def write_rows(conn: DuckDBPyConnection, rows: str, table: Table, path: Path) -> None:
    """The rows of a query as a file."""
    import duckdb

    about = {"comment": table.meaning, **{f"comment.{column.name}": column.meaning for column in table.columns}}
    written = ", ".join(f"{name(key)}: {text(value)}" for key, value in about.items())
    options = f"FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{written}}}"
    try:
        conn.execute(f"COPY ({rows}) TO {text(str(path))} ({options})")
    except duckdb.IOException as error:
        raise Problem("file/unusable", f"{path} cannot be written: {said(error)}.", path=str(path)) from error


def said(error: object) -> str:
    """What DuckDB says, without its end: it comes in a sentence of ours."""
    return str(error).splitlines()[0].rstrip(".!")


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def insert_rows(staged: Staging, tables: Mapping[str, Table], rows: Iterable[tuple[str, Sequence[Any]]]) -> None:
    """Rows of several tables, each with the name of its table."""
    by_table: dict[str, list[Sequence[Any]]] = {}
    for table, values in rows:
        by_table.setdefault(table, []).append(values)
    for table, values_of in by_table.items():
        staged.add(tables[table], values_of)


def name(identifier: str) -> str:
    return '"' + identifier.replace('"', '""') + '"'


def text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def unusable(folder: Path, error: OSError) -> Problem:
    return Problem("file/unusable", f"The folder {folder} cannot be used: {error.strerror}.", folder=str(folder))


def _plain(values: Sequence[Any]) -> list[Any]:
    return [str(value) if isinstance(value, UUID) else value for value in values]
