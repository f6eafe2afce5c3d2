"""A lake in an object store: S3 and what resembles it, Google Cloud Storage, Azure Blob Storage.

An object cannot be renamed or locked, but it can be replaced on the condition that it is still the one that was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from ledger.errors import Problem
from projections.lake.places import FILES, MANIFEST, Mounted, Place, Turn
from projections.lake.store_access import SCHEMES, connected, no_conditions, store_problems

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from obstore import PutMode, UpdateVersion

_AT_ONCE = 8
"""Files that are on their way to the store at the same time."""
_ADDRESS = re.compile(r"(?P<scheme>[a-z0-9]+)://(?P<bucket>[A-Za-z0-9][A-Za-z0-9._-]*)(?:/(?P<prefix>[^?#\\]*))?")


class Version(NamedTuple):
    """By which a store knows whether an object is still the same."""

    e_tag: str | None
    version: str | None

    def mode(self) -> PutMode:
        given: UpdateVersion = {}
        if self.e_tag is not None:
            given["e_tag"] = self.e_tag
        if self.version is not None:
            given["version"] = self.version
        return given


_NEVER = Version('"never"', "1")
"""The version of a list that never was."""


@dataclass(frozen=True, slots=True)
class ObjectStore(Place):
    scheme: str
    bucket: str
    prefix: str

    @classmethod
    def at(cls, url: str) -> Self:
        address = _ADDRESS.fullmatch(url)
        prefix = (address["prefix"] or "").strip("/") if address else ""
        segments = prefix.split("/") if prefix else []
        if address is None or address["scheme"] not in SCHEMES or any(one in ("", ".", "..") for one in segments):
            raise _not_an_address(url)
        return cls(address["scheme"], address["bucket"], prefix)

    def __str__(self) -> str:
        return f"{self.scheme}://{self.bucket}" + (f"/{self.prefix}" if self.prefix else "")

    def read_list(self) -> bytes | None:
        with self._connected() as store:
            found = _read(store)
            if found is None:
                store.list_with_delimiter()  # which tells a store without a lake from one that is not there
        return found[0] if found else None

    def files(self) -> Mapping[str, int]:
        with self._connected() as store:
            return sizes(store)

    @contextmanager
    def turn(self) -> Iterator[StoreTurn]:
        with self._connected() as store:
            found = _read(store)
            if found is None:
                self._require_nothing(store)
        with (
            TemporaryDirectory(prefix="combatlog-lake-") as room,
            ThreadPoolExecutor(_AT_ONCE, "combatlog-lake") as pool,
        ):
            turn = StoreTurn(self, store, Path(room), pool, found)
            try:
                yield turn
            finally:
                pool.shutdown(cancel_futures=True)

    def mount(self, conn: DuckDBPyConnection) -> Mounted:
        with self._connected() as store:
            return self._mounted(conn, store, sizes(store))

    def mount_known(self, conn: DuckDBPyConnection, known: Mapping[str, int]) -> Mounted:
        """As `mount`, for somebody who has been told of the files and their sizes."""
        with self._connected() as store:
            return self._mounted(conn, store, known)

    def _mounted(self, conn: DuckDBPyConnection, store: Any, known: Mapping[str, int]) -> Mounted:
        from projections.lake.store_files import StoreFiles  # which needs fsspec

        files = StoreFiles(self, store, known)
        conn.register_filesystem(files)
        conn.execute("SET parquet_metadata_cache = true")
        return files

    def _require_nothing(self, store: Any) -> None:
        found = store.list_with_delimiter()
        others = [*found["common_prefixes"], *(one["path"] for one in found["objects"])]
        if MANIFEST in others:  # which was not there a moment ago
            raise self.busy()
        if others:
            raise self.not_empty(others)

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        with store_problems(str(self)):
            yield connected(self.scheme, self.bucket, self.prefix)


class StoreTurn(Turn):
    """Files wait in a folder until they are in the store. Several are on their way at a time."""

    is_exclusive = False

    def __init__(
        self, place: Place, store: Any, room: Path, pool: ThreadPoolExecutor, found: tuple[bytes, Version] | None
    ) -> None:
        self.room = room
        self.found = found[0] if found else None
        self._version = found[1] if found else None
        self._place = place
        self._store = store
        self._pool = pool
        self._numbers = count(1)
        self._uploads: list[Future[None]] = []

    @contextmanager
    def adding(self, path: str) -> Iterator[Path]:
        local = self.room / f"{next(self._numbers)}.parquet"
        yield local
        self._uploads.append(self._pool.submit(self._upload, path, local))

    def _upload(self, path: str, local: Path) -> None:
        with store_problems(str(self._place)):
            self._store.put(path, local)
        local.unlink()

    def replace_list(self, content: bytes) -> None:
        for upload in self._uploads:
            upload.result()
        self._uploads.clear()
        is_first = self._version is None
        self._version = self._put_list(content)
        if is_first:
            self._require_conditions(content)

    def _put_list(self, content: bytes) -> Version:
        from obstore.exceptions import AlreadyExistsError, PreconditionError

        mode: PutMode = "create" if self._version is None else self._version.mode()
        with store_problems(str(self._place)):
            try:
                return put_list(self._store, content, mode)
            except (AlreadyExistsError, PreconditionError):
                return self._own_list(content)

    def _own_list(self, content: bytes) -> Version:
        """If an answer is lost, the request is repeated, and the store then refuses what it has already accepted."""
        found = _read(self._store)
        if found is None or found[0] != content:
            raise self._place.busy()
        return found[1]

    def _require_conditions(self, content: bytes) -> None:
        """Refuse a store that ignores conditions: two writers could not be told apart there."""
        from obstore.exceptions import AlreadyExistsError, PreconditionError

        modes: tuple[PutMode, ...] = ("create", _NEVER.mode())
        for mode in modes:
            with store_problems(str(self._place)):
                try:
                    put_list(self._store, content, mode)
                except (AlreadyExistsError, PreconditionError):
                    continue
                self._store.delete(MANIFEST)
            raise Problem("lake/no-conditions", no_conditions(str(self._place)), folder=str(self._place))

    def remove(self, paths: Iterable[str]) -> None:
        if given := list(paths):
            with store_problems(str(self._place)):
                self._store.delete(given)


def sizes(store: Any) -> dict[str, int]:
    """Every file where a lake has its own, with its size."""
    return {one["path"]: one["size"] for page in store.list() for one in page if FILES.fullmatch(one["path"])}


def put_list(store: Any, content: bytes, mode: PutMode) -> Version:
    put = store.put(MANIFEST, content, mode=mode)
    return Version(put["e_tag"], put["version"])


def _read(store: Any) -> tuple[bytes, Version] | None:
    try:
        found = store.get(MANIFEST)
    except FileNotFoundError:
        return None
    return bytes(found.bytes()), Version(found.meta["e_tag"], found.meta["version"])


def _not_an_address(url: str) -> Problem:
    examples = ", ".join(f"{scheme}://BUCKET/FOLDER" for scheme in SCHEMES)
    return Problem(
        "lake/address",
        f"{url!r} is not the address of a lake; name a folder, or one of {examples}.",
        name=url,
        available=list(SCHEMES),
    )
