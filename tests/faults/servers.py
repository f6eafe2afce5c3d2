"""Killing servers and backends."""

from __future__ import annotations

import os
import select
import signal
from pathlib import Path

import psycopg

from ledger.store.database import EmbeddedPostgres


def kill_server(server: EmbeddedPostgres) -> None:
    """As a power cut would: the postmaster and everybody it started, at once."""
    postmaster = int((server.folder / "postmaster.pid").read_text().splitlines()[0])
    for pid in [postmaster, *_children_of(postmaster)]:
        try:
            handle = os.pidfd_open(pid)
            signal.pidfd_send_signal(handle, signal.SIGKILL)
            select.select([handle], [], [])
            os.close(handle)
        except ProcessLookupError:
            continue  # it went down with another


def _children_of(parent: int) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def kill_backends(killer: psycopg.Connection[object]) -> None:
    """All that work for the killer's database, except the killer's own. They are gone when this is done."""
    killer.execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
