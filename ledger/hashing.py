"""The hash chain: each event's hash covers its content and its predecessor's hash."""

from __future__ import annotations

from hashlib import sha256
from uuid import UUID

GENESIS = bytes(32)
"""The hash that the first event of an encounter follows."""


def link(previous: bytes, encounter: UUID, seq: int, name: str, state: bytes) -> bytes:
    """The hash of an event. It covers the columns too, so that a row cannot be moved to another place."""
    return sha256(previous + encounter.bytes + seq.to_bytes(8, "big") + name.encode() + b"\0" + state).digest()
