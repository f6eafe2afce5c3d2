"""Asking Spark what PostgreSQL is asked elsewhere: the same queries, in its dialect."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Self

from projections.lake.cursor import PARAMETER, plain_value
from projections.lake.spark_session import Progress, watched
from projections.lake.spark_tables import SparkTables

_DIALECT = {
    re.compile(r"(\w+) = ANY\((:\w+)\)"): r"array_contains(\2, \1)",
    re.compile(r' COLLATE "C"'): "",  # which is how Spark compares anyway
    re.compile(r"array_to_string\("): "array_join(",
    re.compile(r"\(array_agg\((\S+) ORDER BY (\S+) DESC, (\S+) DESC\)\)\[1\]"): r"max_by(\1, struct(\2, \3))",
    re.compile(r"\(extract\(epoch FROM (\S+) - (\S+)\) \* 1000000\)::bigint"): r"(unix_micros(\1) - unix_micros(\2))",
}
"""What PostgreSQL and DuckDB say alike, and Spark otherwise."""


class SparkCursor:
    """As much of a cursor of PostgreSQL's driver as statistics use."""

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
