"""A lake: the events and facts of a ledger as Parquet files, to be asked where the ledger is not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Self, Unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from combatlog.ledger import Where
    from combatlog.rules.engine.verify import Report as Verification
    from ledger.seal import Seal
    from projections.lake.compaction import Compacted
    from projections.lake.manifest import Manifest
    from projections.lake.reading import Lake as Opened
    from projections.readmodels.reading import Answer, Described
    from projections.statistics.report import Report


class Lake:
    """A lake as it is when it is opened. Use it in a `with` block, or close it."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.opened.close()

    @property
    def manifest(self) -> Manifest:
        """How far the lake has come, and which files it consists of."""
        return self.opened.manifest

    def sql(self, query: str, *, seconds: float = 10.0) -> Answer:
        """The answer to one SELECT in DuckDB's dialect, which can read this lake and nothing else."""
        return self.opened.sql(query, seconds=seconds)

    def statistics(self, statistic: str, by: str = "actor", **where: Unpack[Where]) -> Sequence[Report]:
        """The same answer as `Ledger.statistics` gives, from what was recorded when the lake was written."""
        from combatlog.ledger import scope_in
        from projections.analytics_names import By, Statistic, named
        from projections.statistics.answers import lake_statistics

        scope = scope_in(self.opened, **where)
        return lake_statistics(self.opened, named(Statistic, statistic), scope, named(By, by))

    def verify(self, seals: Sequence[Seal] = (), *, jobs: int = 1) -> Iterator[Verification]:
        """Check every fight one by one: its hashes, its declarations, its seals, and its facts; in `jobs` processes.

        A Spark cluster, if the lake was opened on one, divides the work by itself.
        """
        from combatlog.rules.engine.lake_verify import verify_lake
        from combatlog.rules.engine.spark_verify import verify_on_spark
        from projections.lake.on_spark import SparkLake

        if isinstance(self.opened, SparkLake):
            return verify_on_spark(self.opened, seals)
        return verify_lake(self.opened.place, seals, jobs)

    def fights(self, seals: Sequence[Seal] = ()) -> int:
        """How many fights `verify` checks."""
        sealed = (seal.encounter for seal in seals)
        return len({*self.opened.ids(), *self.opened.listed(), *sealed})

    def counts(self) -> dict[str, int]:
        """How many rows each table has."""
        return {table.table: self.opened.count(table.table) for table in self.tables()}

    def tables(self) -> Sequence[Described]:
        """The tables of the lake with what they mean."""
        return self.opened.tables()


def open_lake(
    where: str | Path, spark: str | None = None, progress: Callable[[int, int], None] = lambda done, total: None
) -> Lake:
    """Open the lake in a folder or at a URL. No database is needed.

    `spark` is the address of a Spark master, which then computes statistics and verifies: `spark://HOST:7077`, or
    `local[2]` for this machine. `progress` is called with how many of how many parts of its work are done.
    """
    from projections.lake.on_spark import SparkLake
    from projections.lake.reading import Lake as Opened

    return Lake(Opened.open(where) if spark is None else SparkLake.open_on(where, spark, progress))


def compact_lake(where: str | Path, progress: Callable[[int, int], None] = lambda done, total: None) -> Compacted:
    """Put the small files of a lake together. `progress` is called with how much of how much is done."""
    from projections.lake.compaction import compact_lake as compact

    return compact(where, progress)
