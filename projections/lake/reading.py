"""Read a lake with DuckDB, which sees only the files of the lake.

DuckDB gets the same queries as PostgreSQL, with the same parameter names. Queries written by users are checked first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from pydantic_core import from_json

from ledger.errors import Problem, unknown_encounter
from ledger.registry import GENESIS, decode
from ledger.store.ledger import MOST_NAMES, EncounterStream, Stored, encounter_id, with_shared_past
from ledger.store.recorder import StoredRow
from projections.lake.location import LakeLocation, MountedFiles, location_of
from projections.lake.manifest import (
    EVENTS,
    FACTS,
    FIGHTS,
    LAKE_TABLES,
    LakeFile,
    Manifest,
    read_manifest,
    require_files,
    require_form,
)
from projections.readmodels.catalogue import TABLES
from projections.readmodels.reading import DescribedColumn, DescribedTable, QueryAnswer
from projections.readmodels.schema_and_login import FINGERPRINT
from projections.readmodels.table_files import PARQUET_TYPES, connect_duckdb, duckdb_message, quoted_name, quoted_text
from projections.readmodels.tables import TableSchema

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


PARAMETER = re.compile(r"%\((\w+)\)s")


class LakeCursor:
    """As much of a cursor of PostgreSQL's driver as the statistics use."""

    def __init__(self, ask: Callable[[str, Any], DuckDBPyConnection]) -> None:
        self._ask = ask

    def execute(self, query: str, parameters: Mapping[str, Any] | None = None) -> Self:
        given = parameters or {}
        used = {name: plain_value(given[name]) for name in PARAMETER.findall(query)}
        self._answer = self._ask(PARAMETER.sub(r"$\1", query), used)
        return self

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self._answer.fetchall()

    def fetchone(self) -> tuple[Any, ...] | None:
        return self._answer.fetchone()

    @property
    def description(self) -> Sequence[Sequence[Any]] | None:
        return self._answer.description


def plain_value(value: Any) -> Any:
    """Ids are text in a lake."""
    if isinstance(value, list):
        return [plain_value(one) for one in value]
    return str(value) if isinstance(value, UUID) else value


TABLE_FUNCTIONS = {"generate_series", "json_each", "json_tree", "range", "unnest"}
"""Functions that only compute, and neither read nor write anything."""


def require_harmless(conn: DuckDBPyConnection, query: str) -> None:
    row = conn.execute("SELECT json_serialize_sql($1)", [query]).fetchone()
    parsed = from_json(row[0]) if row is not None else {}
    if parsed.get("error", True):
        reason = duckdb_message(parsed.get("error_message", "it cannot be read"))
        is_sql = parsed.get("error_type") != "parser"
        sentence = "Only a SELECT can be asked of a lake." if is_sql else f"This is not valid SQL: {reason}."
        raise Problem("sql/refused", sentence, reason=reason)
    if len(parsed["statements"]) != 1:
        reason = "there is more than one statement" if parsed["statements"] else "there is none"
        raise Problem("sql/refused", f"A lake answers one SELECT, and {reason}.", reason=reason)
    for name in _table_functions(parsed):
        if name not in TABLE_FUNCTIONS:
            raise Problem(
                "sql/read-only",
                f"Only the tables of the lake can be queried, and nothing can be changed: {name} is not allowed.",
                name=name,
                available=sorted(TABLE_FUNCTIONS),
            )


def _table_functions(parsed: Any) -> Iterator[str]:
    waiting = [parsed]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if node.get("type") == "TABLE_FUNCTION":
                yield str(node["function"].get("function_name", "a function")).lower()
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node


SECONDS = 10.0
_HIDDEN = "lake"
"""The schema with the tables as they are in the files, including outdated rows."""
_SHOWN = (EVENTS, *TABLES.values())
"""The schema that users' queries see."""
_MACROS = ("cardinality(list) AS len(list)",)
"""Functions that PostgreSQL has under another name, for queries that run on both."""


