"""Programs that some tests need and that a machine with only Python and pip does not have.

This is the only place that looks for them. `need("chromium")` gives the program or skips the test; at the end of a run
pytest says in one line what was missing and how to get it. `.ci/run` asks the same table, so this file imports nothing
but the standard library: `python tests/optional.py found` prints what to hide from a run on a bare machine, and
`python tests/optional.py packages` which of Debian's packages to install.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn

USUAL_FOLDERS = ("/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin")
"""Where programs are that a user's PATH may leave out."""
ROOM_FOR_SERVERS = 4 * 2**30
BROWSER_TOOLS = Path(__file__).parent / "browser" / "node_modules"


def _is_postgresql_15(program: Path) -> bool:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    return " 15." in said


def _mounts_a_file_system(unshare: Path) -> bool:
    script = "mount -t tmpfs tmpfs /mnt"
    return subprocess.run([unshare, "-m", "sh", "-c", script], capture_output=True, check=False).returncode == 0


@dataclass(frozen=True)
class Program:
    """Something that is looked up by any of its names, in the PATH and then in the usual folders."""

    names: tuple[str, ...]
    how_to_get: str
    debian: str = ""
    folders: tuple[str, ...] = ()
    variable: str = ""
    """Names an environment variable that says where it is."""
    works: Callable[[Path], bool] = lambda program: True

    def candidates(self) -> Iterator[Path]:
        if self.variable and (given := os.environ.get(self.variable)):
            yield Path(given)
        folders = os.pathsep.join((os.environ.get("PATH", ""), *USUAL_FOLDERS, *self.folders))
        for name in self.names:
            for folder in folders.split(os.pathsep):
                if path := shutil.which(name, path=folder):
                    yield Path(path)


PROGRAMS = {
    "PostgreSQL 15": Program(
        ("postgres",),
        "apt-get install postgresql-15",
        debian="postgresql-15",
        folders=("/usr/lib/postgresql/15/bin", "/usr/pgsql-15/bin", "/opt/homebrew/opt/postgresql@15/bin"),
        works=_is_postgresql_15,
    ),
    "pgbouncer": Program(("pgbouncer",), "apt-get install pgbouncer", debian="pgbouncer"),
    "chromium": Program(
        ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"),
        "apt-get install chromium-headless-shell",
        debian="chromium-headless-shell",
    ),
    "node": Program(("node",), "apt-get install nodejs npm", debian="nodejs npm"),
    "curl": Program(("curl",), "apt-get install curl", debian="curl"),
    "bash": Program(("bash",), "apt-get install bash", debian="bash"),
    "git": Program(("git",), "apt-get install git", debian="git"),
    "azurite": Program(("azurite-blob",), "npm install --global azurite", variable="COMBATLOG_TEST_AZURITE"),
    "java": Program(("java",), "apt-get install default-jre-headless"),
    "tmpfs": Program(("unshare",), "run the tests as root on Linux", works=_mounts_a_file_system),
}

SERVICES = {
    "Citus": ("COMBATLOG_TEST_CITUS_URLS", "set COMBATLOG_TEST_CITUS_URLS, see docs/citus.md"),
    "Spark": ("COMBATLOG_TEST_SPARK", "set COMBATLOG_TEST_SPARK=1"),
}
"""What an environment variable gives the address of."""


@cache
def find(name: str) -> Path | None:
    """The program as an absolute path, links resolved, or None."""
    program = PROGRAMS[name]
    return next((path.resolve() for path in program.candidates() if program.works(path)), None)


def need(name: str) -> Path:
    """The program; without it, the test is skipped."""
    return find(name) or _skip(name, PROGRAMS[name].how_to_get)


def need_service(name: str) -> str:
    """What the service's variable says; without it, the test is skipped."""
    variable, how_to_get = SERVICES[name]
    return os.environ.get(variable) or _skip(name, how_to_get)


def need_browser_tool(path: str) -> Path:
    """A file of the packages that tests/browser/package.json names."""
    need("node")
    found = BROWSER_TOOLS / path
    if not found.exists():
        _skip("browser tools", "npm install --no-package-lock --prefix tests/browser")
    return found


def need_distributions(*names: str, folder: Path) -> Path:
    """A folder with the wheels of these distributions of PyPI and of all that they require. Without PyPI, the test is
    skipped."""
    impatient = ("--quiet", "--retries", "1", "--timeout", "15")
    command = [sys.executable, "-m", "pip", "wheel", *impatient, "--wheel-dir", str(folder), *names]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        _skip(f"{' and '.join(names)} from PyPI", "run the tests where pip can download packages")
    return folder


def memory_folder() -> str | None:
    """A folder in memory, where there is one with room for servers: databases are made there in a third of the time."""
    folder = Path("/dev/shm")
    usable = folder.is_dir() and os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > ROOM_FOR_SERVERS
    return str(folder) if usable else None


def _skip(name: str, how_to_get: str) -> NoReturn:
    import pytest

    pytest.skip(f"{MISSING}{name} ({how_to_get})")


MISSING = "not installed: "
"""How the reason of every skip begins that has to do with something missing."""


def summary(reasons: list[str]) -> str:
    """One line for the end of a run: what was missing, and how to get it."""
    missing = [reason.partition(MISSING)[2] for reason in reasons if MISSING in reason]
    if not missing:
        return "Nothing was skipped for want of an optional program."
    return f"{len(missing)} tests were skipped because these are not installed: {', '.join(sorted(set(missing)))}."


def _hidden() -> Iterator[Path]:
    """Every file and folder by which a program of the table could be found, however often it is there."""
    for program in PROGRAMS.values():
        yield from program.candidates()
        yield from (path.resolve() for path in program.candidates())


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["found"]:
            print(*sorted(set(map(str, _hidden()))), sep="\n")
        case ["packages"]:
            print(*(program.debian for name, program in PROGRAMS.items() if not find(name)))
        case _:
            sys.exit(__doc__)
