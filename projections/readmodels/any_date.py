"""Reading dates that PostgreSQL has and Python does not: before year 1, after year 9999, infinity. They stay text."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import Cursor
from psycopg.abc import Loader
from psycopg.adapt import Buffer
from psycopg.types import datetime as dates

_LOADERS: dict[str, type[Any]] = {
    "date": dates.DateLoader,
    "time": dates.TimeLoader,
    "timetz": dates.TimetzLoader,
    "timestamp": dates.TimestampLoader,
    "timestamptz": dates.TimestamptzLoader,
    "interval": dates.IntervalLoader,
}


def accept_any_date(cursor: Cursor[Any]) -> None:
    for name, loader in _LOADERS.items():
        cursor.adapters.register_loader(name, _or_text(loader))


def _or_text(usual: type[Any]) -> type[Loader]:
    class OrText(usual):  # type: ignore[misc]
        def load(self, data: Buffer) -> Any:
            try:
                return super().load(data)
            except (psycopg.DataError, ValueError, OverflowError):
                return bytes(data).decode()

    return OrText