class LakeReader:
    """A lake as it was when it was opened. Queries can change nothing and reach nothing outside it."""

    def __init__(self, place: LakeLocation, manifest: Manifest, conn: DuckDBPyConnection, files: MountedFiles) -> None:
        self.place = place
        self.manifest = manifest
        self._conn = conn
        self.files = files
        self._resources = ExitStack()

    @classmethod
    def open(cls, where: str | Path | LakeLocation) -> Self:
        place = where if isinstance(where, LakeLocation) else location_of(where)
        manifest = read_manifest(place)
        require_form(place, manifest, FINGERPRINT)
        with ExitStack() as opening:
            room = opening.enter_context(TemporaryDirectory(prefix="combatlog-lake-"))
            conn = opening.enter_context(connect_duckdb(temp_directory=room))
            files = place.mount(conn)
            with reading(place, files):
                _show(conn, place, files, manifest)
            lake = cls(place, manifest, conn, files)
            lake._resources = opening.pop_all()
        return lake

    def close(self) -> None:
        self._resources.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Queries

    def cursor(self) -> LakeCursor:
        return LakeCursor(self.ask)

    def ask(self, query: str, parameters: object = None) -> DuckDBPyConnection:
        """DuckDB's answer to one of the program's own queries."""
        import duckdb

        self.files.failure = None
        try:
            return self._conn.execute(query, parameters)
        except duckdb.Error as error:
            if self.files.failure is not None:
                raise self.files.failure from error
            raise

    def sql(self, query: str, *, seconds: float = SECONDS) -> QueryAnswer:
        """The answer to one SELECT written by a user, in DuckDB's dialect."""
        import duckdb

        try:
            require_harmless(self._conn, query)
            with self._limited(seconds), self._read_only():
                found = self.ask("SELECT * FROM query($1)", [query])
                return QueryAnswer([column[0] for column in found.description or ()], found.fetchall())
        except duckdb.InterruptException as error:
            raise Problem(
                "sql/too-slow", f"The query took longer than {seconds:g} seconds and was stopped.", seconds=seconds
            ) from error
        except duckdb.Error as error:
            raise Problem(
                "sql/refused", f"DuckDB refuses this query: {duckdb_message(error)}.", reason=duckdb_message(error)
            ) from error

    @contextmanager
    def _read_only(self) -> Iterator[None]:
        self.ask("BEGIN TRANSACTION READ ONLY")
        try:
            yield
        finally:
            self.ask("ROLLBACK")

    @contextmanager
    def _limited(self, seconds: float) -> Iterator[None]:
        timer = Timer(seconds, self._conn.interrupt)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def count(self, table: str) -> int:
        ((number,),) = self.ask(f"SELECT count(*) FROM {quoted_name(table)}").fetchall()  # noqa: S608
        return int(number)

    def tables(self) -> list[DescribedTable]:
        """The tables that can be queried, with their meanings."""
        return [
            DescribedTable(table.name, table.meaning, [_described(column) for column in table.columns])
            for table in _SHOWN
        ]

    # Fights, as in a ledger

    def history(self, encounter: UUID) -> list[Stored]:
        return with_shared_past(encounter, self.own_rows)

    def own_rows(self, encounter: UUID) -> list[Stored]:
        return self.rows_of([encounter]).get(encounter, [])

    def rows_of(self, encounters: Iterable[UUID]) -> dict[UUID, list[Stored]]:
        """The rows of some encounters. Finding many takes hardly longer than finding one."""
        query = (
            "SELECT encounter, seq, name, state, hash FROM events WHERE encounter = ANY($ids) ORDER BY encounter, seq"
        )
        found: dict[UUID, list[Stored]] = {}
        for owner, *row in self.ask(query, {"ids": list(map(str, encounters))}).fetchall():
            found.setdefault(UUID(owner), []).append((UUID(owner), StoredRow._make(row)))
        return found

    def listed(self) -> list[UUID]:
        """Every encounter that a run claims to have written."""
        found = self.ask(f"SELECT encounter FROM {_HIDDEN}.newest ORDER BY encounter").fetchall()  # noqa: S608
        return [UUID(row[0]) for row in found]

    def heads(self, encounters: Iterable[UUID]) -> dict[UUID, tuple[int, bytes]]:
        """The number and hash of each encounter's last event when it was written."""
        query = f"SELECT encounter, seq, head FROM {_HIDDEN}.fights_now WHERE encounter = ANY($ids)"  # noqa: S608
        found = self.ask(query, {"ids": list(map(str, encounters))}).fetchall()
        return {UUID(encounter): (seq, head) for encounter, seq, head in found}

    def facts_of(self, encounters: Iterable[UUID]) -> dict[str, dict[str, list[tuple[Any, ...]]]]:
        """The rows of some encounters in each table of the read models, by table and id."""
        ids = {"ids": list(map(str, encounters))}
        found: dict[str, dict[str, list[tuple[Any, ...]]]] = {table: {} for table in TABLES}
        for table, by_id in found.items():
            query = f"SELECT * FROM {table} WHERE encounter = ANY($ids)"  # noqa: S608
            for row in self.ask(query, ids).fetchall():
                by_id.setdefault(row[0], []).append(row)
        return found

    def read(self, encounter: UUID) -> EncounterStream:
        rows = self.history(encounter)
        return EncounterStream([decode(row.name, row.state) for _, row in rows], rows[-1][1].hash if rows else GENESIS)

    def ids(self) -> list[UUID]:
        """Every encounter, in the order in which they were added to the ledger."""
        found = self.ask("SELECT encounter FROM events GROUP BY encounter ORDER BY min(notification)")
        return [UUID(row[0]) for row in found.fetchall()]

    def require(self, reference: str) -> UUID:
        """The id of the encounter with this name or id; refused if there is none."""
        encounter = encounter_id(reference)
        found = self.ask("SELECT 1 FROM events WHERE encounter = $1 LIMIT 1", [str(encounter)])
        if found.fetchone() is None:
            raise self.unknown(reference)
        return encounter

    def unknown(self, reference: str) -> Problem:
        names = self.ask("SELECT name FROM encounters ORDER BY begun DESC LIMIT $1", [MOST_NAMES]).fetchall()
        return unknown_encounter(reference, [row[0] for row in names])


