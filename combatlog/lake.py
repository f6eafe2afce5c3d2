"""A lake: the events and facts of a ledger as Parquet files, to be asked where the ledger is not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Self, Unpack

from combatlog.ledger import FightSelection, scope_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from combatlog.rules.verification.verify import VerificationReport as Verification
    from ledger.exchange.seal import Seal
    from projections.lake.manifest import Manifest
    from projections.lake.reading import LakeReader as Opened
    from projections.lake.writing import LakeCompaction
    from projections.readmodels.reading import DescribedTable, QueryAnswer
    from projections.statistics.question import Report


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
        """How far the lake goes, and which files it consists of."""
        return self.opened.manifest

    def sql(self, query: str, *, seconds: float = 10.0) -> QueryAnswer:
        """The answer to one SELECT in DuckDB's dialect, which can read this lake and nothing else."""
        return self.opened.sql(query, seconds=seconds)

    def statistics(self, statistic: str, by: str = "actor", **where: Unpack[FightSelection]) -> Sequence[Report]:
        """The same as `Ledger.statistics`, from the events that were recorded when the lake was written."""
        from projections.statistics.answers import lake_statistics
        from projections.statistics.statistic_names import By, Statistic, named

        scope = scope_in(self.opened, **where)
        return lake_statistics(self.opened, named(Statistic, statistic), scope, named(By, by))

    def verify(self, seals: Sequence[Seal] = (), *, jobs: int = 1) -> Iterator[Verification]:
        """Check every fight one by one: its hashes, its declarations, its seals, and its facts; in `jobs` processes.

        If the lake was opened on a Spark cluster, the cluster divides the work.
        """
        from combatlog.rules.verification.lake_verify import verify_lake, verify_on_spark
        from projections.lake.spark import SparkLake

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

    def tables(self) -> Sequence[DescribedTable]:
        """The tables of the lake with what they mean."""
        return self.opened.tables()


def open_lake(
    where: str | Path, spark: str | None = None, progress: Callable[[int, int], None] = lambda done, total: None
) -> Lake:
    """Open the lake in a folder or at a URL. No database is needed.

    `spark` is the address of a Spark master, which then computes statistics and verifies: `spark://HOST:7077`, or
    `local[2]` for this machine. `progress` is called with the parts of the work done and the total.
    """
    from projections.lake.reading import LakeReader as Opened
    from projections.lake.spark import SparkLake

    return Lake(Opened.open(where) if spark is None else SparkLake.open_on(where, spark, progress))


def compact_lake(where: str | Path, progress: Callable[[int, int], None] = lambda done, total: None) -> LakeCompaction:
    """Merge the small files of a lake. `progress` is called with the work done and the total."""
    from projections.lake.writing import compact_lake as compact

    return compact(where, progress)
