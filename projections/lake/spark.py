"""A lake that a Spark cluster queries: the rows, the tables, the cursor and the lake.

Spark reads the files of a folder itself, and only as much of them as a query needs. For object stores it would need the
libraries of each provider, so there the workers read through combatlog's own store access: some small files each, or
some rows of a large one. Tables and parameters have the same names as in PostgreSQL.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

from ledger.errors import Problem
from projections.lake.location import FolderLocation, MountedFiles
from projections.lake.manifest import BATCH, EVENTS, FIGHTS, LAKE_TABLES, LakeFile, Manifest
from projections.lake.object_store import ObjectStore
from projections.lake.reading import PARAMETER, LakeReader, plain_value, reading
from projections.lake.spark_session import Progress, spark_problems, spark_session, told_to_the_driver, watched
from projections.readmodels.table_files import PARQUET_TYPES, connect_duckdb, quoted_name, quoted_text
from projections.readmodels.tables import Column, TableSchema

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


_ROWS = 122_880
"""DuckDB writes row groups of this size, which is the least that can be read of a file."""
_FILES = 32
"""Each file takes at least one request, so lists of many small files are divided as well."""
_AT_ONCE = 2_000
TIME = "timestamptz"


class FilePart(NamedTuple):
    sizes: Mapping[str, int]
    """The files with their sizes, so that the store need not be listed again."""
    first: int = 0
    end: int | None = None
    """From one row up to, but not including, the other. None for the last part: the list may be wrong about a
    changed file."""


def file_parts(files: Iterable[LakeFile], sizes: Mapping[str, int]) -> Iterator[FilePart]:
    together: dict[str, int] = {}
    rows = 0
    for file in files:
        if file.rows > _ROWS:
            yield from _ranges(file, sizes[file.path])
            continue
        if together and (rows + file.rows > _ROWS or len(together) == _FILES):
            yield FilePart(together)
            together, rows = {}, 0
        together[file.path] = sizes[file.path]
        rows += file.rows
    if together:
        yield FilePart(together)


def _ranges(file: LakeFile, size: int) -> Iterator[FilePart]:
    starts = range(0, file.rows, _ROWS)
    for first in starts:
        yield FilePart({file.path: size}, first, None if first == starts[-1] else first + _ROWS)


def rows_of(place: ObjectStore, columns: Sequence[Column], part: FilePart) -> Iterator[tuple[Any, ...]]:
    """The rows of a part. Times are in microseconds, which need no conversion on the way."""
    with told_to_the_driver(), connect_duckdb(threads="1") as conn:
        files = place.mount_known(conn, part.sizes)
        with reading(place, files):
            files.expect(part.sizes)
            found = conn.execute(_query(files, columns, part))
            _require_types(place, columns, found)
            while rows := found.fetchmany(_AT_ONCE):
                yield from rows


def _query(files: MountedFiles, columns: Sequence[Column], part: FilePart) -> str:
    named = ", ".join(quoted_text(files.address(path)) for path in part.sizes)
    rows = f"read_parquet([{named}], hive_partitioning = false, file_row_number = true)"
    before = f" AND file_row_number < {part.end}" if part.end is not None else ""
    taken = ", ".join(map(_taken, columns))
    return f"SELECT {taken} FROM {rows} WHERE file_row_number >= {part.first}{before}"  # noqa: S608


def _taken(column: Column) -> str:
    return f"epoch_us({quoted_name(column.name)})" if column.sql_type == TIME else quoted_name(column.name)


def _require_types(place: ObjectStore, columns: Sequence[Column], found: DuckDBPyConnection) -> None:
    """Refuse columns of unexpected types, which Spark would read as NULL."""
    for column, (_, found_type, *_) in zip(columns, found.description or (), strict=True):
        needed = "BIGINT" if column.sql_type == TIME else PARQUET_TYPES[column.sql_type]
        if str(found_type) != needed:
            sentence = f"A file of the lake in {place} cannot be read: {column.name} is {found_type}, not {needed}."
            raise Problem("lake/damaged-file", sentence, folder=str(place), field=column.name)


SPARK_TYPES = {
    "uuid": "STRING",
    "text": "STRING",
    "bigint": "BIGINT",
    "boolean": "BOOLEAN",
    "timestamptz": "TIMESTAMP",
    "text[]": "ARRAY<STRING>",
    "bigint[]": "ARRAY<BIGINT>",
    "bytea": "BINARY",
}
"""The types of the catalogue in Spark."""
_PASSED_ON = {**SPARK_TYPES, TIME: "BIGINT"}
"""Their types in the rows that workers pass on."""
_GLOB = re.compile(r"([*?\[\]{}\\])")


class SparkRows(Protocol):
    def of(self, table: TableSchema, columns: Sequence[Column]) -> Any:
        """Some columns of a table as a data frame, including outdated rows."""


def rows_for(session: Any, lake: LakeReader) -> SparkRows:
    if isinstance(lake.place, FolderLocation):
        return FolderRows(session, lake.place.path, lake.manifest)
    from projections.lake.object_store_files import StoreFiles  # needs fsspec

    assert isinstance(lake.place, ObjectStore)
    assert isinstance(lake.files, StoreFiles)
    return StoreRows(session, lake.place, lake.manifest, lake.files.sizes)


class FolderRows:
    def __init__(self, session: Any, folder: Path, manifest: Manifest) -> None:
        self._session = session
        self._folder = folder
        self._manifest = manifest
        self._known: dict[str, Any] = {}

    def of(self, table: TableSchema, columns: Sequence[Column]) -> Any:
        if table.name not in self._known:  # Spark checks that every file exists, so do it only once
            self._known[table.name] = self._read(table)
        return self._known[table.name].select(*(column.name for column in columns))

    def _read(self, table: TableSchema) -> Any:
        schema = _schema(table.columns, SPARK_TYPES)
        paths = [_address(self._folder / file.path) for file in self._manifest.of(table.name)]
        return self._session.read.schema(schema).parquet(*paths) if paths else self._session.createDataFrame([], schema)


class StoreRows:
    def __init__(self, session: Any, place: ObjectStore, manifest: Manifest, sizes: Mapping[str, int]) -> None:
        self._session = session
        self._place = place
        self._manifest = manifest
        self._sizes = sizes

    def of(self, table: TableSchema, columns: Sequence[Column]) -> Any:
        parts = list(file_parts(self._manifest.of(table.name), self._sizes))
        read = self._session.sparkContext.parallelize(parts, max(1, len(parts)))
        rows = read.flatMap(partial(rows_of, self._place, columns))
        passed_on = self._session.createDataFrame(rows, _schema(columns, _PASSED_ON), verifySchema=False)
        return passed_on.selectExpr(*map(_received, columns))


def _received(column: Column) -> str:
    return f"timestamp_micros(`{column.name}`) AS `{column.name}`" if column.sql_type == TIME else f"`{column.name}`"


def _schema(columns: Iterable[Column], types: Mapping[str, str]) -> str:
    return ", ".join(f"`{column.name}` {types[column.sql_type]}" for column in columns)


def _address(path: Path) -> str:
    """A path with its wildcard characters escaped."""
    return "file:" + _GLOB.sub(r"\\\1", str(path.absolute()))


EVENTS_IN_A_PART = 20_000
"""Small enough for the memory of any worker, and large enough to be worth sending."""
_NEWEST = ("encounter", BATCH.name)
"""What distinguishes current rows from those that an earlier run wrote."""
_WORD = re.compile(r"\w+")


class SparkTables:
    def __init__(self, session: Any, rows: SparkRows, manifest: Manifest) -> None:
        self.session = session
        self.parts = max(int(session.sparkContext.defaultParallelism), 1 + manifest.events // EVENTS_IN_A_PART)
        """`parts` is the number of parts that work is divided into, so that every worker has something to do."""
        self._rows = rows
        session.conf.set("spark.sql.shuffle.partitions", self.parts)
        newest = rows.of(FIGHTS, _columns(FIGHTS, _NEWEST)).groupBy("encounter").agg({BATCH.name: "max"})
        self._newest = newest.toDF(*_NEWEST).cache()  # every query is about the rows that it names

    def ask(self, query: str, parameters: Mapping[str, Any] | None = None) -> Any:
        """A data frame for a query in Spark's dialect, which has to list every column. Columns that it does not list
        are not read."""
        words = set(_WORD.findall(query))
        for table in LAKE_TABLES.values():
            if table.name in words:
                self._show(table, words)
        return self.session.sql(query, args=dict(parameters or {}))

    def _show(self, table: TableSchema, words: Collection[str]) -> None:
        """The current rows of the tables of facts."""
        if table is EVENTS:
            rows = self._rows.of(table, _columns(table, {*words, "encounter"}))
        else:
            rows = self._rows.of(table, _columns(table, {*words, *_NEWEST}))
            rows = rows.join(self._newest, list(_NEWEST), "left_semi")
        rows.createOrReplaceTempView(table.name)


def _columns(table: TableSchema, names: Collection[str]) -> list[Column]:
    return [column for column in table.columns if column.name in names]


_DIALECT = {
    re.compile(r"(\w+) = ANY\((:\w+)\)"): r"array_contains(\2, \1)",
    re.compile(r' COLLATE "C"'): "",  # Spark compares like this anyway
    re.compile(r"array_to_string\("): "array_join(",
    re.compile(r"\(array_agg\((\S+) ORDER BY (\S+) DESC, (\S+) DESC\)\)\[1\]"): r"max_by(\1, struct(\2, \3))",
    re.compile(r"\(extract\(epoch FROM (\S+) - (\S+)\) \* 1000000\)::bigint"): r"(unix_micros(\1) - unix_micros(\2))",
}
"""Functions that PostgreSQL and DuckDB share, and Spark calls something else."""


class SparkCursor:
    """As much of a cursor of PostgreSQL's driver as the statistics use."""

    def __init__(self, tables: SparkTables, progress: Progress) -> None:
        self._tables = tables
        self._progress = progress
        self._found: list[tuple[Any, ...]] = []
        self.description: Sequence[Sequence[Any]] | None = None

    def execute(self, query: str, parameters: Mapping[str, Any] | None = None) -> Self:
        given = parameters or {}
        used = {name: plain_value(given[name]) for name in PARAMETER.findall(query)}
        with watched(self._tables.session, self._progress):
            answer = self._tables.ask(in_spark(query), used)
            self.description = [(name,) for name in answer.columns]
            self._found = [tuple(row) for row in answer.collect()]
        return self

    def fetchall(self) -> list[tuple[Any, ...]]:
        found, self._found = self._found, []
        return found

    def fetchone(self) -> tuple[Any, ...] | None:
        return self._found.pop(0) if self._found else None


def in_spark(query: str) -> str:
    query = PARAMETER.sub(r":\1", query)
    for said, instead in _DIALECT.items():
        query = said.sub(instead, query)
    return query


class SparkLake(LakeReader):
    """The machine where it is opened looks up names and reads single fights; the cluster does the rest.

    Every worker has to find a folder under the same path, or needs its own access to an object store.
    """

    spark: SparkTables
    progress: Progress

    @classmethod
    def open_on(cls, where: str | Path, master: str, progress: Progress = lambda done, total: None) -> Self:
        lake = cls.open(where)
        try:
            session = lake._resources.enter_context(spark_session(master))
            lake.progress = progress
            with spark_problems():
                lake.spark = SparkTables(session, rows_for(session, lake), lake.manifest)
        except BaseException:
            lake.close()
            raise
        return lake

    def cursor(self) -> SparkCursor:  # type: ignore[override]
        return SparkCursor(self.spark, self.progress)
