"""A lake in an object store: S3 and compatible stores, Google Cloud Storage, Azure Blob Storage.

Connections are configured by environment variables, and each failure becomes one sentence.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import urlsplit

from ledger.errors import Problem
from projections.lake.location import FILES, MANIFEST, LakeLocation, MountedFiles, WriterTurn

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from obstore import PutMode, UpdateVersion


class StoreKind(NamedTuple):
    store: str
    """The class in obstore."""
    endpoints: tuple[str, ...]
    """Variables that set a server other than the provider's own; the first one set counts."""
    credentials: tuple[str, ...]
    """Variables with the credentials."""
    others: tuple[str, ...] = ()

    @property
    def variables(self) -> list[str]:
        """Which variables to mention when something has to be set or checked."""
        return [*self.credentials, *self.others]


SCHEMES = {
    "s3": StoreKind(
        "S3Store",
        ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"),
        ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
        ("AWS_REGION",),
    ),
    "gs": StoreKind("GCSStore", (), ("GOOGLE_APPLICATION_CREDENTIALS",)),
    "az": StoreKind(
        "AzureStore",
        ("AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT"),
        ("AZURE_STORAGE_ACCOUNT_NAME", "AZURE_STORAGE_ACCOUNT_KEY"),
    ),
}
_ACCOUNTS = ("AZURE_STORAGE_ACCOUNT_NAME", "AZURE_STORAGE_ACCOUNT", "AZURE_ACCOUNT_NAME")
_RETRIES = {
    "max_retries": 4,
    "retry_timeout": timedelta(seconds=30),
    "backoff": {"init_backoff": timedelta(milliseconds=100), "max_backoff": timedelta(seconds=2), "base": 2},
}
_CODE = re.compile(r"<Code>(\w+)</Code>")
"""The error codes in the protocols of S3 and Azure."""
_NO_BUCKET = {"NoSuchBucket", "ContainerNotFound"}
_BAD_CREDENTIALS = {
    *("InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "InvalidSecurity"),
    *("AuthenticationFailed", "InvalidAuthenticationInfo", "RequestTimeTooSkewed"),
}
_NO_CONDITIONS = "NotImplemented"


def connected(scheme: str, bucket: str, prefix: str) -> Any:
    """A store limited to a prefix, with the credentials from the environment."""
    import obstore.store

    kind = SCHEMES[scheme]
    endpoint = _endpoint(kind)
    given = {**({"endpoint": endpoint} if endpoint else {}), **_account(scheme)}
    client = {"allow_http": True} if endpoint and endpoint.startswith("http://") else {}
    open_store = getattr(obstore.store, kind.store)
    return open_store(bucket, prefix=prefix or None, client_options=client, retry_config=_RETRIES, **given)


def _require_installed() -> None:
    missing = [name for name in ("obstore", "fsspec") if find_spec(name) is None]
    if missing:
        sentence = f"A lake at a URL needs {' and '.join(missing)}, which this combatlog was installed without."
        raise Problem("lake/not-installed", sentence, needed=missing)


def _account(scheme: str) -> dict[str, str]:
    """The account has to be passed explicitly: the library panics when it displays a store whose account it found by
    itself."""
    if scheme != "az":
        return {}
    for variable in _ACCOUNTS:
        if value := os.environ.get(variable):
            return {"account_name": value}
    raise Problem("lake/no-credentials", "No account is named for az://.", variables=SCHEMES[scheme].variables)


def _endpoint(kind: StoreKind) -> str | None:
    for variable in kind.endpoints:
        if value := os.environ.get(variable):
            return _checked(variable, value)
    return None


def _checked(variable: str, value: str) -> str:
    try:
        parts = urlsplit(value)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or re.search(r"\s", value):
        raise Problem(
            "lake/endpoint",
            f"{variable} is {value!r}, which is not the address of a server; it begins with http:// or https://.",
            name=variable,
            found=value,
        )
    return value.rstrip("/")


@contextmanager
def store_problems(where: str) -> Iterator[None]:
    """Turn any failure of the store, or of the connection to it, into one sentence."""
    _require_installed()
    import obstore.exceptions

    try:
        yield
    except (obstore.exceptions.BaseError, FileNotFoundError, ValueError) as error:
        raise _problem(where, error) from error


def _problem(where: str, error: Exception) -> Problem:
    code, sentence = _refusal(where, error)
    return Problem(code, sentence, folder=where, reason=_reason(error), variables=_kind(where).variables)


def _refusal(where: str, error: Exception) -> tuple[str, str]:
    from obstore.exceptions import NotSupportedError, PermissionDeniedError, UnauthenticatedError

    said = found[1] if (found := _CODE.search(str(error))) else None
    reason = said or _reason(error)
    if said in _NO_BUCKET:
        return "lake/no-bucket", f"The bucket of {where} does not exist."
    if said in _BAD_CREDENTIALS or isinstance(error, UnauthenticatedError):
        return "lake/credentials", f"The store does not accept the credentials for {where}: {reason}."
    if isinstance(error, PermissionDeniedError):
        return "lake/denied", f"The credentials do not permit this in {where}: {reason}."
    if said == _NO_CONDITIONS or isinstance(error, NotSupportedError):
        return "lake/no-conditions", no_conditions(where)
    if said is not None:
        return "lake/store", f"The store of {where} failed: {reason}."
    if not all(map(os.environ.get, _kind(where).credentials)):
        # By now the machine has been asked for its own credentials.
        return "lake/no-credentials", f"There is no answer from the store of {where}, and there are no credentials."
    return "lake/unreachable", f"The store of {where} cannot be reached, or does not answer."


def _kind(where: str) -> StoreKind:
    return SCHEMES[where.partition("://")[0]]


def no_conditions(where: str) -> str:
    return f"The store of {where} does not support conditional writes, so two writers could not be kept apart."


def _reason(error: Exception) -> str:
    """The first part of a message, without its chain of causes."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(". :") if lines else type(error).__name__


_AT_ONCE = 8
"""How many files are uploaded at the same time."""
_ADDRESS = re.compile(r"(?P<scheme>[a-z0-9]+)://(?P<bucket>[A-Za-z0-9][A-Za-z0-9._-]*)(?:/(?P<prefix>[^?#\\]*))?")


class StoredVersion(NamedTuple):
    """What identifies the version of an object in a store."""

    e_tag: str | None
    version: str | None

    def mode(self) -> PutMode:
        given: UpdateVersion = {}
        if self.e_tag is not None:
            given["e_tag"] = self.e_tag
        if self.version is not None:
            given["version"] = self.version
        return given


_NEVER = StoredVersion('"never"', "1")
"""The version of a list that does not exist yet."""


@dataclass(frozen=True, slots=True)
class ObjectStore(LakeLocation):
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
                store.list_with_delimiter()  # tells a store without a lake from a store that does not exist
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

    def mount(self, conn: DuckDBPyConnection) -> MountedFiles:
        with self._connected() as store:
            return self._mounted(conn, store, sizes(store))

    def mount_known(self, conn: DuckDBPyConnection, known: Mapping[str, int]) -> MountedFiles:
        """Like `mount`, for a caller that already knows the files and their sizes."""
        with self._connected() as store:
            return self._mounted(conn, store, known)

    def _mounted(self, conn: DuckDBPyConnection, store: Any, known: Mapping[str, int]) -> MountedFiles:
        from projections.lake.object_store_files import StoreFiles  # needs fsspec

        files = StoreFiles(self, store, known)
        conn.register_filesystem(files)
        conn.execute("SET parquet_metadata_cache = true")
        return files

    def _require_nothing(self, store: Any) -> None:
        found = store.list_with_delimiter()
        others = [*found["common_prefixes"], *(one["path"] for one in found["objects"])]
        if MANIFEST in others:  # it was missing a moment ago
            raise self.busy()
        if others:
            raise self.not_empty(others)

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        with store_problems(str(self)):
            yield connected(self.scheme, self.bucket, self.prefix)


class StoreTurn(WriterTurn):
    """Files wait in a folder until they are in the store. Several are uploaded at the same time."""

    is_exclusive = False

    def __init__(
        self,
        place: LakeLocation,
        store: Any,
        room: Path,
        pool: ThreadPoolExecutor,
        found: tuple[bytes, StoredVersion] | None,
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

    def _put_list(self, content: bytes) -> StoredVersion:
        from obstore.exceptions import AlreadyExistsError, PreconditionError

        mode: PutMode = "create" if self._version is None else self._version.mode()
        with store_problems(str(self._place)):
            try:
                return put_list(self._store, content, mode)
            except (AlreadyExistsError, PreconditionError):
                return self._own_list(content)

    def _own_list(self, content: bytes) -> StoredVersion:
        """If a response is lost, the request is repeated, and the store then refuses what it has already accepted."""
        found = _read(self._store)
        if found is None or found[0] != content:
            raise self._place.busy()
        return found[1]

    def _require_conditions(self, content: bytes) -> None:
        """Refuse a store that ignores conditional requests: two writers could not be kept apart there."""
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
    """Every file in the lake's own places, with its size."""
    return {one["path"]: one["size"] for page in store.list() for one in page if FILES.fullmatch(one["path"])}


def put_list(store: Any, content: bytes, mode: PutMode) -> StoredVersion:
    put = store.put(MANIFEST, content, mode=mode)
    return StoredVersion(put["e_tag"], put["version"])


def _read(store: Any) -> tuple[bytes, StoredVersion] | None:
    try:
        found = store.get(MANIFEST)
    except FileNotFoundError:
        return None
    return bytes(found.bytes()), StoredVersion(found.meta["e_tag"], found.meta["version"])


def _not_an_address(url: str) -> Problem:
    examples = ", ".join(f"{scheme}://BUCKET/FOLDER" for scheme in SCHEMES)
    return Problem(
        "lake/address",
        f"{url!r} is not the address of a lake; name a folder, or one of {examples}.",
        name=url,
        available=list(SCHEMES),
    )
