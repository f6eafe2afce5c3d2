"""A lake in a folder of a file system with locks and atomic renames."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.errors import Problem
from projections.lake.places import FILES, MANIFEST, Place, Turn
from projections.parquet import STAGING, sync, unusable

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_DRAFT = "manifest.json.draft"
_LOCK = ".lock"
_OWN = {MANIFEST, _DRAFT, _LOCK}


@dataclass(frozen=True, slots=True)
class Folder(Place):
    path: Path

    def __str__(self) -> str:
        return str(self.path)

    def read_list(self) -> bytes | None:
        try:
            return (self.path / MANIFEST).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise unusable(self.path, error) from error

    def files(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for path in self.path.glob("*/ruleset=*/month=*/*.parquet"):
            if FILES.fullmatch(inside := path.relative_to(self.path).as_posix()):
                with suppress(FileNotFoundError):  # a writer may remove what does not count
                    found[inside] = path.stat().st_size
        return found

    @contextmanager
    def turn(self) -> Iterator[FolderTurn]:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._require_own()
            handle = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise unusable(self.path, error) from error
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
        """Nobody else is writing, so what waits here belongs to a run that was killed."""
        for path in self.path.glob(f"{STAGING}*"):
            shutil.rmtree(path, ignore_errors=True)


class FolderTurn(Turn):
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
            raise unusable(file.parent, error) from error
        yield file
        sync(file)
        self._touched.update(place for place in file.parents if place.is_relative_to(self.room))

    def replace_list(self, content: bytes) -> None:
        for place in sorted(self._touched, reverse=True):
            sync(place)
        self._touched.clear()
        draft = self.room / _DRAFT
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.room / MANIFEST)
        sync(self.room)

    def remove(self, paths: Iterable[str]) -> None:
        for path in paths:
            (self.room / path).unlink()


class MountedFolder:
    """DuckDB reads files by itself, and says what is wrong with them."""

    failure: Problem | None = None

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    @property
    def paths(self) -> Collection[str]:
        return self._folder.files()

    def address(self, path: str) -> str:
        return escape(str(self._folder.path / path))

    def allowed(self, path: str) -> set[str]:
        return {self.address(path), str(self._folder.path / path)}

    def expect(self, paths: Iterable[str]) -> None:
        """There is nothing to wait for."""
