"""Empty databases on the server that is measured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from ledger.store import Ledger


@contextmanager
def empty_ledger(url: str) -> Iterator[str]:
    """The URL of a ledger without events, which is dropped afterwards."""
    name = f"bench_{uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
        try:
            made = make_conninfo(url, dbname=name)
            Ledger.open(made).close()
            yield made
        finally:
            conn.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))
