"""Where a lake is: the few things that its list and its files need, of a folder and of an object store alike.

The list is replaced in one step everywhere. How writers are kept apart differs. A folder has a lock, which ends with
its writer. An object store has none, so whoever begins to write replaces the list, and an earlier writer then finds
another list than its own and gives up.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

from ledger.errors import Problem

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MANIFEST = "manifest.json"
FILES = re.compile(r"[^/]+/ruleset=[^/]*/month=[^/]*/[^/]+-[^/]+\.(?P<edition>\d+)\.parquet")
"""Only files where this program puts its own: a table, a ruleset, a month."""
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://.*", re.DOTALL)


class Mounted(Protocol):
    """The files of a lake, as a connection of DuckDB sees them."""

    failure: Problem | None
    """Why a file could not be read, if DuckDB cannot say it."""

    @property
    def paths(self) -> Collection[str]:
        """The files that there are, below the place, whether they count or not."""

    def address(self, path: str) -> str:
        """What DuckDB is told to read."""

    def allowed(self, path: str) -> Collection[str]:
        """The names under which DuckDB asks whether it may read a file."""

    def expect(self, paths: Iterable[str]) -> None:
        """Prepare for files that are going to be read."""


class Turn(ABC):
    """The time in which a process writes to a lake."""

    is_exclusive: ClassVar[bool]
    """Whether nobody else can begin to write before it ends."""
    room: Path
    """A folder for what is not in the lake yet."""
    found: bytes | None
    """The list when the turn began."""

    @abstractmethod
    def adding(self, path: str) -> AbstractContextManager[Path]:
        """A file to write. When the list is replaced, it is in its place and durable."""

    @abstractmethod
    def replace_list(self, content: bytes) -> None:
        """In one step: whoever reads finds the old list or the new one. Refused if another writer has begun."""

    @abstractmethod
    def remove(self, paths: Iterable[str]) -> None:
        """Remove files that do not count."""


class Place(ABC):
    """A folder or an object store. It holds nothing open, so another process can be told of it."""

    @abstractmethod
    def __str__(self) -> str: ...

    @abstractmethod
    def read_list(self) -> bytes | None: ...

    @abstractmethod
    def files(self) -> Mapping[str, int]:
        """Files where a lake has its own, whether they count or not, with their sizes."""

    @abstractmethod
    def turn(self) -> AbstractContextManager[Turn]: ...

    @abstractmethod
    def mount(self, conn: DuckDBPyConnection) -> Mounted: ...

    def busy(self) -> Problem:
        return Problem(
            "lake/busy", f"Another process is writing to the lake in {self}; wait until it is done.", folder=str(self)
        )

    def not_empty(self, others: Collection[str]) -> Problem:
        """Nothing is put where something else is."""
        return Problem(
            "lake/not-empty",
            f"{self} is not a lake and not empty; choose another place.",
            folder=str(self),
            found=sorted(others)[:5],
        )


def place_of(where: str | Path) -> Place:
    """The place that a person has named."""
    if isinstance(where, str) and not where.strip():
        raise Problem("lake/address", "The name of the lake is empty; name a folder, or a URL.", name=where)
    if isinstance(where, str) and _URL.fullmatch(where):
        from projections.lake.object_store import ObjectStore

        return ObjectStore.at(where)
    from projections.lake.folder import Folder

    return Folder(Path(where))
