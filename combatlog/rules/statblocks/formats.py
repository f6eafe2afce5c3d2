"""The interface of a format of stat blocks, how formats are found, and the HTML and formulas that tools keep as
text.

A format is a plug-in: any installed package can provide one through the entry point group
`combatlog.stat_block_formats`.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from combatlog.rules.content.files import files_like
from combatlog.rules.engine import plugins
from combatlog.rules.engine.refusal import Refusal, listing, unknown
from combatlog.rules.statblocks.block import Origin, Spell, StatBlock

GROUP = "combatlog.stat_block_formats"
TEXTS = (".json", ".txt")
"""How files end that may be JSON."""
MAX_BYTES = 64_000_000
"""Of one file; the largest of open5e has less than one million."""


class Compendium(ABC):
    """What a source has: creatures and spells by id, each read when it is asked for."""

    origin: Origin

    @abstractmethod
    def creatures(self) -> Sequence[str]: ...

    @abstractmethod
    def creature(self, id: str) -> StatBlock: ...

    def spells(self) -> Sequence[str]:
        return ()

    def spell(self, id: str) -> Spell:
        raise KeyError(id)


class StatBlockFormat(ABC):
    """Reads the stat blocks of one tool."""

    name: str
    """How people call for it, and the name of its entry point, which leads to the class."""
    about: str
    """What is read, in a few words."""

    @abstractmethod
    def recognises(self, source: Path) -> bool:
        """Whether a file or folder looks like one of its own."""

    @abstractmethod
    def open(self, source: Path) -> Compendium:
        """What a file or folder has, or a refusal."""


def known_formats() -> list[str]:
    return plugins.names(GROUP)


def find(name: str) -> StatBlockFormat:
    made: type[StatBlockFormat] | None = plugins.load(GROUP, name)
    if made is None:
        known = known_formats()
        sentence = f"There is no format of stat blocks {name!r}; {listing(known)} can be read."
        raise unknown("pack-import/format", sentence, name, known)
    return made()


def open_source(source: Path, format: str | None = None) -> Compendium:
    """What a file or folder has. Without a format, the first one that recognises it."""
    if not source.exists():
        raise Refusal(
            "pack-import/not-found",
            f"There is no file or folder {source}.",
            file=str(source),
            suggestions=files_like(source),
        )
    if format is not None:
        return find(format).open(source)
    for name in known_formats():
        found = find(name)
        if found.recognises(source):
            return found.open(source)
    if source.suffix.lower() in TEXTS and source.is_file():
        read_json(source)  # says what is wrong with it, if it is no JSON at all
    raise Refusal(
        "pack-import/unrecognised",
        f"{source} has none of the formats that can be read: {listing(known_formats())}.",
        file=str(source),
        available=known_formats(),
    )


def read_json(path: Path) -> Any:
    """The content of a JSON file, or a refusal that names it."""
    if path.is_dir():
        raise Refusal("pack-import/folder", f"{path} is a folder; this format is a file.", file=str(path))
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise Refusal(
                "pack-import/too-large",
                f"{path} has {size // 1_000_000} MB; at most {MAX_BYTES // 1_000_000} MB are read.",
                file=str(path),
                most=MAX_BYTES,
                found=size,
            )
        if not size:
            raise Refusal("pack-import/empty", f"{path} is empty.", file=str(path))
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Refusal("pack-import/malformed", f"{path} cannot be read as JSON.", file=str(path)) from error


def peek_json(path: Path) -> Any:
    """The content of a JSON file, or None: for a first look at whose file it is."""
    if path.suffix.lower() not in TEXTS or not path.is_file():
        return None
    try:
        return read_json(path)
    except Refusal:
        return None