@contextmanager
def reading(place: LakeLocation, files: MountedFiles) -> Iterator[None]:
    """Errors that DuckDB raises here are about the files."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        if files.failure is not None:
            raise files.failure from error
        sentence = f"A file of the lake in {place} cannot be read: {duckdb_message(error)}."
        raise Problem("lake/damaged-file", sentence, folder=str(place), reason=duckdb_message(error)) from error


def _described(column: Any) -> DescribedColumn:
    return DescribedColumn(column.name, PARQUET_TYPES[column.sql_type].lower(), column.meaning)


def _show(conn: DuckDBPyConnection, place: LakeLocation, files: MountedFiles, manifest: Manifest) -> None:
    """Set up the tables, and then block every other access. The settings stay locked as long as the connection is
    open."""
    for macro in _MACROS:
        conn.execute(f"CREATE MACRO {macro}")
    conn.execute("SET default_null_order = 'postgres'")
    show_files(conn, place, files, manifest)
    for table in TABLES.values():
        shown = ", ".join(quoted_name(column.name) for column in table.columns)
        conn.execute(f"CREATE VIEW {table.name} AS SELECT {shown} FROM {_HIDDEN}.{table.name}_now")  # noqa: S608
    conn.execute(f"CREATE VIEW events AS SELECT * FROM {_HIDDEN}.events")  # noqa: S608
    allowed = ", ".join(quoted_text(name) for file in manifest.files for name in files.allowed(file.path))
    conn.execute(f"SET allowed_paths = [{allowed}]")
    conn.execute("SET enable_external_access = false")
    conn.execute("SET lock_configuration = true")


def show_files(conn: DuckDBPyConnection, place: LakeLocation, files: MountedFiles, manifest: Manifest) -> None:
    """The tables as they are in the files and, for each table of the read models, its newest rows."""
    require_files(place, files.paths, manifest.files)
    files.expect(file.path for table in LAKE_TABLES for file in manifest.of(table)[:1])
    conn.execute(f"CREATE SCHEMA {_HIDDEN}")
    for table in (EVENTS, FIGHTS, *FACTS.values()):
        rows = rows_in(table, files, manifest.of(table.name))
        conn.execute(f"CREATE VIEW {_HIDDEN}.{table.name} AS {rows}")
    conn.execute(
        f"CREATE TABLE {_HIDDEN}.newest AS SELECT encounter, max(batch) AS batch FROM {_HIDDEN}.fights"  # noqa: S608
        " GROUP BY encounter"
    )
    for table in (FIGHTS, *FACTS.values()):
        conn.execute(
            f"CREATE VIEW {_HIDDEN}.{table.name}_now AS SELECT * FROM {_HIDDEN}.{table.name}"  # noqa: S608
            f" SEMI JOIN {_HIDDEN}.newest USING (encounter, batch)"
        )


def rows_in(table: TableSchema, mounted: MountedFiles, files: Sequence[LakeFile]) -> str:
    """A query for the rows of some files."""
    if not files:
        columns = ", ".join(
            f"NULL::{PARQUET_TYPES[column.sql_type]} AS {quoted_name(column.name)}" for column in table.columns
        )
        return f"SELECT {columns} WHERE false"
    named = ", ".join(quoted_text(mounted.address(file.path)) for file in files)
    columns = ", ".join(quoted_name(column.name) for column in table.columns)
    return f"SELECT {columns} FROM read_parquet([{named}], hive_partitioning = false)"  # noqa: S608
