"""The files of a lake in an object store as DuckDB reads them: only the parts that a query needs, when it needs
them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

from fsspec import AbstractFileSystem

from ledger.errors import Problem
from projections.lake.location import LakeLocation
from projections.lake.object_store import store_problems

_PROTOCOL = "lake"
_AT_ONCE = 8
_END = 2**16
"""How many bytes to fetch from the end of a file. DuckDB asks for half as many first."""
_SINCE = datetime(1970, 1, 1, tzinfo=UTC)
"""A fixed modification time for DuckDB: the files of a lake never change, so what DuckDB has cached stays valid."""


class StoreFiles(AbstractFileSystem):  # type: ignore[misc]
    """A read-only file system with the files of one lake, in the interface of fsspec that DuckDB takes."""

    protocol = (_PROTOCOL,)
    cachable = False

    def __init__(self, place: LakeLocation, store: Any, sizes: Mapping[str, int]) -> None:
        super().__init__()
        self.place = place
        self.store = store
        self.sizes = sizes
        self.failure: Problem | None = None
        self._ends: dict[str, bytes] = {}

    # For callers that know the files

    @property
    def paths(self) -> Collection[str]:
        return self.sizes

    def address(self, path: str) -> str:
        return f"{_PROTOCOL}://{path}"

    def allowed(self, path: str) -> set[str]:
        return {self.address(path)}

    def expect(self, paths: Iterable[str]) -> None:
        """Fetch the ends of the files, where Parquet keeps its metadata, all at the same time."""
        expected = [path for path in paths if path in self.sizes]
        with ThreadPoolExecutor(_AT_ONCE, "combatlog-lake") as pool:
            self._ends.update(zip(expected, pool.map(self._end, expected), strict=True))

    def _end(self, path: str) -> bytes:
        return self._fetch(path, max(0, self.sizes[path] - _END), self.sizes[path])

    # For DuckDB

    def open(self, path: str, mode: str = "rb", **_: Any) -> _OpenFile:
        if mode != "rb":
            raise PermissionError(f"{path} can only be read.")
        return _OpenFile(self, path_of(path), self.size(path))

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        return {"name": path, "size": self.size(path), "type": "file"}

    def size(self, path: str) -> int:
        if (size := self.sizes.get(path_of(path))) is None:
            raise FileNotFoundError(path)
        return size

    def exists(self, path: str, **_: Any) -> bool:
        return path_of(path) in self.sizes

    def glob(self, path: str, **_: Any) -> list[str]:
        """The file of that name. Wildcards have no meaning here."""
        return [path] if self.exists(path) else []

    def modified(self, path: str) -> datetime:
        return _SINCE

    def read(self, path: str, start: int, end: int) -> bytes:
        known = self._ends.get(path, b"")
        first = self.sizes[path] - len(known)
        return known[start - first : end - first] if known and start >= first else self._fetch(path, start, end)

    def _fetch(self, path: str, start: int, end: int) -> bytes:
        """DuckDB reports errors as text only, so the problem is kept for the caller."""
        try:
            with store_problems(str(self.place)):
                return self._range(path, start, end)
        except Problem as problem:
            self.failure = problem
            raise

    def _range(self, path: str, start: int, end: int) -> bytes:
        try:
            return bytes(self.store.get_range(path, start=start, end=end))
        except FileNotFoundError as error:
            sentence = f"The lake in {self.place} was compacted and written to while it was read; ask again."
            raise Problem("lake/changed", sentence, folder=str(self.place), found=path) from error


class _OpenFile:
    """As much of a file object as DuckDB uses."""

    def __init__(self, files: StoreFiles, path: str, size: int) -> None:
        self._files = files
        self._path = path
        self._size = size
        self._at = 0

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = offset + (0, self._at, self._size)[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def read(self, length: int = -1) -> bytes:
        end = self._size if length < 0 else min(self._at + length, self._size)
        if end <= self._at:
            return b""
        found = self._files.read(self._path, self._at, end)
        self._at += len(found)
        return found

    def close(self) -> None:
        """There is nothing to release."""


def path_of(address: str) -> str:
    return address.removeprefix(f"{_PROTOCOL}://")
