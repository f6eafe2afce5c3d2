"""What a client and a service agree on: the form of addresses, and the version of the contract."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit, urlunsplit

from ledger.errors import Problem

HEADER = "X-Combatlog-Contract"
_WRITTEN = re.compile(r"(\d{1,9}) since (\d{1,9})")
_ENDS = ("/", "/join", "/v1", "/")
"""What people paste after the address of a service."""


@dataclass(frozen=True, slots=True)
class Address:
    url: str
    """Without a slash at its end, and without /v1."""
    token: str | None = field(default=None, repr=False)
    """The token of an invitation link."""

    @classmethod
    def read(cls, text: str) -> Address:
        try:
            parts = urlsplit(text.strip())
            is_fine = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_fine = False
        if not is_fine:
            raise Problem("server/address", "That is not the address of a service.", needed="http://HOST:PORT")
        token = parse_qs(parts.query).get("token", [None])[0]
        path = parts.path
        for end in _ENDS:
            path = path.removesuffix(end)
        return cls(urlunsplit((parts.scheme, parts.netloc, path, "", "")), token)


class Contract(NamedTuple):
    number: int
    """Raised whenever clients need something that services did not have before."""
    since: int
    """The oldest contract that clients may know. Raised whenever something is taken away that they need."""

    def __str__(self) -> str:
        return f"{self.number} since {self.since}"


OURS = Contract(1, 1)


def contract_in(headers: Mapping[str, str]) -> Contract | None:
    """The contract in the headers of an answer; None if there is none, as in the answer of a proxy."""
    said = _WRITTEN.fullmatch(headers.get(HEADER.lower(), ""))
    return Contract(int(said[1]), int(said[2])) if said is not None else None
