"""Where a lake is: what its list and its files need from folders and object stores alike, and the folder itself.

The list is always replaced in one step. Writers are kept apart differently. A folder has a lock, which ends with its
writer. An object store has none, so a writer replaces the list when it begins; an earlier writer then finds a list that
is not its own, and gives up.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

from ledger.errors import Problem
from projections.readmodels.table_files import STAGING, sync_to_disk, unusable_folder

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


MANIFEST = "manifest.json"
FILES = re.compile(r"[^/]+/ruleset=[^/]*/month=[^/]*/[^/]+-[^/]+\.(?P<edition>\d+)\.parquet")
"""Matches only paths where this program puts files: a table, a ruleset, a month."""
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://.*", re.DOTALL)


class MountedFiles(Protocol):
    """The files of a lake, as seen by a connection of DuckDB."""

    failure: Problem | None
    """Why a file could not be read, where DuckDB cannot tell."""

    @property
    def paths(self) -> Collection[str]:
        """The existing files below the place, whether they count or not."""

    def address(self, path: str) -> str:
        """The address that DuckDB reads."""

    def allowed(self, path: str) -> Collection[str]:
        """The names under which DuckDB asks whether it may read a file."""

    def expect(self, paths: Iterable[str]) -> None:
        """Prepare for reading these files."""


class WriterTurn(ABC):
    """The time in which a process writes to a lake."""

    is_exclusive: ClassVar[bool]
    """Whether no other writer can begin before it ends."""
    room: Path
    """A folder for files that are not in the lake yet."""
    found: bytes | None
    """The list when the turn began."""

    @abstractmethod
    def adding(self, path: str) -> AbstractContextManager[Path]:
        """A file to write. Before the list is replaced, it is in its place and durable."""

    @abstractmethod
    def replace_list(self, content: bytes) -> None:
        """In one step, so that readers find either the old list or the new one. Refused if another writer has begun."""

    @abstractmethod
    def remove(self, paths: Iterable[str]) -> None:
        """Remove files that do not count."""


class LakeLocation(ABC):
    """A folder or an object store. It holds nothing open, so it can be passed to another process."""

    @abstractmethod
    def __str__(self) -> str: ...

    @abstractmethod
    def read_list(self) -> bytes | None: ...

    @abstractmethod
    def files(self) -> Mapping[str, int]:
        """The files in the lake's own places, whether they count or not, with their sizes."""

    @abstractmethod
    def turn(self) -> AbstractContextManager[WriterTurn]: ...

    @abstractmethod
    def mount(self, conn: DuckDBPyConnection) -> MountedFiles: ...

    def busy(self) -> Problem:
        return Problem(
            "lake/busy", f"Another process is writing to the lake in {self}; wait until it is done.", folder=str(self)
        )

    def not_empty(self, others: Collection[str]) -> Problem:
        """Refuse a place with other files in it."""
        return Problem(
            "lake/not-empty",
            f"{self} is not a lake and not empty; choose another place.",
            folder=str(self),
            found=sorted(others)[:5],
        )


def location_of(where: str | Path) -> LakeLocation:
    """The place that a user named."""
    if isinstance(where, str) and not where.strip():
        raise Problem("lake/address", "The name of the lake is empty; name a folder, or a URL.", name=where)
    if isinstance(where, str) and _URL.fullmatch(where):
        from projections.lake.object_store import ObjectStore

        return ObjectStore.at(where)

    return FolderLocation(Path(where))


_DRAFT = "manifest.json.draft"
_LOCK = ".lock"
_OWN = {MANIFEST, _DRAFT, _LOCK}


@dataclass(frozen=True, slots=True)
class FolderLocation(LakeLocation):
    path: Path

    def __str__(self) -> str:
        return str(self.path)

    def read_list(self) -> bytes | None:
        try:
            return (self.path / MANIFEST).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise unusable_folder(self.path, error) from error

    def files(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for path in self.path.glob("*/ruleset=*/month=*/*.parquet"):
            if FILES.fullmatch(inside := path.relative_to(self.path).as_posix()):
                with suppress(FileNotFoundError):  # a writer may remove files that do not count
                    found[inside] = path.stat().st_size
        return found

    @contextmanager
    def turn(self) -> Iterator[FolderTurn]:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._require_own()
            handle = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise unusable_folder(self.path, error) from error
        try:
            self._take(handle)
            self._tidy()
            yield FolderTurn(self.path, self.read_list())
        finally:
            os.close(handle)

    def mount(self, conn: DuckDBPyConnection) -> MountedFolder:
        return MountedFolder(self)

    def _require_own(self) -> None:
        if not (self.path / MANIFEST).exists():
            others = [path.name for path in self.path.iterdir() if path.name not in _OWN]
            if others:
                raise self.not_empty(others)

    def _take(self, handle: int) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise self.busy() from error

    def _tidy(self) -> None:
        """No other process is writing, so whatever waits here belongs to a run that was killed."""
        for path in self.path.glob(f"{STAGING}*"):
            shutil.rmtree(path, ignore_errors=True)


class FolderTurn(WriterTurn):
    is_exclusive = True

    def __init__(self, folder: Path, found: bytes | None) -> None:
        self.room = folder
        self.found = found
        self._touched: set[Path] = set()

    @contextmanager
    def adding(self, path: str) -> Iterator[Path]:
        file = self.room / path
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unusable_folder(file.parent, error) from error
        yield file
        sync_to_disk(file)
        self._touched.update(place for place in file.parents if place.is_relative_to(self.room))

    def replace_list(self, content: bytes) -> None:
        for place in sorted(self._touched, reverse=True):
            sync_to_disk(place)
        self._touched.clear()
        draft = self.room / _DRAFT
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.room / MANIFEST)
        sync_to_disk(self.room)

    def remove(self, paths: Iterable[str]) -> None:
        for path in paths:
            (self.room / path).unlink()


class MountedFolder:
    """DuckDB reads the files itself, and reports what is wrong with them."""

    failure: Problem | None = None

    def __init__(self, folder: FolderLocation) -> None:
        self._folder = folder

    @property
    def paths(self) -> Collection[str]:
        return self._folder.files()

    def address(self, path: str) -> str:
        return escape(str(self._folder.path / path))

    def allowed(self, path: str) -> set[str]:
        return {self.address(path), str(self._folder.path / path)}

    def expect(self, paths: Iterable[str]) -> None:
        """Files in a folder need no preparation."""
