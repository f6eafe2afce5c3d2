"""Tables that are not there for a moment, because the nodes of a cluster put new ones in place one after the other."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest
from eventsourcing.persistence import ProgrammingError

from projections.readmodels import reading
from projections.readmodels.reading import once_in_place


def wrapped(cause: psycopg.Error) -> ProgrammingError:
    """As the library raises it."""
    error = ProgrammingError("x")
    error.__cause__ = cause
    return error


def failing(*errors: Exception) -> Callable[[], str]:
    left = list(errors)

    def work() -> str:
        if left:
            raise left.pop(0)
        return "done"

    return work


def test_it_is_tried_again_until_the_tables_are_there() -> None:
    gone = psycopg.errors.UndefinedTable("x")
    assert once_in_place(failing(gone, wrapped(gone), gone)) == "done"


def test_whoever_finds_no_table_at_all_is_told_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_PATIENCE", 0.0)
    with pytest.raises(psycopg.errors.UndefinedTable):
        once_in_place(failing(*[psycopg.errors.UndefinedTable("x")] * 3))


@pytest.mark.parametrize("error", [psycopg.errors.UndefinedColumn("x"), wrapped(psycopg.errors.UndefinedColumn("x"))])
def test_other_errors_are_not_waited_for(error: Exception) -> None:
    with pytest.raises(type(error)):
        once_in_place(failing(error))
