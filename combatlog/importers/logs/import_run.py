"""One import of logs: keep a few fights open at a time, and record what their writers have written.

A log may have thousands of fights, consecutive or interleaved. Events are recorded in batches, and a fight that was
closed is read again from the ledger when it continues, so memory use does not grow with the log. A dry run stores its
fights in a temporary file. If a source gives the state of each combatant, the import counts how often its events agree.
"""

from __future__ import annotations

import marshal
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Protocol
from uuid import UUID

from combatlog.importers.logs.fight_writer import RULESET, UNREAD, FightWriter, LogBeginning, LogLine
from combatlog.importers.logs.log_formats import LONGEST_NOTE, LogFormat, storable
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.command_checks import check_name
from ledger.events import EncounterOpened, NoteAbout
from ledger.registry import decode
from ledger.store.appending import EventBatch
from ledger.store.ledger import LedgerStore, encounter_id
from ledger.store.recorder import StoredRow


class StateDifference(StrEnum):
    """How a state in the source differs from the result of the events."""

    HIT_POINTS = "hit points"
    """They changed in a way that no result in the log explains: by hand, by a rest, by another effect."""
    TEMPORARY_HIT_POINTS = "temporary hit points"
    EFFECT_BEGAN = "effect began"
    """A combatant has an effect that no result in the log applied."""
    EFFECT_ENDED = "effect ended"
    """An effect is over that no result in the log ended: it expired or was removed by hand."""
    UNKNOWN = "hit points unknown"
    """The source gave no hit points when the combatant joined, so nothing can be compared."""


@dataclass(slots=True)
class StateAgreementCount:
    compared: int = 0
    """The number of compared states, each of one combatant."""
    agreed: int = 0
    differences: Counter[StateDifference] = field(default_factory=Counter)
    """How many states differ, by reason. A state may differ for several reasons."""

    def compare(self, found: set[StateDifference]) -> None:
        self.compared += 1
        self.agreed += not found
        self.differences.update(found)


class FightStorage(Protocol):
    def rows(self, encounter: UUID) -> Sequence[StoredRow]:
        """Every event of a fight."""

    def add(self, batches: Sequence[EventBatch]) -> None:
        """Store these events, all or none."""

    def close(self) -> None: ...


class LedgerStorage:
    def __init__(self, ledger: LedgerStore) -> None:
        self._recorder = ledger.recorder

    def rows(self, encounter: UUID) -> Sequence[StoredRow]:
        return self._recorder.select_rows(encounter)

    def add(self, batches: Sequence[EventBatch]) -> None:
        self._recorder.insert_batches(batches)

    def close(self) -> None:
        """There is nothing to close."""


class DryRunStorage(LedgerStorage):
    """Reads from the ledger, but stores new events in a temporary file."""

    def __init__(self, ledger: LedgerStore) -> None:
        super().__init__(ledger)
        self._file = TemporaryFile()  # noqa: SIM115 - closed by `close`
        self._places: dict[UUID, list[int]] = {}

    def rows(self, encounter: UUID) -> Sequence[StoredRow]:
        found = list(super().rows(encounter))
        for place in self._places.get(encounter, ()):
            self._file.seek(place)
            first, *columns = marshal.load(self._file)  # noqa: S302 - our own file
            found += [StoredRow(seq, *row) for seq, row in enumerate(zip(*columns, strict=True), first)]
        return found

    def add(self, batches: Sequence[EventBatch]) -> None:
        for encounter, first, names, states, hashes in batches:
            self._places.setdefault(encounter, []).append(self._file.seek(0, 2))
            marshal.dump((first, list(names), list(states), list(hashes)), self._file)

    def close(self) -> None:
        self._file.close()


MOST_OPEN = 64
_BATCH = 500
"""The number of events after which a writer hands over its batch."""
_RECORDED_AT_ONCE = 5_000
_LONGEST_LINE = 16_000_000
_EXAMPLES = 20
_LONGEST_KEY = 80
_MOST_EARLY = 100


@dataclass(slots=True)
class ImportTally:
    """Counts for the report of an import."""

    lines: int = 0
    events: int = 0
    fights: set[str] = field(default_factory=set)
    """The names of fights that are new or have new events."""
    unread: Counter[str] = field(default_factory=Counter)
    """The number of unreadable lines, by reason."""
    unkept: int = 0
    """How many of these do not belong to a fight, so that their text is not kept."""
    incomplete: Counter[str] = field(default_factory=Counter)
    """The number of results that lack values an event requires, by reason."""
    examples: list[tuple[str, int, str]] = field(default_factory=list)
    """The first unreadable lines: file, line, reason."""
    left_out: dict[str, None] = field(default_factory=dict)
    """The names of skipped fights: this ledger has different fights with these names."""


