"""Making what a log says fit to be stored: names, numbers, texts, dates. What does not fit is absent, never bent."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from combatlog.rules.content.limits import MAX_NUMBER
from ledger.dates import is_expressible

LONGEST_NAME = 60
_LOOKED_AT = 1_000
LONGEST_NOTE = 4_000
"""Characters of a note. The rest of a longer text is cut off, and the note says so."""


def whole(value: Any) -> int | None:
    """A whole number that a fight can have."""
    if type(value) is float and value.is_integer():
        value = int(value)
    return value if type(value) is int and abs(value) <= MAX_NUMBER else None


def storable(text: str) -> str:
    """A text without what PostgreSQL cannot hold."""
    return text.replace("\0", "�").encode("utf-8", "replace").decode("utf-8")


def name(value: Any) -> str | None:
    """A name that people gave, on one line."""
    return _name(value) if isinstance(value, str) else None


@lru_cache(4096)
def _name(value: str) -> str | None:
    """Logs name the same few combatants and effects again and again."""
    shown = (char for char in " ".join(storable(value[:_LOOKED_AT]).split()) if char.isprintable())
    return "".join(shown)[:LONGEST_NAME].strip() or None


@lru_cache(4096)
def slug(value: str) -> str:
    """The last part of a ref: `Chaos Bolt` is `chaos_bolt`."""
    plain = storable(value[:_LOOKED_AT]).casefold()
    kept = "".join(char if char.isalnum() or char in "'’+-" else " " for char in plain)
    return "_".join(kept.split())[:LONGEST_NAME] or "unnamed"


def moment(seconds: Any) -> datetime | None:
    """A moment that is given in seconds since 1970."""
    if type(seconds) not in (int, float):
        return None
    try:
        when = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return when if is_expressible(when) else None


def records(value: Any) -> list[dict[str, Any]]:
    """The mappings in a list; nothing if it is none."""
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def record(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
