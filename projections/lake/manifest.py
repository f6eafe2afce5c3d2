"""What a lake consists of: the list of its files, which is replaced as a whole.

A file counts from the moment the list names it, and no sooner. So whoever is killed leaves the lake as it was before,
and perhaps files that nobody reads and the next run removes.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from ledger.errors import Problem
from projections.parquet import STAGING, unusable

FORMAT = 1
MANIFEST = "manifest.json"
_DRAFT = "manifest.json.draft"
_LOCK = ".lock"
_OWN = {MANIFEST, _DRAFT, _LOCK}


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LakeFile(Frozen):
    """A file of the lake. It was made from the notifications from `first` to `last`, or counts if there are nodes."""

    table: str
    ruleset: str
    month: str
    path: str
    """Below the lake's folder."""
    rows: int
    first: int
    last: int


class LastEvent(Frozen):
    """The event that a lake has come to, by which it knows its ledger again."""

    notification: int
    encounter: str
    seq: int
    hash: str


class Manifest(Frozen):
    format: int = FORMAT
    form: str
    """Which form the tables of facts have."""
    edition: int = 0
    """How often the list was replaced. File names contain it, so no file is ever written over."""
    position: int = 0
    """The notification up to which every event is in the lake. If several nodes write the ledger, their notifications
    have no common order, so from then on it counts the events that were added."""
    nodes: dict[int, int] = {}
    """If several nodes write the ledger, the notification of each up to which every event is in the lake."""
    last: LastEvent | None = None
    events: int = 0
    files: tuple[LakeFile, ...] = ()

    @property
    def followed(self) -> dict[int, int]:
        """How far the lake has followed each node. A server by itself is node 0."""
        return self.nodes or {0: self.position}

    def of(self, table: str) -> list[LakeFile]:
        return [file for file in self.files if file.table == table]


def require_form(folder: Path, manifest: Manifest, form: str) -> None:
    """Refuse a lake whose tables of facts have another form."""
    if manifest.form != form:
        raise Problem(
            "lake/other-form",
            f"The lake in {folder} was written by another version of combatlog, whose tables differ; "
            "a new one has to be written, in another folder.",
            found=manifest.form,
            needed=form,
        )


def read_manifest(folder: Path) -> Manifest:
    try:
        read = Manifest.model_validate_json((folder / MANIFEST).read_bytes())
    except FileNotFoundError as error:
        raise Problem("lake/none", f"There is no lake in {folder}.", folder=str(folder)) from error
    except OSError as error:
        raise unusable(folder, error) from error
    except ValidationError as error:
        raise Problem(
            "lake/unreadable", f"The list of files in {folder / MANIFEST} cannot be read.", folder=str(folder)
        ) from error
    if read.format != FORMAT:
        raise Problem(
            "lake/other-format",
            f"The lake in {folder} has format {read.format}, and this version of combatlog knows format {FORMAT}.",
            found=read.format,
            needed=FORMAT,
        )
    return read


def replace_manifest(folder: Path, manifest: Manifest) -> None:
    """In one step: whoever reads finds the old list or the new one."""
    for place in {(folder / file.path).parent for file in manifest.files if f".{manifest.edition}." in file.path}:
        _sync_folders(folder, place)
    draft = folder / _DRAFT
    with draft.open("w", encoding="utf-8") as file:
        file.write(manifest.model_dump_json(indent=1) + "\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(folder / MANIFEST)
    _sync(folder)


@contextmanager
def writing(folder: Path, form: str) -> Iterator[Manifest]:
    """The lake in a folder, for one writer at a time; a new one if the folder is empty or not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _require_own(folder)
        handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise unusable(folder, error) from error
    try:
        _take(handle, folder)
        if not (folder / MANIFEST).exists():
            replace_manifest(folder, Manifest(form=form))
        manifest = read_manifest(folder)
        remove_leftovers(folder, manifest)
        yield manifest
    finally:
        os.close(handle)


def _take(handle: int, folder: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        sentence = f"Another process is writing to the lake in {folder}; wait until it is done."
        raise Problem("lake/busy", sentence, folder=str(folder)) from error


def _require_own(folder: Path) -> None:
    """Nothing is put into a folder that is used for something else."""
    if (folder / MANIFEST).exists():
        return
    others = sorted(path.name for path in folder.iterdir() if path.name not in _OWN)
    if others:
        raise Problem(
            "lake/not-empty",
            f"{folder} is not a lake and not empty; choose another folder.",
            folder=str(folder),
            found=others[:5],
        )


def remove_leftovers(folder: Path, manifest: Manifest) -> int:
    """Files of runs that did not come to their end, and those that a compaction has replaced; how many there were.

    Readers that began before the compaction have had the time until now.
    """
    listed = {file.path for file in manifest.files}
    found = [path for path in _parquet_files(folder) if path.relative_to(folder).as_posix() not in listed]
    for path in found:
        path.unlink()
    for path in folder.glob(f"{STAGING}*"):
        shutil.rmtree(path, ignore_errors=True)
    return len(found)


def _parquet_files(folder: Path) -> Iterable[Path]:
    """Only files where this program puts its own: a table, a ruleset, a month."""
    return folder.glob("*/ruleset=*/month=*/*-*.*.parquet")


def _sync_folders(top: Path, place: Path) -> None:
    while place != top.parent:
        _sync(place)
        if place == top:
            return
        place = place.parent


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
