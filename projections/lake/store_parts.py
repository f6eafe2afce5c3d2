"""What one worker reads of a table in an object store: some small files, or some rows of a large one.

It reads as one machine does, with DuckDB and the access that its own environment gives it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.errors import Problem
from projections.lake.manifest import LakeFile
from projections.lake.object_store import ObjectStore
from projections.lake.places import Mounted
from projections.lake.reading import reading
from projections.lake.worker_problems import told_to_the_driver
from projections.parquet import TYPES, connect, name, text
from projections.readmodels.tables import Column

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_ROWS = 122_880
"""What DuckDB writes as one group, which is the least that can be read of a file."""
_FILES = 32
"""Each takes at least one request, so many small files are divided as well."""
_AT_ONCE = 2_000
TIME = "timestamptz"


class Part(NamedTuple):
    sizes: Mapping[str, int]
    """The files, with their sizes, so that nobody has to list the store again."""
    first: int = 0
    end: int | None = None
    """Rows from one to before the other. Of the last part it is None: the list may say too little of a changed file."""


def parts_of(files: Iterable[LakeFile], sizes: Mapping[str, int]) -> Iterator[Part]:
    together: dict[str, int] = {}
    rows = 0
    for file in files:
        if file.rows > _ROWS:
            yield from _ranges(file, sizes[file.path])
            continue
        if together and (rows + file.rows > _ROWS or len(together) == _FILES):
            yield Part(together)
            together, rows = {}, 0
        together[file.path] = sizes[file.path]
        rows += file.rows
    if together:
        yield Part(together)


def _ranges(file: LakeFile, size: int) -> Iterator[Part]:
    starts = range(0, file.rows, _ROWS)
    for first in starts:
        yield Part({file.path: size}, first, None if first == starts[-1] else first + _ROWS)


def rows_of(place: ObjectStore, columns: Sequence[Column], part: Part) -> Iterator[tuple[Any, ...]]:
    """The rows of a part. A time is the number of its microseconds, which needs no conversion on the way."""
    with told_to_the_driver(), connect(threads="1") as conn:
        files = place.mount_known(conn, part.sizes)
        with reading(place, files):
            files.expect(part.sizes)
            found = conn.execute(_query(files, columns, part))
            _require_types(place, columns, found)
            while rows := found.fetchmany(_AT_ONCE):
                yield from rows


def _query(files: Mounted, columns: Sequence[Column], part: Part) -> str:
    named = ", ".join(text(files.address(path)) for path in part.sizes)
    rows = f"read_parquet([{named}], hive_partitioning = false, file_row_number = true)"
    before = f" AND file_row_number < {part.end}" if part.end is not None else ""
    taken = ", ".join(map(_taken, columns))
    return f"SELECT {taken} FROM {rows} WHERE file_row_number >= {part.first}{before}"  # noqa: S608


def _taken(column: Column) -> str:
    return f"epoch_us({name(column.name)})" if column.sql_type == TIME else name(column.name)


def _require_types(place: ObjectStore, columns: Sequence[Column], found: DuckDBPyConnection) -> None:
    """Spark would take a value of another type for none at all."""
    for column, (_, found_type, *_) in zip(columns, found.description or (), strict=True):
        needed = "BIGINT" if column.sql_type == TIME else TYPES[column.sql_type]
        if str(found_type) != needed:
            sentence = f"A file of the lake in {place} cannot be read: {column.name} is {found_type}, not {needed}."
            raise Problem("lake/damaged-file", sentence, folder=str(place), field=column.name)
