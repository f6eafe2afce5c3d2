"""The problems behind the errors of the database's driver."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from eventsourcing.persistence import IntegrityError

from ledger.errors import Conflict, DatabaseProblem, LaggingSequence, Problem, Unanswered, Unreachable, first_line

_NODE_LOST = ("08", "57P", "XX000")
"""How the codes of errors begin that a node of a cluster reports when it, or the node it asked, goes down: a connection
failed, a server was shut down, or, as Citus has no code for it, something internal."""


@contextmanager
def until_answered(conn: psycopg.Connection[Any], *, on_cluster: bool = False) -> Iterator[None]:
    """If a connection breaks while it writes, nobody knows whether it has written.

    On a cluster, it may be the connection from one node to another, which had the events.
    """
    try:
        yield
    except psycopg.Error as error:
        if conn.closed or (on_cluster and (error.sqlstate or "").startswith(_NODE_LOST)):
            raise Unanswered(first_line(error)) from error
        raise


@contextmanager
def as_problems() -> Iterator[None]:
    """Turn the database's errors into problems that a person can act upon."""
    try:
        yield
    except Problem:
        raise
    except (IntegrityError, psycopg.IntegrityError) as error:
        raise LaggingSequence() if _is_of_sequence(error) else Conflict() from error
    except Exception as error:
        if (problem := explain(error)) is not None:
            raise problem from error
        raise


def _is_of_sequence(error: BaseException) -> bool:
    """Whether the sequence drew a number that is taken, and not a writer."""
    cause = driver_error(error)
    return cause is not None and cause.diag.constraint_name == "ledger_events_notification_id_idx"


def explain(error: BaseException | None) -> DatabaseProblem | None:
    """The problem behind a driver's error or any error that wraps one."""
    if isinstance(error, psycopg.errors.DiskFull):
        return DatabaseProblem(
            "database/full",
            "The database's disk is full, so nothing was recorded; free some space and try again.",
        )
    if isinstance(error, psycopg.errors.OutOfMemory):
        return DatabaseProblem(
            "database/no-memory",
            "The server has no memory or no locks left for this, so nothing was recorded; try again later, "
            "or raise its limits (for locks, max_locks_per_transaction).",
        )
    if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
        return DatabaseProblem(
            "database/read-only",
            "This database can only be read, so nothing was recorded: it is a standby, or it is set to read-only.",
        )
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return DatabaseProblem(
            "database/locked", "Somebody else holds a lock in the database that this has to wait for; try again later."
        )
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        reason = first_line(error)
        return DatabaseProblem(
            "database/forbidden", f"The database does not allow its user to do this: {reason}.", reason=reason
        )
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return Unreachable(error)
    if isinstance(error, psycopg.errors.InternalError_):
        return unusable(error)
    return explain(error.__cause__) if error is not None else None


def unusable(error: BaseException) -> DatabaseProblem:
    """The problem for an error that `explain` knows nothing about."""
    reason = first_line(error)
    return DatabaseProblem("database/unusable", f"The database cannot be used: {reason}.", reason=reason)


def driver_error(error: BaseException | None) -> psycopg.Error | None:
    """The driver's error behind one that wraps it."""
    if error is None or isinstance(error, psycopg.Error):
        return error
    return driver_error(error.__cause__)
