"""What a client and a service agree on. It covers addresses, the version of the contract, and files packed as ZIP."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs, urlsplit, urlunsplit

from combatlog.rules.content.limits import MAX_IMPORT
from ledger.errors import Problem

if TYPE_CHECKING:
    from combatlog.ledger import Ledger, Reference


_ENDS = ("/", "/join", "/v1", "/")
"""What may follow the address of a service in what people paste."""


@dataclass(frozen=True, slots=True)
class Address:
    url: str
    """Without a slash at its end; what is below /v1 is added."""
    token: str | None = field(default=None, repr=False)
    """The token of an invitation link."""

    @classmethod
    def read(cls, text: str) -> Address:
        try:
            parts = urlsplit(text.strip())
            is_fine = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_fine = False
        if not is_fine:
            raise Problem("server/address", "That is not the address of a service.", needed="http://HOST:PORT")
        token = parse_qs(parts.query).get("token", [None])[0]
        path = parts.path
        for end in _ENDS:
            path = path.removesuffix(end)
        return cls(urlunsplit((parts.scheme, parts.netloc, path, "", "")), token)


HEADER = "X-Combatlog-Contract"
_WRITTEN = re.compile(r"(\d{1,9}) since (\d{1,9})")


class Contract(NamedTuple):
    number: int
    """Raised whenever clients need something that services did not have before."""
    since: int
    """The oldest contract that clients may know. Raised whenever something is taken away that they need."""

    def __str__(self) -> str:
        return f"{self.number} since {self.since}"


OURS = Contract(1, 1)


def contract_in(headers: Mapping[str, str]) -> Contract | None:
    """What a service says; None if whatever answers says nothing, such as a proxy."""
    said = _WRITTEN.fullmatch(headers.get(HEADER.lower(), ""))
    return Contract(int(said[1]), int(said[2])) if said is not None else None


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
    """Each in a folder of its own, so that none replaces another that has the same name; in the order given."""
    from combatlog.importers.logs.import_logs import size_of

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
