"""What a lake consists of: its tables, the partitions of their files, and the list of files, which is replaced as a
whole.

A file counts from the moment the list names it. So a killed writer leaves the lake as it was, plus perhaps some files
that the next run removes. The files of an encounter are filed by its ruleset and the month in which it began, which
never change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import quote
from uuid import UUID, uuid4

from pydantic import BaseModel, ConfigDict, ValidationError

from ledger.errors import Problem
from ledger.json_shapes import nearest_expressible
from ledger.store.encounters import ListedEncounter
from ledger.store.encounters import listed_encounters as listed
from ledger.store.recorder import LedgerRecorder
from projections.lake.location import FILES, MANIFEST, LakeLocation, WriterTurn, location_of
from projections.readmodels.catalogue import TABLES
from projections.readmodels.tables import Column, TableSchema

BATCH = Column("batch", "bigint", "the position of the lake when the row was written")
"""What distinguishes the rows of an encounter from those that an earlier run wrote about it."""

EVENTS = TableSchema(
    "events",
    "Every event as it is stored.",
    ("encounter", "seq"),
    (
        Column("notification", "bigint", "its number in the log of all encounters"),
        Column("encounter", "uuid", "the encounter"),
        Column("seq", "bigint", "its number in the encounter"),
        Column("name", "text", "its kind; from the second version of a kind on with that version"),
        Column("state", "bytea", "its content, as JSON in UTF-8"),
        Column("hash", "bytea", "the hash of its content and of the event before it"),
    ),
)
FIGHTS = TableSchema(
    "fights",
    "The encounters that a run of the writer touched, and what it found.",
    ("encounter", "batch"),
    (
        Column("encounter", "uuid", "the encounter"),
        BATCH,
        Column("name", "text", "its name; its id if its beginning cannot be read"),
        Column("ruleset", "text", "the ruleset that its files are filed under"),
        Column("month", "text", "the month that its files are filed under, the one it began in"),
        Column("seq", "bigint", "the number of its last event"),
        Column("events", "bigint", "how many events are its own"),
        Column("head", "bytea", "the hash of its last event"),
    ),
)


def with_batch(table: TableSchema) -> TableSchema:
    return TableSchema(table.name, table.meaning, table.key, (*table.columns, BATCH))


FACTS = {name: with_batch(table) for name, table in TABLES.items()}
"""The tables of the read models, as a lake holds them."""
LAKE_TABLES = {EVENTS.name: EVENTS, FIGHTS.name: FIGHTS, **FACTS}


UNKNOWN = "unknown"
"""For encounters whose beginning cannot be read."""
_LONGEST = 100


class Partition(NamedTuple):
    ruleset: str
    month: str

    def file(self, table: str, first: int, last: int, edition: int) -> PurePosixPath:
        place = PurePosixPath(table, f"ruleset={_file_name(self.ruleset)}", f"month={self.month}")
        return place / f"{first:012}-{last:012}.{edition}.parquet"


class EncounterPartition(NamedTuple):
    name: str
    partition: Partition


def partitions_of(recorder: LedgerRecorder, encounters: Collection[UUID]) -> Mapping[UUID, EncounterPartition]:
    known = listed(recorder, encounters)
    return {encounter: _filed(encounter, known.get(encounter)) for encounter in encounters}


def _filed(encounter: UUID, found: ListedEncounter | None) -> EncounterPartition:
    if found is None or found.begun is None:
        return EncounterPartition(str(encounter), Partition(UNKNOWN, UNKNOWN))
    begun = nearest_expressible(found.begun)
    return EncounterPartition(found.name, Partition(found.ruleset or UNKNOWN, f"{begun.year:04}-{begun.month:02}"))


def _file_name(ruleset: str) -> str:
    """A ruleset's name may have any characters and any length."""
    quoted = quote(ruleset, safe="")
    return quoted if len(quoted) <= _LONGEST else f"{quoted[:_LONGEST]}~{sha256(quoted.encode()).hexdigest()[:16]}"


FORMAT = 1


class ManifestModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LakeFile(ManifestModel):
    """A file of the lake. It covers the notifications from `first` to `last`, or event counts if there are several
    nodes."""

    table: str
    ruleset: str
    month: str
    path: str
    """Relative to the place of the lake."""
    rows: int
    first: int
    last: int
    bytes: int | None = None
    """Its size, if the writer of the file recorded it."""


class LastEvent(ManifestModel):
    """The last event in a lake, by which the lake recognises its ledger."""

    notification: int
    encounter: str
    seq: int
    hash: str


class LakeProgress(ManifestModel):
    """The position of a lake, and its files."""

    position: int = 0
    """The notification up to which every event is in the lake. If several nodes write the ledger, their
    notifications have no common order; from then on it counts the events added."""
    nodes: dict[int, int] = {}
    """If several nodes write the ledger: for each, the notification up to which every event is in the lake."""
    last: LastEvent | None = None
    events: int = 0
    files: tuple[LakeFile, ...] = ()

    @property
    def followed(self) -> dict[int, int]:
        """How far the lake has followed each node. A single server is node 0."""
        return self.nodes or {0: self.position}

    def of(self, table: str) -> list[LakeFile]:
        return [file for file in self.files if file.table == table]


class UnfinishedRun(LakeProgress):
    """A run that has not finished. Its files do not count yet, so readers ignore them."""

    folded: int = 0
    """How many of its encounters have their facts in these files. After the first one, no more events are added."""


