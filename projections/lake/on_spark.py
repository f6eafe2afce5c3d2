"""A lake whose questions are answered by a Spark cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from ledger.errors import Problem
from projections.lake.folder import Folder
from projections.lake.places import place_of
from projections.lake.reading import Lake
from projections.lake.spark_cursor import SparkCursor
from projections.lake.spark_session import Progress, spark_problems, spark_session
from projections.lake.spark_tables import show_in_spark


class SparkLake(Lake):
    """The machine at which it is opened looks up names and reads single fights; the cluster does the rest.

    Every worker has to find the folder under the same path.
    """

    session: Any
    progress: Progress

    @classmethod
    def open_on(cls, where: str | Path, master: str, progress: Progress = lambda done, total: None) -> Self:
        folder = _folder(where, master)
        lake = cls.open(folder)
        try:
            lake.session = lake._resources.enter_context(spark_session(master))
            lake.progress = progress
            with spark_problems():
                show_in_spark(lake.session, folder.path, lake.manifest)
        except BaseException:
            lake.close()
            raise
        return lake

    def cursor(self) -> SparkCursor:  # type: ignore[override]
        return SparkCursor(self.session, self.progress)


def _folder(where: str | Path, master: str) -> Folder:
    """Spark would need libraries of each provider, in its own version, on every worker."""
    place = place_of(where)
    if not isinstance(place, Folder):
        raise Problem(
            "spark/lake-at-url",
            f"Spark reads a lake in a folder that every worker has, and {place} is none.",
            folder=str(place),
            master=master,
        )
    return place
