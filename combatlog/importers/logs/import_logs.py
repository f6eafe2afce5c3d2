"""Import the logs of other tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from stat import S_ISREG

from pydantic import BaseModel, Field

from combatlog.importers.logs.import_run import DryRunStorage, LedgerStorage, LogImport, StateAgreementCount
from combatlog.importers.logs.log_formats import find
from combatlog.rules.content.files import files_like
from combatlog.rules.content.limits import check_texts
from ledger.errors import Problem
from ledger.json_shapes import Documented
from ledger.store.ledger import LedgerStore

Progress = Callable[[int, int], None]
"""Called with the bytes done and the bytes in total."""


class UnreadExample(BaseModel):
    file: str
    line: int
    why: str


class StateAgreement(BaseModel):
    """How often the imported events lead to the states in the source."""

    compared: int = Field(description="compared states of one combatant")
    agreed: int = Field(description="how many of them agreed with the events")
    differences: dict[str, int] = Field(description="how many differed, by reason")


class ImportedLog(Documented, BaseModel):
    """The result of an import of logs."""

    format: str
    dry_run: bool = Field(description="whether nothing was recorded")
    lines: int = Field(description="lines, messages or documents that were read")
    fights: int = Field(description="fights that are new or have new events")
    events: int = Field(description="events that were recorded")
    unread: dict[str, int] = Field(description="unreadable lines, by reason; their text is kept as notes")
    unkept: int = Field(description="how many of these do not belong to a fight, so that their text is not kept")
    incomplete: dict[str, int] = Field(
        description="results that lack values an event requires, by reason; also kept as notes"
    )
    examples: list[UnreadExample] = Field(description="the first lines that could not be read")
    left_out: list[str] = Field(description="fights skipped because another fight in this ledger has their name")
    agreement: StateAgreement | None = Field(description="null: the source has no states")


def import_logs(
    ledger: LedgerStore,
    format: str,
    paths: Sequence[Path],
    *,
    campaign: str | None = None,
    dry_run: bool = False,
    progress: Progress = lambda done, total: None,
) -> ImportedLog:
    """Record the fights of these files. Lines that were imported before are not recorded again."""
    reader = find(format)
    check_texts(campaign)
    sizes = {path: size_of(path) for path in paths}
    total, done = sum(sizes.values()), 0

    def advance(size: int) -> None:
        nonlocal done
        done += size
        progress(done, total)

    shelf = DryRunStorage(ledger) if dry_run else LedgerStorage(ledger)
    desk = LogImport(shelf, reader, campaign or None, advance)
    with closing(shelf):
        for path in paths:
            desk.begin_file(path)
            reader.read(path, desk)
        desk.finish()
    return _summary(desk, format, dry_run)


def size_of(path: Path) -> int:
    """The size of a file, or of the files in a folder, in bytes. Refuses unreadable ones."""
    try:
        if path.is_dir():
            return sum(part.stat().st_size for part in path.iterdir() if part.is_file())
        found = path.stat()
        if not S_ISREG(found.st_mode):
            raise Problem("file/unusable", f"{path} is not a file; devices and pipes cannot be read.", path=str(path))
        with path.open("rb"):
            return found.st_size
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "the name is not a valid file name"
        sentence = f"{path} cannot be opened: {why}."
        raise Problem("file/unusable", sentence, path=str(path), suggestions=files_like(path)) from error


def _summary(desk: LogImport, format: str, dry_run: bool) -> ImportedLog:
    tally = desk.tally
    return ImportedLog(
        format=format,
        dry_run=dry_run,
        lines=tally.lines,
        fights=len(tally.fights),
        events=tally.events,
        unread=dict(sorted(tally.unread.items())),
        unkept=tally.unkept,
        incomplete=dict(sorted(tally.incomplete.items())),
        examples=[UnreadExample(file=file, line=line, why=why) for file, line, why in tally.examples],
        left_out=sorted(tally.left_out),
        agreement=_agreement(desk.agreement),
    )


def _agreement(found: StateAgreementCount) -> StateAgreement | None:
    if not found.compared:
        return None
    differences = {reason.value: count for reason, count in sorted(found.differences.items())}
    return StateAgreement(compared=found.compared, agreed=found.agreed, differences=differences)
