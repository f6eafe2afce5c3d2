"""Reading a lake with DuckDB, which sees the files of the lake and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from glob import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from ledger.errors import Problem, unknown_encounter
from ledger.hashing import GENESIS
from ledger.recorder import Row
from ledger.registry import decode
from ledger.store import MOST_NAMES, Stored, Stream, encounter_id, with_shared_past
from projections.lake.cursor import LakeCursor
from projections.lake.manifest import Manifest, read_manifest, require_form
from projections.lake.permission import require_harmless
from projections.lake.tables import EVENTS, FACTS, FIGHTS
from projections.parquet import TYPES, connect, name, text
from projections.readmodels.catalogue import TABLES
from projections.readmodels.ddl import FINGERPRINT
from projections.readmodels.reading import Answer, Described, DescribedColumn
from projections.readmodels.tables import Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SECONDS = 10.0
_HIDDEN = "lake"
"""The schema with the tables as the files have them, older rows included."""
_SHOWN = (EVENTS, *TABLES.values())
"""What a person's query sees."""
_MACROS = ("cardinality(list) AS len(list)",)
"""Functions that PostgreSQL has under another name, for questions that are asked of both."""


class Lake:
    """A lake as it was when it was opened. Whoever asks it something can change nothing and reach nothing else."""

    def __init__(self, folder: Path, manifest: Manifest, conn: DuckDBPyConnection) -> None:
        self.folder = folder
        self.manifest = manifest
        self.conn = conn
        self._resources = ExitStack()

    @classmethod
    def open(cls, folder: Path) -> Self:
        manifest = read_manifest(folder)
        require_form(folder, manifest, FINGERPRINT)
        with ExitStack() as opening:
            room = opening.enter_context(TemporaryDirectory(prefix="combatlog-lake-"))
            conn = opening.enter_context(connect(temp_directory=room))
            with _as_problems(folder):
                _show(conn, folder, manifest)
            lake = cls(folder, manifest, conn)
            lake._resources = opening.pop_all()
        return lake

    def close(self) -> None:
        self._resources.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Questions

    def cursor(self) -> LakeCursor:
        return LakeCursor(self.conn)

    def sql(self, query: str, *, seconds: float = SECONDS) -> Answer:
        """The answer to one SELECT that a person wrote, in DuckDB's dialect."""
        import duckdb

        try:
            require_harmless(self.conn, query)
            with self._limited(seconds), self._read_only():
                found = self.conn.execute("SELECT * FROM query($1)", [query])
                return Answer([column[0] for column in found.description or ()], found.fetchall())
        except duckdb.InterruptException as error:
            raise Problem(
                "sql/too-slow", f"The query took longer than {seconds:g} seconds and was stopped.", seconds=seconds
            ) from error
        except duckdb.Error as error:
            said = str(error).splitlines()[0].rstrip(".")
            raise Problem("sql/refused", f"DuckDB refuses this query: {said}.", reason=said) from error

    @contextmanager
    def _read_only(self) -> Iterator[None]:
        self.conn.execute("BEGIN TRANSACTION READ ONLY")
        try:
            yield
        finally:
            self.conn.execute("ROLLBACK")

    @contextmanager
    def _limited(self, seconds: float) -> Iterator[None]:
        timer = Timer(seconds, self.conn.interrupt)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def count(self, table: str) -> int:
        ((number,),) = self.conn.execute(f"SELECT count(*) FROM {name(table)}").fetchall()  # noqa: S608
        return int(number)

    def tables(self) -> list[Described]:
        """The tables that can be asked, with what they mean."""
        return [
            Described(table.name, table.meaning, [_described(column) for column in table.columns]) for table in _SHOWN
        ]

    # Fights, as a ledger has them

    def history(self, encounter: UUID) -> list[Stored]:
        return with_shared_past(encounter, self.own_rows)

    def own_rows(self, encounter: UUID) -> list[Stored]:
        return self.rows_of([encounter]).get(encounter, [])

    def rows_of(self, encounters: Iterable[UUID]) -> dict[UUID, list[Stored]]:
        """The rows of some encounters: to find many takes hardly longer than to find one."""
        query = (
            "SELECT encounter, seq, name, state, hash FROM events WHERE encounter = ANY($ids) ORDER BY encounter, seq"
        )
        found: dict[UUID, list[Stored]] = {}
        for owner, *row in self.conn.execute(query, {"ids": list(map(str, encounters))}).fetchall():
            found.setdefault(UUID(owner), []).append((UUID(owner), Row._make(row)))
        return found

    def listed(self) -> list[UUID]:
        """Every encounter that some run says it has written."""
        found = self.conn.execute(f"SELECT encounter FROM {_HIDDEN}.newest ORDER BY encounter").fetchall()  # noqa: S608
        return [UUID(row[0]) for row in found]

    def heads(self, encounters: Iterable[UUID]) -> dict[UUID, tuple[int, bytes]]:
        """The number and the hash of the last event that each encounter had when it was written."""
        query = f"SELECT encounter, seq, head FROM {_HIDDEN}.fights_now WHERE encounter = ANY($ids)"  # noqa: S608
        found = self.conn.execute(query, {"ids": list(map(str, encounters))}).fetchall()
        return {UUID(encounter): (seq, head) for encounter, seq, head in found}

    def facts_of(self, encounters: Iterable[UUID]) -> dict[str, dict[str, list[tuple[Any, ...]]]]:
        """The rows of some encounters in each table of the read models, by table and id."""
        ids = {"ids": list(map(str, encounters))}
        found: dict[str, dict[str, list[tuple[Any, ...]]]] = {table: {} for table in TABLES}
        for table, by_id in found.items():
            query = f"SELECT * FROM {table} WHERE encounter = ANY($ids)"  # noqa: S608
            for row in self.conn.execute(query, ids).fetchall():
                by_id.setdefault(row[0], []).append(row)
        return found

    def read(self, encounter: UUID) -> Stream:
        rows = self.history(encounter)
        return Stream([decode(row.name, row.state) for _, row in rows], rows[-1][1].hash if rows else GENESIS)

    def ids(self) -> list[UUID]:
        """Every encounter, in the order in which they came into the ledger."""
        found = self.conn.execute("SELECT encounter FROM events GROUP BY encounter ORDER BY min(notification)")
        return [UUID(row[0]) for row in found.fetchall()]

    def require(self, reference: str) -> UUID:
        """The id of the encounter with this name or id; refused if there is none."""
        encounter = encounter_id(reference)
        found = self.conn.execute("SELECT 1 FROM events WHERE encounter = $1 LIMIT 1", [str(encounter)])
        if found.fetchone() is None:
            raise self.unknown(reference)
        return encounter

    def unknown(self, reference: str) -> Problem:
        names = self.conn.execute("SELECT name FROM encounters ORDER BY begun DESC LIMIT $1", [MOST_NAMES]).fetchall()
        return unknown_encounter(reference, [row[0] for row in names])