class Manifest(LakeProgress):
    format: int = FORMAT
    form: str
    """The version of the tables of facts."""
    edition: int = 0
    """How often the list was replaced. File names contain it, so no file is ever overwritten."""
    writer: str | None = None
    """Where there are no locks: who replaced the list, so that a writer recognises its own list."""
    underway: UnfinishedRun | None = None
    """What an unfinished run has done so far, so that the next one can continue."""

    @property
    def reached(self) -> LakeProgress:
        """The position of writers, including an unfinished run."""
        return self.underway or self

    @property
    def kept(self) -> tuple[LakeFile, ...]:
        """The files that count, and those of an unfinished run."""
        return (*self.files, *self.underway.files) if self.underway is not None else self.files


def require_form(place: LakeLocation, manifest: Manifest, form: str) -> None:
    """Refuse a lake whose tables of facts have another version."""
    if manifest.form != form:
        raise Problem(
            "lake/other-form",
            f"The lake in {place} was written by another version of combatlog, whose tables differ; "
            "a new one has to be written, in another place.",
            found=manifest.form,
            needed=form,
        )


def require_files(place: LakeLocation, there: Collection[str], listed: Iterable[LakeFile]) -> None:
    missing = [file.path for file in listed if file.path not in there]
    if missing:
        raise Problem(
            "lake/missing-file",
            f"The lake in {place} is incomplete: {missing[0]} is missing.",
            folder=str(place),
            found=missing[:5],
        )


def require_sizes(place: LakeLocation, there: Mapping[str, int], listed: Iterable[LakeFile]) -> None:
    """Refuse a lake with a truncated or replaced file. Readers notice such files by themselves."""
    for file in listed:
        if file.bytes is not None and there[file.path] != file.bytes:
            raise Problem(
                "lake/damaged-file",
                f"The lake in {place} is damaged: {file.path} has {there[file.path]:,} bytes, "
                f"and {file.bytes:,} were written.",
                folder=str(place),
                found=there[file.path],
                needed=file.bytes,
            )


def read_manifest(where: str | Path | LakeLocation) -> Manifest:
    place = where if isinstance(where, LakeLocation) else location_of(where)
    content = place.read_list()
    if content is None:
        raise Problem("lake/none", f"There is no lake in '{place}'.", folder=str(place))
    return _parsed(place, content)


def _parsed(place: LakeLocation, content: bytes) -> Manifest:
    try:
        read = Manifest.model_validate_json(content)
    except ValidationError as error:
        raise Problem(
            "lake/unreadable", f"The list of files {MANIFEST} in {place} cannot be read.", folder=str(place)
        ) from error
    if read.format != FORMAT:
        raise Problem(
            "lake/other-format",
            f"The lake in {place} has format {read.format}, and this version of combatlog knows format {FORMAT}.",
            found=read.format,
            needed=FORMAT,
        )
    return read


class LakeWriter:
    """A lake, for as long as a process writes to it."""

    def __init__(self, place: LakeLocation, turn: WriterTurn, manifest: Manifest) -> None:
        self.place = place
        self.turn = turn
        self.manifest = manifest

    def replace(self, **changes: Any) -> Manifest:
        """Replace the list in one step, so that readers find either the old one or the new one."""
        return self._put(self.manifest.model_copy(update={"edition": self.manifest.edition + 1, **changes}))

    def add(
        self, table: str, partition: Partition, made_from: range, rows: int, write: Callable[[Path], None]
    ) -> LakeFile:
        """Add a file, which counts once the list names it. `made_from` are the notifications, or the counts."""
        first, last = made_from[0], made_from[-1]
        path = str(partition.file(table, first, last, self.manifest.edition + 1))
        with self.turn.adding(path) as file:
            write(file)
            size = file.stat().st_size
        about = {"ruleset": partition.ruleset, "month": partition.month}
        return LakeFile(table=table, path=path, rows=rows, first=first, last=last, bytes=size, **about)

    def publish(self, run: UnfinishedRun) -> None:
        """The run has finished: everything it has written counts."""
        files = (*self.manifest.files, *run.files)
        self.replace(
            position=run.position, nodes=run.nodes, last=run.last, events=run.events, files=files, underway=None
        )

    def begin(self) -> None:
        """Create a lake or, where there are no locks, announce this writer, so that any earlier one gives up."""
        if self.turn.found is None:
            self._put(self.manifest)
        elif not self.turn.is_exclusive:
            self.replace(writer=uuid4().hex)

    def remove_leftovers(self) -> int:
        """Remove files of unfinished runs and those that a compaction has replaced; returns how many there were.

        Readers that began before the compaction have had time to finish. A writer that begins after this one gives its
        files later editions, and those are left alone.
        """
        listed = {file.path for file in self.manifest.kept}
        found = [path for path in self.place.files() if path not in listed and self._is_over(path)]
        self.turn.remove(found)
        return len(found)

    def _is_over(self, path: str) -> bool:
        name = FILES.fullmatch(path)
        return self.turn.is_exclusive or (name is not None and int(name["edition"]) <= self.manifest.edition)

    def _put(self, manifest: Manifest) -> Manifest:
        self.turn.replace_list((manifest.model_dump_json(indent=1, exclude_none=True) + "\n").encode())
        self.manifest = manifest
        return manifest


@contextmanager
def writing(
    place: LakeLocation, form: str, require_fit: Callable[[Manifest], None] = lambda found: None
) -> Iterator[LakeWriter]:
    """The lake in a place, for one writer at a time; a new one if the place is empty. A lake that does not fit is
    left untouched."""
    with place.turn() as turn:
        if turn.found is None:
            manifest = Manifest(form=form, writer=None if turn.is_exclusive else uuid4().hex)
        else:
            manifest = _parsed(place, turn.found)
        require_fit(manifest)
        there = place.files()
        require_files(place, there, manifest.kept)
        require_sizes(place, there, manifest.kept)
        lake = LakeWriter(place, turn, manifest)
        lake.begin()
        lake.remove_leftovers()
        yield lake
