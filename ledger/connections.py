"""The ledger's connections: the one it was opened with, and more where several threads need them.

A pooler such as pgbouncer may give every transaction another of its sessions with the server, and a session to
everybody. So behind one, nothing is left in a session: no settings, no role, no locks and no prepared statements.
"""

from __future__ import annotations

import select
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from eventsourcing.postgres import ConnectionPool, PostgresDatastore
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict, timeout_from_conninfo
from psycopg.rows import DictRow, dict_row
from psycopg.sql import SQL, Literal

from ledger.errors import Unreachable

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