@contextmanager
def _as_problems(folder: Path) -> Iterator[None]:
    """Whatever DuckDB says while it looks at the files is about the files."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        said = str(error).splitlines()[0].rstrip(".")
        sentence = f"A file of the lake in {folder} cannot be read: {said}."
        raise Problem("lake/damaged-file", sentence, folder=str(folder), reason=said) from error


def _described(column: Any) -> DescribedColumn:
    return DescribedColumn(column.name, TYPES[column.sql_type].lower(), column.meaning)


def _show(conn: DuckDBPyConnection, folder: Path, manifest: Manifest) -> None:
    """Set the tables up, and then close every other way out. What is locked stays locked while it is open."""
    require_files(folder, manifest)
    for macro in _MACROS:
        conn.execute(f"CREATE MACRO {macro}")
    conn.execute("SET default_null_order = 'postgres'")
    show_files(conn, folder, manifest)
    for table in TABLES.values():
        shown = ", ".join(name(column.name) for column in table.columns)
        conn.execute(f"CREATE VIEW {table.name} AS SELECT {shown} FROM {_HIDDEN}.{table.name}_now")  # noqa: S608
    conn.execute(f"CREATE VIEW events AS SELECT * FROM {_HIDDEN}.events")  # noqa: S608
    paths = [str(folder / file.path) for file in manifest.files]
    allowed = ", ".join(text(path) for plain in paths for path in {plain, escape(plain)})
    conn.execute(f"SET allowed_paths = [{allowed}]")
    conn.execute("SET enable_external_access = false")
    conn.execute("SET lock_configuration = true")


def show_files(conn: DuckDBPyConnection, folder: Path, manifest: Manifest) -> None:
    """The tables as they are in the files, and of each table of the read models the rows that are the newest."""
    conn.execute(f"CREATE SCHEMA {_HIDDEN}")
    for table in (EVENTS, FIGHTS, *FACTS.values()):
        paths = [folder / file.path for file in manifest.of(table.name)]
        conn.execute(f"CREATE VIEW {_HIDDEN}.{table.name} AS {rows_in(table, paths)}")
    conn.execute(
        f"CREATE TABLE {_HIDDEN}.newest AS SELECT encounter, max(batch) AS batch FROM {_HIDDEN}.fights"  # noqa: S608
        " GROUP BY encounter"
    )
    for table in (FIGHTS, *FACTS.values()):
        conn.execute(
            f"CREATE VIEW {_HIDDEN}.{table.name}_now AS SELECT * FROM {_HIDDEN}.{table.name}"  # noqa: S608
            f" SEMI JOIN {_HIDDEN}.newest USING (encounter, batch)"
        )


def rows_in(table: Table, paths: Sequence[Path]) -> str:
    """A query for the rows of some files."""
    if not paths:
        columns = ", ".join(f"NULL::{TYPES[column.sql_type]} AS {name(column.name)}" for column in table.columns)
        return f"SELECT {columns} WHERE false"
    files = ", ".join(text(escape(str(path))) for path in paths)
    columns = ", ".join(name(column.name) for column in table.columns)
    return f"SELECT {columns} FROM read_parquet([{files}], hive_partitioning = false)"  # noqa: S608


def require_files(folder: Path, manifest: Manifest) -> None:
    missing = [file.path for file in manifest.files if not (folder / file.path).is_file()]
    if missing:
        raise Problem(
            "lake/missing-file",
            f"The lake in {folder} is incomplete: {missing[0]} is missing.",
            folder=str(folder),
            found=missing[:5],
        )
