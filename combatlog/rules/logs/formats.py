"""The interface of a log format, how formats are found, and making what logs say fit to be stored.

A format is a plug-in: any installed package can provide one through the entry point group
`combatlog.log_formats`. What does not fit to be stored is absent, never bent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING

from combatlog.rules.engine import plugins
from combatlog.rules.engine.refusal import listing, unknown

if TYPE_CHECKING:
    from combatlog.rules.logs.desk import Desk
    from combatlog.rules.logs.scribe import Scribe

GROUP = "combatlog.log_formats"


class LogFormat(ABC):
    """Reads the logs of one tool."""

    name: str
    """How people call for it, and the name of its entry point, which leads to the class."""
    about: str
    """What is read, in a few words."""

    @abstractmethod
    def read(self, path: Path, desk: Desk) -> None:
        """Write down what a file says, through the scribes of its fights.

        The file is read piece by piece: it may be larger than memory. Whatever is broken is handed to
        `Desk.unread`, and the rest is still read.
        """

    def finish(self, desk: Desk, scribe: Scribe) -> None:  # noqa: B027 (most formats have nothing left)
        """Write down what still waits, because the fight is put away or the import ends."""


def known_formats() -> list[str]:
    return plugins.names(GROUP)


def find(name: str) -> LogFormat:
    made: type[LogFormat] | None = plugins.load(GROUP, name)
    if made is None:
        known = known_formats()
        sentence = f"There is no log format {name!r}; {listing(known)} can be read."
        raise unknown("import-log/format", sentence, name, known)
    return made()
