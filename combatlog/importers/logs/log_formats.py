"""The interface of a log format, how formats are found, and conversion of log values to storable ones.

A format is a plug-in: any installed package can provide one through the entry point group `combatlog.log_formats`.
Names, numbers, texts and dates that cannot be stored are omitted, never altered.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from combatlog.rules.content.limits import MAX_NUMBER
from combatlog.rules.engine import pieces
from combatlog.rules.engine.refusal import choices, unknown
from ledger.json_shapes import is_expressible

if TYPE_CHECKING:
    from combatlog.importers.logs.fight_writer import FightWriter
    from combatlog.importers.logs.import_run import LogImport


LONGEST_NAME = 60
_LOOKED_AT = 1_000
LONGEST_NOTE = 4_000
"""The most characters in a note. A longer text is cut off, and the note says so."""


def whole(value: Any) -> int | None:
    """A value as a whole number within the limits of a fight; None if it is not one."""
    if type(value) is float and value.is_integer():
        value = int(value)
    return value if type(value) is int and abs(value) <= MAX_NUMBER else None


def storable(text: str) -> str:
    """A text without characters that PostgreSQL cannot store."""
    return text.replace("\0", "�").encode("utf-8", "replace").decode("utf-8")


def name(value: Any) -> str | None:
    """A name given by people, on one line."""
    return _name(value) if isinstance(value, str) else None


@lru_cache(4096)
def _name(value: str) -> str | None:
    """Cached, because logs repeat the same few names."""
    shown = (char for char in " ".join(storable(value[:_LOOKED_AT]).split()) if char.isprintable())
    return "".join(shown)[:LONGEST_NAME].strip() or None


@lru_cache(4096)
def slug(value: str) -> str:
    """The last part of a ref: `Chaos Bolt` is `chaos_bolt`."""
    plain = storable(value[:_LOOKED_AT]).casefold()
    kept = "".join(char if char.isalnum() or char in "'’+-" else " " for char in plain)
    return "_".join(kept.split())[:LONGEST_NAME] or "unnamed"


def moment(seconds: Any) -> datetime | None:
    """A time given in seconds since 1970."""
    if type(seconds) not in (int, float):
        return None
    try:
        when = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return when if is_expressible(when) else None


def records(value: Any) -> list[dict[str, Any]]:
    """The mappings in a list; empty if the value is not a list."""
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def record(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


GROUP = "combatlog.log_formats"


class LogFormat(ABC):
    """Reads the logs of one tool."""

    name: str
    """The name that users give, which is also the name of the class's entry point."""
    about: str
    """What the format reads, in a few words."""

    @abstractmethod
    def read(self, path: Path, desk: LogImport) -> None:
        """Write the content of a file with the writers of its fights.

        The file is read piece by piece, because it may be larger than memory. Pass unreadable parts to
        `LogImport.unread` and keep reading.
        """

    def finish(self, desk: LogImport, scribe: FightWriter) -> None:  # noqa: B027 (most formats have nothing left)
        """Write what is still held, because the fight is closed or the import ends."""


def known_formats() -> list[str]:
    return pieces.plugin_names(GROUP)


def find(name: str) -> LogFormat:
    made: type[LogFormat] | None = pieces.load_plugin(GROUP, name)
    if made is None:
        known = known_formats()
        sentence = f"There is no log format {name!r}; choose {choices(known)}."
        raise unknown("import-log/format", sentence, name, known)
    return made()
