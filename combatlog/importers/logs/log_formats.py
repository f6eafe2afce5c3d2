"""The interface of a log format, how formats are found, and conversion of log values to storable ones.

A format is a plug-in: any installed package can provide one through the entry point group `combatlog.log_formats`.
Names, numbers, texts and dates that cannot be stored are omitted, never bent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from combatlog.rules.content.limits import MAX_NUMBER
from combatlog.rules.engine import pieces
from combatlog.rules.engine.refusal import listing, unknown
from ledger.json_shapes import is_expressible

if TYPE_CHECKING:
    from combatlog.importers.logs.fight_writer import FightWriter
    from combatlog.importers.logs.import_run import LogImport


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


GROUP = "combatlog.log_formats"


class LogFormat(ABC):
    """Reads the logs of one tool."""

    name: str
    """How people call for it, and the name of its entry point, which leads to the class."""
    about: str
    """What is read, in a few words."""

    @abstractmethod
    def read(self, path: Path, desk: LogImport) -> None:
        """Write down what a file says, through the scribes of its fights.

        The file is read piece by piece: it may be larger than memory. Whatever is broken is handed to
        `Desk.unread`, and the rest is still read.
        """

    def finish(self, desk: LogImport, scribe: FightWriter) -> None:  # noqa: B027 (most formats have nothing left)
        """Write down what still waits, because the fight is put away or the import ends."""


def known_formats() -> list[str]:
    return pieces.plugin_names(GROUP)


def find(name: str) -> LogFormat:
    made: type[LogFormat] | None = pieces.load_plugin(GROUP, name)
    if made is None:
        known = known_formats()
        sentence = f"There is no log format {name!r}; {listing(known)} can be read."
        raise unknown("import-log/format", sentence, name, known)
    return made()
