"""The ledger's connections: the one it was opened with, and more where several threads need them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from eventsourcing.postgres import ConnectionPool, PostgresDatastore
from psycopg import Connection
from psycopg.rows import DictRow, dict_row


def is_read_only(conn: Connection[Any]) -> bool:
    """Whether the server is a standby or set to read-only, as it says when one connects."""
    return "on" in map(conn.info.parameter_status, ("in_hot_standby", "default_transaction_read_only"))


class LedgerPool(ConnectionPool[Connection[DictRow]]):
    """The library's pool. Its first connection can be given, and a thread can keep one for everything it does."""

    def __init__(self, like: PostgresDatastore, settings: dict[str, Any], first: Connection[Any] | None) -> None:
        """As the datastore's own pool, with settings that the library has no names for, such as sslmode."""
        known = like.pool
        super().__init__(
            connection_class=_beginning_with(first) if first is not None else Connection[DictRow],
            kwargs={**known.kwargs, **settings} if isinstance(known.kwargs, dict) else settings,
            min_size=known.min_size,
            max_size=known.max_size,
            open=False,
            configure=like.after_connect_func(),
            timeout=known.timeout,
            max_lifetime=known.max_lifetime,
        )
        self._held = threading.local()
        if first is not None:
            # It is there at once; whoever asked before it is in the pool would start another one.
            try:
                self.open(wait=True, timeout=known.timeout)
            except BaseException:
                self.close()
                raise

    @contextmanager
    def connection(self, timeout: float | None = None) -> Iterator[Connection[DictRow]]:
        held: Connection[DictRow] | None = getattr(self._held, "conn", None)
        if held is not None and not held.closed:
            yield held
            return
        with super().connection(timeout) as conn:
            yield conn

    @contextmanager
    def hold(self) -> Iterator[Connection[DictRow]]:
        """While it lasts, this thread has one connection for everything."""
        with self.connection() as conn:
            before = getattr(self._held, "conn", None)
            self._held.conn = conn
            try:
                yield conn
            finally:
                self._held.conn = before


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