class LogImport:
    def __init__(
        self,
        shelf: FightStorage,
        format: LogFormat,
        campaign: str | None,
        progress: Callable[[int], None],
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._shelf = shelf
        self._reader = format
        self._format = format.name
        self._campaign = campaign
        self._progress = progress
        self._now = now
        self._open: OrderedDict[str, FightWriter] = OrderedDict()
        self._put_away: set[str] = set()
        self._waiting: list[EventBatch] = []
        self._waits = 0
        self._path = Path()
        self._latest: str | None = None
        self._early: list[tuple[LogLine, str]] = []
        """Unreadable lines before the first fight, which are kept with that fight."""
        self.tally = ImportTally()
        self.agreement = StateAgreementCount()

    # Reading files

    def begin_file(self, path: Path) -> None:
        self._path = path
        self._latest = None

    def lines(self, file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
        """The nonblank lines with their numbers. A line that is too long is skipped and counted."""
        number = 0
        while line := file.readline(_LONGEST_LINE):
            number += 1
            self.advance(len(line))
            if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
                self._skip_line(file)
                self.unread(LogLine(number, f"{number}:too long"), line[:200].decode("utf-8", "replace"), "too long")
            elif not line.isspace():
                self.tally.lines += 1
                yield number, line

    def _skip_line(self, file: IO[bytes]) -> None:
        while part := file.readline(_LONGEST_LINE):
            self.advance(len(part))
            if part.endswith(b"\n"):
                return

    def advance(self, size: int) -> None:
        self._progress(size)

    # Fights

    def fight(self, key: str, called: str | None = None, at: datetime | None = None) -> FightWriter | None:
        """The writer of the fight with this key in the source; None if this ledger has another fight with its name."""
        scribe = self._found(key, called, at)
        self._latest = key
        early, self._early = (self._early, []) if scribe is not None else ([], self._early)
        for line, text in early:
            self._keep(scribe, line, text)
        return scribe

    def _found(self, key: str, called: str | None, at: datetime | None) -> FightWriter | None:
        if key in self._open:
            self._open.move_to_end(key)
            return self._open[key]
        name = _fitting(called or f"{self._format} {key}")
        if name in self.tally.left_out:
            return None
        if key in self._put_away:
            self._record()  # its events have to be stored before it can be reopened
        beginning = LogBeginning(encounter_id(name), name, self._options(key), at or self._now())
        scribe = self._taken_up(beginning)
        if scribe is None:
            self.tally.left_out[name] = None
            return None
        if key in self._put_away:
            scribe.is_caught_up()
        self._make_room()
        self._open[key] = scribe
        return scribe

    def _options(self, key: str) -> dict[str, object]:
        source = {"format": self._format, "fight": storable(key)[:200], "file": storable(self._path.name)[:200]}
        return {"source": source} | ({"campaign": self._campaign} if self._campaign else {})

    def _taken_up(self, beginning: LogBeginning) -> FightWriter | None:
        rows = self._shelf.rows(beginning.encounter)
        if not rows:
            return FightWriter(beginning, ())
        events = [decode(row.name, row.state) for row in rows]
        opened = events[0]
        source = beginning.options["source"]
        same = isinstance(opened, EncounterOpened) and opened.ruleset == RULESET and _is_of(opened, source)
        return FightWriter(beginning, events, rows[-1].hash) if same else None

    def _make_room(self) -> None:
        while len(self._open) >= MOST_OPEN:
            key, scribe = self._open.popitem(last=False)
            self._put_away.add(key)
            self._reader.finish(self, scribe)
            self._hand_over(scribe)

    def written(self, scribe: FightWriter) -> None:
        """Call this after each line of a fight."""
        if len(scribe.batch.names) >= _BATCH:
            self._hand_over(scribe)

    def _hand_over(self, scribe: FightWriter) -> None:
        batch = scribe.take_batch()
        if not batch.names:
            return
        self.tally.events += len(batch.names)
        self.tally.fights.add(scribe.beginning.name)
        self._waiting.append(batch)
        self._waits += len(batch.names)
        if self._waits >= _RECORDED_AT_ONCE:
            self._record()

    def _record(self) -> None:
        if self._waiting:
            self._shelf.add(self._waiting)
        self._waiting, self._waits = [], 0

    def finish(self) -> None:
        for scribe in self._open.values():
            self._reader.finish(self, scribe)
            self._hand_over(scribe)
        self._open.clear()
        self._record()
        self.tally.unkept += len(self._early)

    # Unreadable lines

    def unread(self, line: LogLine, text: str, why: str) -> None:
        """Count a line, and keep its text as a note in the current fight, if there is one."""
        tally = self.tally
        tally.unread[why] += 1
        if len(tally.examples) < _EXAMPLES:
            tally.examples.append((self._path.name, line.number, why))
        if self._latest is None and len(self._early) < _MOST_EARLY:
            self._early.append((line, text[: LONGEST_NOTE + 1]))
            return
        scribe = self.fight(self._latest) if self._latest is not None and self._latest in self._open else None
        if scribe is None:
            tally.unkept += 1
        else:
            self._keep(scribe, line, text)

    def _keep(self, scribe: FightWriter | None, line: LogLine, text: str) -> None:
        if scribe is not None and scribe.begins(line, UNREAD):
            scribe.note(NoteAbout.UNREAD, text)
            self.written(scribe)

    def incomplete(self, why: str) -> None:
        """Count a result that is kept as a note, because it lacks values that an event requires."""
        self.tally.incomplete[why] += 1


def _is_of(opened: EncounterOpened, source: object) -> bool:
    """Whether the encounter was imported from the same fight, in any file."""
    recorded = opened.options.get("source")
    if not isinstance(recorded, dict) or not isinstance(source, dict):
        return False
    return all(recorded.get(part) == source[part] for part in ("format", "fight"))


def _fitting(name: str) -> str:
    """A valid encounter name that does not look like an id."""
    plain = "".join(char for char in " ".join(storable(name).split()) if char.isprintable())
    fitting = plain[:_LONGEST_KEY].strip() or "unnamed"
    try:
        return check_name(fitting)
    except Refusal:
        return f"Log {fitting}"
