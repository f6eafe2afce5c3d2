"""Connections to object stores, by what the environment says, and what goes wrong with them, in one sentence each."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from importlib.util import find_spec
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ledger.errors import Problem


class Kind(NamedTuple):
    store: str
    """The class in obstore."""
    endpoints: tuple[str, ...]
    """Variables that name another server than the provider's own; the first that is set counts."""
    credentials: tuple[str, ...]
    """Variables that tell who asks."""
    others: tuple[str, ...] = ()

    @property
    def variables(self) -> list[str]:
        """What to tell people who have to set or check them."""
        return [*self.credentials, *self.others]


SCHEMES = {
    "s3": Kind(
        "S3Store",
        ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"),
        ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
        ("AWS_REGION",),
    ),
    "gs": Kind("GCSStore", (), ("GOOGLE_APPLICATION_CREDENTIALS",)),
    "az": Kind(
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
"""By which the protocols of S3 and Azure say what is wrong."""
_NO_BUCKET = {"NoSuchBucket", "ContainerNotFound"}
_BAD_CREDENTIALS = {
    *("InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "InvalidSecurity"),
    *("AuthenticationFailed", "InvalidAuthenticationInfo", "RequestTimeTooSkewed"),
}
_NO_CONDITIONS = "NotImplemented"


def connected(scheme: str, bucket: str, prefix: str) -> Any:
    """A store with everything below the prefix, with the credentials in the environment."""
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
    """The library panics when it shows a store whose account it has found by itself, so it is told."""
    if scheme != "az":
        return {}
    for variable in _ACCOUNTS:
        if value := os.environ.get(variable):
            return {"account_name": value}
    raise Problem("lake/no-credentials", "No account is named for az://.", variables=SCHEMES[scheme].variables)


def _endpoint(kind: Kind) -> str | None:
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
    """Whatever the store or the way to it refuses, in one sentence."""
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
        # By now the machine has been asked for its own.
        return "lake/no-credentials", f"There is no answer from the store of {where}, and there are no credentials."
    return "lake/unreachable", f"The store of {where} cannot be reached, or does not answer."


def _kind(where: str) -> Kind:
    return SCHEMES[where.partition("://")[0]]


def no_conditions(where: str) -> str:
    return f"The store of {where} has no conditions for writes, so it could not keep two writers apart."


def _reason(error: Exception) -> str:
    """What matters of a message that goes on with how it came about."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(". :") if lines else type(error).__name__
