"""Logs that came in one ZIP: each is a file or a folder, in a numbered folder of its own."""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from pathlib import Path, PurePosixPath

from combatlog.service.problems import Refused

MOST_FILES = 10_000
LARGEST = 512 << 20
"""Bytes of all of them, once they are unpacked."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Those that zipfile unpacks no further than it is read; a few kB of others become hundreds of MB at once."""
_ENTRY = b"PK\x01\x02"
"""How each entry in the list of files begins."""


def written(content: bytes, path: Path) -> Path:
    path.write_bytes(content)
    return path


def unpacked(content: bytes, folder: Path) -> list[Path]:
    """The logs, in the order of their numbers."""
    if content.count(_ENTRY) > MOST_FILES:  # before they are listed: a list takes many times as much
        raise _too_large()
    try:
        with zipfile.ZipFile(BytesIO(content)) as packed:
            return _unpacked(packed, folder)
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, RuntimeError) as error:
        # zipfile says with a RuntimeError that a file is encrypted, or packed in a way that it does not know.
        sentence = f"The logs cannot be unpacked ({error}); send a ZIP with a numbered folder for each log."
        raise Refused("request/not-a-zip", sentence) from error


def _too_large() -> Refused:
    sentence = f"Logs may have at most {MOST_FILES} files, and {LARGEST} bytes once they are unpacked."
    return Refused("request/too-large", sentence, needed=LARGEST)


def _unpacked(packed: zipfile.ZipFile, folder: Path) -> list[Path]:
    """Names are made safe as files are written, whoever packed them, and no more is written than was said."""
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
