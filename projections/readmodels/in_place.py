"""Tables that a rebuild has just put in place.

On one server, that is one moment. The nodes of a cluster commit one after the other, and until the last one has, a node
may ask another for a table that has been replaced there, or is not in place yet. Nothing is read or written then.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep
from typing import TypeVar

import psycopg
from eventsourcing.persistence import ProgrammingError

from ledger.database_errors import driver_error

_PATIENCE = 5.0
_PAUSE = 0.02
Found = TypeVar("Found")


def once_in_place(work: Callable[[], Found]) -> Found:
    """Do something with the tables, again if one of them was not there for a moment."""
    end = monotonic() + _PATIENCE
    while True:
        try:
            return work()
        except (psycopg.errors.UndefinedTable, ProgrammingError) as error:
            if not isinstance(driver_error(error), psycopg.errors.UndefinedTable) or monotonic() > end:
                raise
            sleep(_PAUSE)
