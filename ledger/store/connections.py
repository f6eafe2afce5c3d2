"""The connections of a ledger, and the problems behind the errors of the database driver."""

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


_UNLESS_THE_URL_SAYS_OTHERWISE: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""How long a server may be silent. Connecting takes five seconds at most, and so does waiting for a server that was
lost during a command. A machine that has vanished from the network is noticed within half a minute, not in hours.
"""


def settings_of(url: str) -> dict[str, Any]:
    """How to connect to a URL."""
    return {**_UNLESS_THE_URL_SAYS_OTHERWISE, **conninfo_to_dict(url)}


def connect(url: str) -> Connection[Any]:
    return psycopg.connect(**settings_of(url), autocommit=True)


def is_read_only(conn: Connection[Any]) -> bool:
    """Whether the server is a standby or set to read-only, as it says when one connects."""
    return "on" in map(conn.info.parameter_status, ("in_hot_standby", "default_transaction_read_only"))


def keeps_settings(conn: Connection[Any]) -> bool:
    """Whether what is set for the session stays set, and for nobody else: not behind a pooler."""
    return conn.prepare_threshold is not None


class LedgerPool(ConnectionPool[Connection[DictRow]]):
    """The library's pool. Its first connection can be given, and a thread can keep one for everything it does."""

    def __init__(
        self,
        like: PostgresDatastore,
        settings: dict[str, Any],
        *,
        role: str | None = None,
        first: Connection[Any] | None = None,
    ) -> None:
        """As the datastore's own pool, with settings that the library has no names for, such as sslmode."""
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
            # Whoever asks again after that starts a new attempt at once; the pool's own ones become rarer and rarer.
            reconnect_timeout=patience,
        )
        self._held = threading.local()
        if first is not None:
            # It is there at once; whoever asked before it is in the pool would start another one.
            try:
                self.open(wait=True, timeout=patience)
            except BaseException:
                self.close()
                raise

    def getconn(self, timeout: float | None = None) -> Connection[DictRow]:
        """A connection that the server has not closed while nobody used it.

        That there is none is a problem at once. The library would take an error of the driver for a passing one and
        try ten times.
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
        """While it lasts, this thread has one connection for everything; another one only if it is lost."""
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
    """How every new connection is set up, in one round trip."""
    settings = {"idle_in_transaction_session_timeout": f"{int(patience * 1000)}ms"}
    if role is not None:
        settings["role"] = role
    calls = SQL(", ").join(SQL("set_config({}, {}, false)").format(*pair) for pair in settings.items())

    def configure(conn: Connection[Any]) -> None:
        """A pooler makes up the process id that it tells its clients, so theirs is not the one that works for them."""
        conn.autocommit = True
        settle = SQL("SELECT {} WHERE pg_backend_pid() = {}").format(calls, Literal(conn.info.backend_pid))
        if not conn.execute(settle, prepare=False).fetchall():
            conn.prepare_threshold = None

    return configure


def _is_lost(conn: Connection[Any]) -> bool:
    """A server says nothing to a client that asks nothing, unless it says goodbye."""
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
    """Another schema through the connections of a ledger."""

    def __init__(self, pool: LedgerPool, schema: str) -> None:
        super().__init__("", "", "", "", "", schema=schema)
        self.pool = pool

    def close(self) -> None:
        """The connections are the ledger's."""


def _beginning_with(first: Connection[Any]) -> type[Connection[DictRow]]:
    """A class that hands out a connection that is there already before it makes any."""
    first.row_factory = dict_row
    ready = [first]

    class Ready(Connection[DictRow]):
        @classmethod
        def connect(cls, conninfo: str = "", **settings: Any) -> Connection[DictRow]:  # type: ignore[override]
            return ready.pop() if ready else Connection.connect(conninfo, **settings)

    return Ready
