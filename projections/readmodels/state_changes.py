"""What has changed in the state of an encounter: most events change one or two of its many rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any, NamedTuple

from projections.readmodels.catalogue import STATES
from projections.readmodels.tables import Table

Row = tuple[str, tuple[Any, ...]]
"""A table and the values of a whole row."""
Key = tuple[Any, ...]


def _key_of(table: Table) -> Callable[[tuple[Any, ...]], Key]:
    places = [table.column_names.index(name) for name in table.key]
    only = places[0]
    return itemgetter(*places) if len(places) > 1 else lambda values: (values[only],)


_KEYS = {table.name: _key_of(table) for table in STATES}


class Changes(NamedTuple):
    gone: list[tuple[str, Key]]
    """Rows that are not there any more, or not like this, by their keys."""
    new: list[Row]


class WrittenState:
    """The rows that a table holds for an encounter."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, Key], tuple[Any, ...]] = {}

    def replace(self, rows: Iterable[Row]) -> Changes:
        """What has to be deleted and written so that the tables have these rows instead."""
        before, self._rows = self._rows, {(table, _KEYS[table](values)): values for table, values in rows}
        gone = [place for place, values in before.items() if self._rows.get(place) != values]
        new = [(place[0], values) for place, values in self._rows.items() if before.get(place) != values]
        return Changes(gone, new)
