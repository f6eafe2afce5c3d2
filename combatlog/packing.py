"""Files on their way to a service and back, in one ZIP: the tables of an export, and the logs of an import."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from combatlog.rules.content.limits import MAX_IMPORT
from ledger.errors import Problem

if TYPE_CHECKING:
    from combatlog.ledger import Ledger, Reference

_PARTS = 4
"""Of the path of a folder: a format may look at the folders around it, but not at those far above."""


def packed_tables(ledger: Ledger, format: str, fight: Reference | None = None) -> bytes:
    """The tables of one fight, or of all."""
    packed = BytesIO()
    with TemporaryDirectory() as folder, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for table in ledger.export_tables(Path(folder), format, fight).values():
            file.write(table, table.name)
    return packed.getvalue()


def unpacked_tables(packed: bytes, folder: Path) -> dict[str, Path]:
    """The files by table. The names are made safe as they are written, whoever packed them."""
    from projections.parquet import unusable

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(BytesIO(packed)) as tables:
            if sum(one.file_size for one in tables.infolist()) > MAX_IMPORT:
                sentence = f"The tables would have more than {MAX_IMPORT} bytes."
                raise Problem("export/too-large", sentence, needed=MAX_IMPORT)
            files = [Path(tables.extract(name, folder)) for name in tables.namelist()]
    except OSError as error:
        raise unusable(folder, error) from error
    return {file.stem: file for file in files}


def packed_logs(paths: Sequence[str | Path]) -> bytes:
    """Each in a folder of its own, so that none replaces another that has the same name; in the order given."""
    from combatlog.rules.logs.importing import size_of

    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as file:
        for number, path in enumerate(map(Path, paths), 1):
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
