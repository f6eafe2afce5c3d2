"""Doing a command once: the first half of its id follows from the key that the caller gave, the rest from what it says.

So a repeated command is recognised by its id, and a key that comes with another message by the first half alone. Such
ids are UUIDs of version 8; of any other id, only the whole counts.
"""

from __future__ import annotations

from hashlib import sha256
from uuid import UUID

from combatlog.rules.engine.refusal import Refusal
from projections.course import Course

_VERSION = 6
"""The byte of a UUID that begins with its version."""


def command_under(key: UUID, said: bytes) -> UUID:
    """The id of the command that says this under a key."""
    id = bytearray(sha256(key.bytes).digest()[:8] + sha256(said).digest()[:8])
    id[_VERSION] = 0x80 | id[_VERSION] & 0x0F
    id[8] = 0x80 | id[8] & 0x3F
    return UUID(bytes=bytes(id))


def has_key(command: UUID) -> bool:
    """Whether the first half of an id follows from a key."""
    return command.bytes[_VERSION] >> 4 == 8


def require_new_key(course: Course, command: UUID) -> None:
    """Refuse a command whose key was given with another message."""
    if has_key(command) and course.keys.get(command.bytes[:8], command) != command:
        raise key_reused()


def key_reused() -> Refusal:
    return Refusal("command/key-reused", "The key of this command was used for another one; give each its own key.")
