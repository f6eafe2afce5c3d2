"""The tables of a lake in Spark, under the names that they have in PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from projections.lake.manifest import Manifest
from projections.lake.spark_rows import Rows
from projections.lake.tables import BATCH, EVENTS, FIGHTS, LAKE_TABLES
from projections.readmodels.tables import Column, Table

EVENTS_IN_A_PART = 20_000
"""Small enough for the memory of any worker, and large enough to be worth sending."""
_NEWEST = ("encounter", BATCH.name)
"""By which the rows that count are told from those that an earlier run wrote."""
_WORD = re.compile(r"\w+")


class SparkTables:
    def __init__(self, session: Any, rows: Rows, manifest: Manifest) -> None:
        self.session = session
        self.parts = max(int(session.sparkContext.defaultParallelism), 1 + manifest.events // EVENTS_IN_A_PART)
        """Into how many parts work is divided, so that there is something to do for everybody."""
        self._rows = rows
        session.conf.set("spark.sql.shuffle.partitions", self.parts)
        newest = rows.of(FIGHTS, _columns(FIGHTS, _NEWEST)).groupBy("encounter").agg({BATCH.name: "max"})
        self._newest = newest.toDF(*_NEWEST).cache()  # every question is about the rows that it names

    def ask(self, query: str, parameters: Mapping[str, Any] | None = None) -> Any:
        """A data frame for a query in Spark's dialect, which has to spell out each column. What it does not mention is
        not read.
        """
        words = set(_WORD.findall(query))
        for table in LAKE_TABLES.values():
            if table.name in words:
                self._show(table, words)
        return self.session.sql(query, args=dict(parameters or {}))

    def _show(self, table: Table, words: Collection[str]) -> None:
        """Of facts, the rows that are the newest."""
        if table is EVENTS:
            rows = self._rows.of(table, _columns(table, {*words, "encounter"}))
        else:
            rows = self._rows.of(table, _columns(table, {*words, *_NEWEST}))
            rows = rows.join(self._newest, list(_NEWEST), "left_semi")
        rows.createOrReplaceTempView(table.name)


def _columns(table: Table, names: Collection[str]) -> list[Column]:
    return [column for column in table.columns if column.name in names]
