"""The connections of a ledger, and the translation of database errors into problems."""

from __future__ import annotations

import select
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from eventsourcing.persistence import IntegrityError
from eventsourcing.postgres import ConnectionPool, PostgresDatastore
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict, timeout_from_conninfo
from psycopg.rows import DictRow, dict_row
from psycopg.sql import SQL, Literal

from ledger.errors import Conflict, DatabaseProblem, LaggingSequence, Problem, Unanswered, Unreachable, first_line

_NODE_LOST = ("08", "57P", "XX000")
"""Prefixes of the error codes that a cluster node reports when it, or a node that it called, goes down: connection
failure, server shutdown, or an internal error, because Citus has no code of its own for it."""


@contextmanager
def until_answered(conn: psycopg.Connection[Any], *, on_cluster: bool = False) -> Iterator[None]:
    """Raise `Unanswered` if the connection breaks during a write, because the write may or may not have happened.

    On a cluster, the broken connection may also be one between two nodes.
    """
    try:
        yield
    except psycopg.Error as error:
        if conn.closed or (on_cluster and (error.sqlstate or "").startswith(_NODE_LOST)):
            raise Unanswered(first_line(error)) from error
        raise


@contextmanager
def as_problems() -> Iterator[None]:
    """Turn database errors into problems that a person can act upon."""
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
    """Whether the error comes from a number of the sequence that is taken, not from a conflict between writers."""
    cause = driver_error(error)
    return cause is not None and cause.diag.constraint_name == "ledger_events_notification_id_idx"


def explain(error: BaseException | None) -> DatabaseProblem | None:
    """The problem for a driver's error, or for an error that wraps one."""
    if isinstance(error, psycopg.errors.DiskFull):
        return DatabaseProblem(
            "database/full",
            "The database's disk is full, so nothing was recorded; free some space and try again.",
        )
    if isinstance(error, psycopg.errors.OutOfMemory):
        return DatabaseProblem(
            "database/no-memory",
            "The server has run out of memory or locks, so nothing was recorded; try again later, or raise its limits "
            "(for locks, max_locks_per_transaction).",
        )
    if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
        return DatabaseProblem(
            "database/read-only",
            "This database can only be read, so nothing was recorded: it is a standby, or it is set to read-only.",
        )
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return DatabaseProblem(
            "database/locked", "Another session holds a lock in the database that this command needs; try again later."
        )
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        reason = first_line(error)
        return DatabaseProblem(
            "database/forbidden", f"The database does not allow this user to do this: {reason}.", reason=reason
        )
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return Unreachable(error)
    if isinstance(error, psycopg.errors.InternalError_):
        return unusable(error)
    return explain(error.__cause__) if error is not None else None


def unusable(error: BaseException) -> DatabaseProblem:
    """The problem for an error that `explain` does not know."""
    reason = first_line(error)
    return DatabaseProblem("database/unusable", f"The database cannot be used: {reason}.", reason=reason)


def driver_error(error: BaseException | None) -> psycopg.Error | None:
    """The driver's error inside a wrapped one."""
    if error is None or isinstance(error, psycopg.Error):
        return error
    return driver_error(error.__cause__)


