"""Where a service is, from what people paste: an address, or the link of an invitation with its token."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit, urlunsplit

from ledger.errors import Problem

_ENDS = ("/", "/join", "/v1", "/")
"""What may follow the address of a service in what people paste."""


@dataclass(frozen=True, slots=True)
class Address:
    url: str
    """Without a slash at its end; what is below /v1 is added."""
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
