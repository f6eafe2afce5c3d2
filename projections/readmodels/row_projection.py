"""From stored rows to rows of the read models, encounter by encounter; for a large ledger, in several processes.

Stored rows may have been tampered with; those that cannot be projected are set aside. A process keeps the encounters it
has projected, for their next events. Each process takes a range of ids at a time. Ids are evenly spread, so the ranges
hold about equally many events.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, groupby
from typing import Any, NamedTuple
from uuid import UUID

from pydantic_core import from_json

from ledger.errors import Problem
from ledger.events import EncounterOpened, Event
from ledger.registry import decode
from ledger.store.ledger import LedgerStore, Stored
from ledger.store.positions import LogPosition
from ledger.store.recorder import ALL, StoredRow
from projections.processes import in_processes
from projections.readmodels.encounter_projection import EncounterProjection, FactRow, StateChanges, WrittenState

SET_ASIDE = "set_aside"
_DIGITS = bytes(ord("0") if chr(byte).isdecimal() else ord(" ") for byte in range(128)) + b" " * 128
_MANY_DIGITS = b"0" * 19
_MOST = 2**63 - 1


class RowProjection:
    """Takes the rows of an encounter in order, and refuses none."""

    def __init__(self, encounter: UUID, past: Sequence[Stored] = ()) -> None:
        self.encounter = encounter
        self.seq = 0
        """The number of the last row, including rows that were set aside."""
        self._aside: tuple[int, str] | None = None
        self._left_out = 0
        self._known = EncounterProjection()
        self._written: WrittenState | None = None
        """What the tables hold for the state, as far as this process knows."""
        if past and not self._begin_at_once(past):
            self._begin_one_by_one(past)

    def _begin_at_once(self, past: Sequence[Stored]) -> bool:
        """The usual case: the past has no faults, so it can be folded in one go."""
        try:
            events = [decode(row.name, row.state) for _, row in past]
            known = EncounterProjection(events)
        except Exception:
            return False
        places = zip(events, past, range(1, len(past) + 1), strict=True)
        if any(_misfit(event, origin, row) or row.seq != seq for event, (origin, row), seq in places):
            return False
        self._known, self.seq = known, len(past)
        return True

    def _begin_one_by_one(self, past: Iterable[Stored]) -> None:
        for origin, row in past:
            self._take(origin, row)
        self._known.forget_changes()

    @property
    def is_closed(self) -> bool:
        return self._known.battle.clock.closed

    @property
    def is_state_known(self) -> bool:
        """Whether this process knows what the tables hold for the state."""
        return self._written is not None

    def feed(self, row: StoredRow) -> None:
        self._take(self.encounter, row)

    def skip(self, rows: Sequence[StoredRow]) -> None:
        """Skip rows that another process has brought in."""
        for row in rows:
            self.feed(row)
        if rows:
            self._known.forget_changes()
            self._written = None

    def _take(self, origin: UUID, row: StoredRow) -> None:
        if self._aside is None and (why := self._trouble(origin, row)) is not None:
            self._aside = row.seq, why
        if self._aside is not None and origin == self.encounter:
            self._left_out += 1
        self.seq = row.seq

    def _trouble(self, origin: UUID, row: StoredRow) -> str | None:
        """Why the event cannot be taken in; None if it was."""
        if row.seq != self.seq + 1:
            return f"event {self.seq + 1}, which comes before it, is missing"
        try:
            event = decode(row.name, row.state)
        except Problem as problem:
            return problem.sentence
        return _misfit(event, origin, row) or self._fold(event)

    def _fold(self, event: Event) -> str | None:
        try:
            self._known.feed(event)
        except Exception as error:  # a fold may fail in any way on events that no rules wrote
            self._known.forget_last()
            return f"it cannot follow the events before it ({type(error).__name__})"
        return None

    def take_facts(self) -> Iterator[FactRow]:
        return self._known.take_facts()

    def take_changed_marks(self) -> dict[bool, list[int]]:
        return self._known.take_changed_marks()

    def take_restated(self) -> list[int]:
        return self._known.take_restated()

    def take_state_changes(self) -> StateChanges:
        """What has changed in the state since the last call; everything on the first call."""
        self._written = self._written or WrittenState()
        return self._written.replace(self.state())

    def state(self) -> Iterator[FactRow]:
        events = self._known.events
        if events and events[-1].encounter == self.encounter:
            yield from self._known.state()
        if self._aside is not None and self._left_out:
            seq, why = self._aside
            yield SET_ASIDE, (self.encounter, seq, self._left_out, why)


def past_of(ledger: LedgerStore, encounter: UUID, first: int) -> list[Stored]:
    """The past that an encounter shares as a fork; nothing if its beginning cannot be read and so names no past."""
    if first == 1:
        return []
    try:
        return [(origin, row) for origin, row in ledger.history(encounter) if row.seq < first]
    except Problem:
        return [(origin, row) for origin, row in ledger.own_rows(encounter) if row.seq < first]


def _misfit(event: Event, origin: UUID, row: StoredRow) -> str | None:
    """Why a readable event does not belong where it is stored, or does not fit into a table."""
    if (event.encounter, event.seq) != (origin, row.seq):
        return "its content belongs to another place in the ledger"
    if event.seq == 1 and not isinstance(event, EncounterOpened):
        return "an encounter begins with its opening"
    if _may_not_fit(row.state) and not all(map(_fits, _values(from_json(row.state)))):
        return "it contains a character or a number that no table can hold"
    return None


def _may_not_fit(state: bytes) -> bool:
    return rb"\u0000" in state or _MANY_DIGITS in state.translate(_DIGITS)


def _fits(value: Any) -> bool:
    return "\0" not in value if isinstance(value, str) else not isinstance(value, int) or abs(value) <= _MOST


def _values(data: Any) -> Iterator[Any]:
    waiting = [data]
    while waiting:
        value = waiting.pop()
        yield value
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value


FEWEST_KEPT = 20_000
MOST_KEPT = 250_000
"""In events, at about two kilobytes each in memory: a thousand fights of usual length."""


class KeptProjections:
    """Keeps encounters up to a total number of events; the least recently used go first."""

    def __init__(self, most_events: int = FEWEST_KEPT) -> None:
        self._most = most_events
        self._kept: OrderedDict[UUID, RowProjection] = OrderedDict()
        self._events = 0

    def take(self, ledger: LedgerStore, encounter: UUID, first: int) -> RowProjection:
        """The encounter, up to its first new event. The caller gives it back with `keep`."""
        known = self._kept.pop(encounter, None)
        if known is not None:
            self._events -= known.seq
            if known.seq < first - 1:  # another process has brought in the events in between
                known.skip(ledger.recorder.select_rows(encounter, after=known.seq, upto=first - 1))
            if known.seq == first - 1:
                return known
        return RowProjection(encounter, past_of(ledger, encounter, first))

    def keep(self, projection: RowProjection) -> None:
        if projection.is_closed:
            return
        self._kept[projection.encounter] = projection
        self._events += projection.seq
        while self._events > self._most:
            _, oldest = self._kept.popitem(last=False)
            self._events -= oldest.seq

    def forget(self) -> None:
        """Forget these encounters: their changes were not written after all."""
        self._kept.clear()
        self._events = 0

    def __len__(self) -> int:
        return len(self._kept)


EVENTS_AT_ONCE = 10_000
"""About how many events a range has."""
FEW = 4
"""Up to this many ranges, this process is faster than starting another one."""

IdRange = tuple[UUID, UUID]
"""The first and the last of some ids."""


class ProjectedEncounter(NamedTuple):
    """The result of projecting one encounter."""

    events: int
    rows: list[FactRow]


def projected_encounters(url: str, end: LogPosition, total: int, jobs: int) -> Iterator[ProjectedEncounter]:
    """Every encounter with its events up to a position, of which there are about `total`."""
    make = partial(projected_in_range, url, end)
    if jobs < 2 or not is_large(total):
        return chain.from_iterable(map(make, id_ranges(1)))
    shares = id_ranges(total // EVENTS_AT_ONCE)
    return chain.from_iterable(in_processes(partial(_make_elsewhere, make), shares, jobs, start="spawn"))


def is_large(total: int) -> bool:
    """Whether this many events are worth several processes."""
    return total // EVENTS_AT_ONCE >= FEW


def id_ranges(count: int) -> Iterator[IdRange]:
    """All possible ids, divided evenly."""
    for number in range(count):
        yield UUID(int=(number << 128) // count), UUID(int=((number + 1) << 128) // count - 1)


def _make_elsewhere(make: partial[Iterator[ProjectedEncounter]], among: IdRange) -> list[ProjectedEncounter]:
    return list(make(among))


def projected_in_range(
    url: str, end: LogPosition, among: IdRange = ALL, *, shard: int | None = None
) -> Iterator[ProjectedEncounter]:
    """Every encounter of a range of ids, or of a shard on the node that has it."""
    with LedgerStore(url) as source, LedgerStore(url) as ledger:
        for encounter, rows in groupby(source.recorder.stream_rows(end, among, shard=shard), key=lambda pair: pair[0]):
            yield projected_encounter(ledger, encounter, [row for _, row in rows])


def projected_encounter(ledger: LedgerStore, encounter: UUID, rows: list[StoredRow]) -> ProjectedEncounter:
    projection = RowProjection(encounter, past_of(ledger, encounter, rows[0].seq))
    for row in rows:
        projection.feed(row)
    return ProjectedEncounter(len(rows), [*projection.take_facts(), *projection.state()])