_UNLESS_THE_URL_SAYS_OTHERWISE: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""Timeouts, unless the URL sets others. Connecting takes at most five seconds, as does waiting for a server that was
lost during a command. A machine that disappeared from the network is noticed within half a minute instead of hours.
"""


def settings_of(url: str) -> dict[str, Any]:
    """The connection settings for a URL."""
    return {**_UNLESS_THE_URL_SAYS_OTHERWISE, **conninfo_to_dict(url)}


def connect(url: str) -> Connection[Any]:
    return psycopg.connect(**settings_of(url), autocommit=True)


def is_read_only(conn: Connection[Any]) -> bool:
    """Whether the server reported at connection time that it is a standby or set to read-only."""
    return "on" in map(conn.info.parameter_status, ("in_hot_standby", "default_transaction_read_only"))


def keeps_settings(conn: Connection[Any]) -> bool:
    """Whether session settings persist and stay private. Behind a pooler they do not."""
    return conn.prepare_threshold is not None


class LedgerPool(ConnectionPool[Connection[DictRow]]):
    """The library's pool, but its first connection can be given, and a thread can hold on to one connection."""

    def __init__(
        self,
        like: PostgresDatastore,
        settings: dict[str, Any],
        *,
        role: str | None = None,
        first: Connection[Any] | None = None,
    ) -> None:
        """Like the datastore's own pool, plus settings that the library does not support, such as sslmode."""
        known = like.pool
        patience = timeout_from_conninfo(settings)
        super().__init__(
            connection_class=_beginning_with(first) if first is not None else Connection[DictRow],
            kwargs={**known.kwargs, **settings} if isinstance(known.kwargs, dict) else settings,
            min_size=known.min_size,
            max_size=known.max_size,
            open=False,
            configure=_configure(like.idle_in_transaction_session_timeout, role),
            timeout=patience,
            max_lifetime=known.max_lifetime,
            # After that, the next request starts a new attempt at once; the pool's own attempts become less frequent.
            reconnect_timeout=patience,
        )
        self._held = threading.local()
        if first is not None:
            # Wait until it is in the pool: an earlier request would open another connection.
            try:
                self.open(wait=True, timeout=patience)
            except BaseException:
                self.close()
                raise

    def getconn(self, timeout: float | None = None) -> Connection[DictRow]:
        """A connection that the server has not closed while it was idle.

        If there is none, that is reported at once. The library would treat the driver's error as temporary and retry
        ten times.
        """
        try:
            while _is_lost(conn := super().getconn(timeout)):
                conn.close()
                self.putconn(conn)
        except psycopg.OperationalError as error:
            raise Unreachable(error) from error
        return conn

    @contextmanager
    def connection(self, timeout: float | None = None) -> Iterator[Connection[DictRow]]:
        held: Connection[DictRow] | None = getattr(self._held, "conn", None)
        if held is None:
            with super().connection(timeout) as conn:
                yield conn
            return
        if held.closed:
            self._held.conn = None
            self.putconn(held)
            held = self._held.conn = self.getconn(timeout)
        yield held

    @contextmanager
    def hold(self) -> Iterator[Connection[DictRow]]:
        """Use one connection for everything in this thread. It is replaced only if it is lost."""
        if getattr(self._held, "conn", None) is not None:
            with self.connection() as conn:
                yield conn
            return
        self.open()
        self._held.conn = self.getconn()
        try:
            yield self._held.conn
        finally:
            conn, self._held.conn = self._held.conn, None
            if conn is not None:
                self.putconn(conn)


def _configure(patience: float, role: str | None) -> Callable[[Connection[Any]], None]:
    """A function that sets up a new connection in one round trip."""
    settings = {"idle_in_transaction_session_timeout": f"{int(patience * 1000)}ms"}
    if role is not None:
        settings["role"] = role
    calls = SQL(", ").join(SQL("set_config({}, {}, false)").format(*pair) for pair in settings.items())

    def configure(conn: Connection[Any]) -> None:
        """Detect a pooler: it reports an invented process id, which differs from that of the server process."""
        conn.autocommit = True
        settle = SQL("SELECT {} WHERE pg_backend_pid() = {}").format(calls, Literal(conn.info.backend_pid))
        if not conn.execute(settle, prepare=False).fetchall():
            conn.prepare_threshold = None

    return configure


def _is_lost(conn: Connection[Any]) -> bool:
    """Whether the server has closed an idle connection: otherwise it would have sent nothing."""
    heard = select.poll()
    heard.register(conn.fileno(), select.POLLIN)
    if not heard.poll(0):
        return False
    try:
        ConnectionPool.check_connection(conn)
    except psycopg.OperationalError:
        return True
    return False


class BorrowedDatastore(PostgresDatastore):
    """A datastore for another schema that uses the connections of a ledger."""

    def __init__(self, pool: LedgerPool, schema: str) -> None:
        super().__init__("", "", "", "", "", schema=schema)
        self.pool = pool

    def close(self) -> None:
        """Do nothing: the connections belong to the ledger."""


def _beginning_with(first: Connection[Any]) -> type[Connection[DictRow]]:
    """A connection class that first returns an existing connection and then opens new ones."""
    first.row_factory = dict_row
    ready = [first]

    class Ready(Connection[DictRow]):
        @classmethod
        def connect(cls, conninfo: str = "", **settings: Any) -> Connection[DictRow]:  # type: ignore[override]
            return ready.pop() if ready else Connection.connect(conninfo, **settings)

    return Ready
