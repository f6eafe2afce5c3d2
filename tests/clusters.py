"""A Citus cluster for tests, if one is given: COMBATLOG_TEST_CITUS_URLS has the coordinator's URL, then the workers'.

The URLs are those of a superuser, separated by spaces or commas. The servers need citus in shared_preload_libraries
and, for the test of shards that move, wal_level = logical. The test that kills a worker needs it on this machine.
"""

from __future__ import annotations

import fcntl
import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from projections.readmodels.rebuild import distribute_ledger
from tests.optional import SERVICES, need_service

VARIABLE, _ = SERVICES["Citus"]
SHARDS = 4


def given() -> list[str]:
    return os.environ.get(VARIABLE, "").replace(",", " ").split()


def coordinator() -> str:
    need_service("Citus")
    return given()[0]


def servers(*newest: str, oldest: bool, cluster: bool) -> list[Any]:
    """The servers that a test of the store runs on. The oldest PostgreSQL is for runs of everything."""
    old = [pytest.param("oldest_server", marks=pytest.mark.slow)] if oldest else []
    return [*newest, *old, *(["citus"] if cluster and given() else [])]


@contextmanager
def held() -> Iterator[None]:
    """The cluster for one test at a time, whichever process runs it: some take a worker away, and all change roles."""
    name = sha256(os.environ.get(VARIABLE, "").encode()).hexdigest()[:12]
    with (Path(tempfile.gettempdir()) / f"combatlog-citus-{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def make_database(name: str) -> list[str]:
    """An empty database on every node, which know each other; the coordinator's URL comes first."""
    urls = [make_conninfo(url, dbname=name) for url in given()]
    for server, url in zip(given(), urls, strict=True):
        with psycopg.connect(server, autocommit=True) as conn:
            conn.execute(f"CREATE DATABASE {name}")
        with psycopg.connect(url, autocommit=True) as conn:
            conn.execute("CREATE EXTENSION citus")
    with psycopg.connect(urls[0], autocommit=True) as conn:
        conn.execute("SELECT citus_set_coordinator_host(%s, %s::integer)", _address(urls[0]))
        for url in urls[1:]:
            conn.execute("SELECT citus_add_node(%s, %s::integer)", _address(url))
    return urls


def make_ledger(name: str) -> str:
    """A distributed ledger, by its coordinator."""
    url = make_database(name)[0]
    distribute_ledger(url, shards=SHARDS)
    return url


def nodes_of(database: str) -> list[str]:
    """The URLs of the same database on every node."""
    name = conninfo_to_dict(database)["dbname"]
    return [make_conninfo(url, dbname=str(name)) for url in given()]


def _address(url: str) -> tuple[str, int]:
    known = conninfo_to_dict(url)
    return str(known["host"]), int(known.get("port") or 5432)


@dataclass(frozen=True, slots=True)
class Machine:
    """A server as its files describe it, if it runs here: how to kill it and how to start it again."""

    data: Path
    postmaster: int
    program: Path
    options: str

    @classmethod
    def of(cls, url: str) -> Machine:
        with psycopg.connect(url) as conn:
            files = "pg_read_file('postmaster.pid'), pg_read_file('postmaster.opts')"
            query = f"SELECT current_setting('data_directory'), {files}"
            data, pid, command = conn.execute(query.encode()).fetchone() or ("", "", "")
        program, *options = shlex.split(command)
        found = cls(Path(data), int(pid.split()[0]), Path(program), shlex.join(options))
        if not found._is_here():
            pytest.skip(f"the server with the data in {data} does not run on this machine")
        return found

    def _is_here(self) -> bool:
        """In a container, the same path and the same number would be something else."""
        working_folder = Path(f"/proc/{self.postmaster}/cwd")
        return working_folder.exists() and self.data.exists() and working_folder.samefile(self.data)

    def kill(self) -> None:
        """The whole server dies at once; its processes notice that the first one is gone, and end."""
        os.kill(self.postmaster, signal.SIGKILL)

    def start(self) -> None:
        """Refused as long as a process of the dead server is left."""
        pg_ctl = [str(self.program.with_name("pg_ctl")), "-D", str(self.data), "-o", self.options]
        command = [*pg_ctl, "-w", "-l", str(self.data / "log-of-tests"), "start"]
        owner = self.data.stat()
        user, group = (owner.st_uid, owner.st_gid) if os.getuid() == 0 else (None, None)
        while subprocess.run(command, cwd=self.data, stdout=subprocess.DEVNULL, user=user, group=group).returncode:
            """Not all of them have ended."""
