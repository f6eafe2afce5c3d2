"""Asking DuckDB what PostgreSQL is asked elsewhere: the same queries, with the same names for what a person gave."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

PARAMETER = re.compile(r"%\((\w+)\)s")


class LakeCursor:
    """As much of a cursor of PostgreSQL's driver as statistics use."""

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
    """An id is text in a lake."""
    if isinstance(value, list):
        return [plain_value(one) for one in value]
    return str(value) if isinstance(value, UUID) else value
