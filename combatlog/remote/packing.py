"""Logs on their way to a service: several files, and folders of them, in one ZIP."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

from rules.logs.importing import size_of

_PARTS = 4
"""Of the path of a folder: a format may look at the folders around it, but not at those far above."""


def packed(paths: Sequence[Path]) -> bytes:
    """Each in a folder of its own, so that none replaces another that has the same name; in the order given."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as file:
        for number, path in enumerate(paths, 1):
            size_of(path)
            for part, name in _files(path):
                file.write(part, f"{number}/{name}")
    return content.getvalue()


def _files(path: Path) -> Iterator[tuple[Path, str]]:
    """The files of a path, each with its name in the ZIP. An empty folder is one, too."""
    if not path.is_dir():
        yield path, path.name
        return
    named = path.resolve().parts[1:][-_PARTS:]
    yield path, "/".join(named)
    for part in sorted(path.rglob("*")):
        if part.is_file():
            yield part, "/".join([*named, *part.relative_to(path).parts])
