"""A lake whose questions are answered by a Spark cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from projections.lake.reading import Lake
from projections.lake.spark_cursor import SparkCursor
from projections.lake.spark_rows import rows_for
from projections.lake.spark_session import Progress, spark_problems, spark_session
from projections.lake.spark_tables import SparkTables


class SparkLake(Lake):
    """The machine at which it is opened looks up names and reads single fights; the cluster does the rest.

    Every worker has to find a folder under the same path, and needs access of its own to an object store.
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
