"""A real pgbouncer in front of a server, for as long as a test needs it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tests.optional import need

MODES = ("session", "transaction")
SHARED = 3
"""So many sessions does everybody share in transaction mode, so what one leaves in a session meets another."""


class Pooler:
    """A pgbouncer on a port of its own. It can be killed and started again."""

    def __init__(self, folder: Path, server: str, mode: str, *, knows_everybody: bool = True, login: str = "") -> None:
        """It lets every user of the server in, with the server's own passwords, or only the one of the URL.

        `login` is the user that everybody is logged in as, whoever they say they are.
        """
        known = conninfo_to_dict(server)
        self._folder = folder
        self.port = free_port()
        folder.mkdir()
        (folder / "users").write_text(f'"{known["user"]}" "{known["password"]}"\n')
        asking = f"auth_user={known['user']}" if knows_everybody and not login else ""
        forced = f"user={login} password={known['password']}" if login else ""
        size = SHARED if mode == "transaction" else 20
        (folder / "ini").write_text(
            f"[databases]\n* = host={known['host']} port={known['port']} {asking} {forced}\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\nunix_socket_dir =\n"
            f"auth_type = {'any' if login else 'scram-sha-256'}\nauth_file = {folder / 'users'}\npool_mode = {mode}\n"
            f"default_pool_size = {size}\nserver_login_retry = 0.1\nserver_check_delay = 0\n"
        )
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, database: str) -> str:
        """The URL of a database by way of the pooler."""
        return make_conninfo(database, host="127.0.0.1", port=self.port, sslmode="disable", gssencmode="disable")

    def start(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [need("pgbouncer"), *_as_user(self._folder), self._folder / "ini"], stderr=log
            )
        while not self._answers():
            assert self._process.poll() is None, (self._folder / "log").read_text()

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def kill_and_start(self) -> None:
        self.kill()
        self.start()

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
            return True
        return False


@contextmanager
def pooling(folder: Path, server: str, mode: str, *, knows_everybody: bool = True, login: str = "") -> Iterator[Pooler]:
    pooler = Pooler(folder / f"pooler-{uuid4().hex[:8]}", server, mode, knows_everybody=knows_everybody, login=login)
    pooler.start()
    yield pooler
    pooler.kill()


def _as_user(folder: Path) -> list[str]:
    """pgbouncer does not run as root: where the tests do, it runs as nobody."""
    if os.geteuid() != 0:
        return []
    for path in (folder, *folder.iterdir()):
        shutil.chown(path, "nobody")
    return ["-u", "nobody"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
