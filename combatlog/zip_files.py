"""The ZIP files that a client and a service exchange: tables of fights, and logs of other tools."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from combatlog.rules.content.limits import MAX_IMPORT
from ledger.errors import Problem

if TYPE_CHECKING:
    from combatlog.ledger import Ledger, Reference

MOST_FILES = 10_000
"""Files of all logs in one ZIP."""
LARGEST = 512 << 20
"""Bytes of all logs, once they are unpacked."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Those that zipfile unpacks only as far as it is read; a few kB of others become hundreds of MB at once."""
_ENTRY = b"PK\x01\x02"
"""How each entry in the list of files begins."""
_PARTS = 4
"""Parts of a folder's path that are packed: a log format may look at the names of the nearest folders."""


def packed_tables(ledger: Ledger, format: str, fight: Reference | None = None) -> bytes:
    """The tables of one fight, or of all."""
    packed = BytesIO()
    with TemporaryDirectory() as folder, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for table in ledger.export_tables(Path(folder), format, fight).values():
            file.write(table, table.name)
    return packed.getvalue()


def unpacked_tables(packed: bytes, folder: Path) -> dict[str, Path]:
    """The files by table. zipfile makes unsafe names safe."""
    from projections.readmodels.table_files import unusable_folder

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(BytesIO(packed)) as tables:
            if sum(one.file_size for one in tables.infolist()) > MAX_IMPORT:
                sentence = f"The tables would have more than {MAX_IMPORT} bytes."
                raise Problem("export/too-large", sentence, needed=MAX_IMPORT)
            files = [Path(tables.extract(name, folder)) for name in tables.namelist()]
    except OSError as error:
        raise unusable_folder(folder, error) from error
    return {file.stem: file for file in files}


def packed_logs(paths: Sequence[str | Path]) -> bytes:
    """Each log in a numbered folder: the order stays, and logs with the same name do not replace each other."""
    from combatlog.importers.logs.import_logs import size_of

    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as file:
        for number, path in enumerate(map(Path, paths), 1):
            size_of(path)
            for part, name in _files(path):
                file.write(part, f"{number}/{name}")
    return content.getvalue()


def _files(path: Path) -> Iterator[tuple[Path, str]]:
    """The files of a log, each with its name in the ZIP; empty folders, too."""
    if not path.is_dir():
        yield path, path.name
        return
    named = path.resolve().parts[1:][-_PARTS:]
    yield path, "/".join(named)
    for part in sorted(path.rglob("*")):
        if part.is_file():
            yield part, "/".join([*named, *part.relative_to(path).parts])


def unpacked_logs(content: bytes, folder: Path) -> list[Path]:
    """The logs that `packed_logs` packed, in the order of their numbers."""
    if content.count(_ENTRY) > MOST_FILES:  # before they are listed: a list takes many times as much
        raise _too_large()
    try:
        with zipfile.ZipFile(BytesIO(content)) as packed:
            return _extracted(packed, folder)
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, RuntimeError) as error:
        # zipfile raises a RuntimeError for files that are encrypted, or packed in a way that it does not know.
        sentence = f"The logs cannot be unpacked ({error}); send a ZIP with a numbered folder for each log."
        raise Problem("request/not-a-zip", sentence) from error


def _extracted(packed: zipfile.ZipFile, folder: Path) -> list[Path]:
    parts = packed.infolist()
    if len(parts) > MOST_FILES or sum(part.file_size for part in parts) > LARGEST:
        raise _too_large()
    if any(part.compress_type not in _METHODS for part in parts):
        raise ValueError("its files have to be stored or deflated")
    logs: dict[int, Path] = {}
    for part in parts:
        first, *below = PurePosixPath(part.filename).parts
        number, path = int(first), Path(packed.extract(part, folder))
        if below:
            logs.setdefault(number, path)
    return [logs[number] for number in sorted(logs)]


def _too_large() -> Problem:
    sentence = f"Logs may have at most {MOST_FILES} files, and {LARGEST} bytes once they are unpacked."
    return Problem("request/too-large", sentence, needed=LARGEST)
