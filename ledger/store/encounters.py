"""Find encounters: their beginnings, the pages of a list, their labels, and the stored snapshots of their states.

Every query uses an index, so its cost depends on the size of its result, not of the ledger. Snapshots are a cache: each
belongs to an event by its hash, and without one the events are folded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, NamedTuple, cast, overload
from uuid import UUID

from psycopg.rows import tuple_row
from psycopg.sql import SQL
from pydantic import Field, PlainSerializer
from pydantic_core import from_json

from ledger.errors import Problem
from ledger.events import EncounterOpened, Event, Forked
from ledger.json_shapes import WHOLE, Documented
from ledger.registry import decode
from ledger.store.recorder import LedgerRecorder

_IS_BEGINNING = SQL("split_part(topic, '.', 1) IN ('encounter_opened', 'forked')")
_FROM = SQL(" FROM combatlog.ledger_events o WHERE {}").format(_IS_BEGINNING)
_BEGINNING = (
    SQL(
        "SELECT o.originator_id, o.topic, o.state, (SELECT max(e.originator_version) FROM combatlog.ledger_events e"
        " WHERE e.originator_id = o.originator_id)"
    )
    + _FROM
)
_NEWEST = _BEGINNING + SQL(" AND o.notification_id < %s ORDER BY o.notification_id DESC LIMIT %s")
_OF = _BEGINNING + SQL(" AND o.originator_id = ANY(%s)")
_BEGUN_AT = SQL("SELECT o.notification_id") + _FROM + SQL(" AND o.originator_id = %s")
_COUNT = SQL("SELECT count(*)") + _FROM
_IDS = SQL("SELECT o.originator_id") + _FROM + SQL(" ORDER BY o.notification_id")
_MENTIONING = SQL(
    "SELECT o.originator_id, (SELECT max(e.originator_version) FROM combatlog.ledger_events e"
    " WHERE e.originator_id = o.originator_id) FROM combatlog.ledger_events o WHERE {}"
    " AND position(convert_to(%s, 'UTF8') IN o.state) > 0"
).format(_IS_BEGINNING)
_LOWER = SQL('lower(combatlog.encounter_name(o.state) COLLATE "C")')
_NAMES_OF_NEWEST = SQL("SELECT o.state") + _FROM + SQL(" ORDER BY o.notification_id DESC LIMIT %s")
_NAMES_FROM_TO = SQL(
    '{} AND {name} >= lower(%s COLLATE "C") AND {name} < lower(%s COLLATE "C") ORDER BY {name} LIMIT %s'
).format(SQL("SELECT o.state") + _FROM, name=_LOWER)
_NO_END = 2**62
_LAST = "\U0010ffff"
"""The character that sorts after all others."""


class EncounterBeginning(NamedTuple):
    encounter: UUID
    name: str
    """The stored name of the first event."""
    state: bytes
    last: int
    """The seq of the encounter's last event."""


def newest_beginnings(
    recorder: LedgerRecorder, limit: int | None, before: int | None = None
) -> list[EncounterBeginning]:
    """The newest encounters, newest first; only those that began before a notification, if one is given."""
    return [
        EncounterBeginning._make(row)
        for row in recorder.select(_NEWEST, (_NO_END if before is None else before, limit))
    ]


def beginnings_of(recorder: LedgerRecorder, encounters: Collection[UUID]) -> list[EncounterBeginning]:
    return [EncounterBeginning._make(row) for row in recorder.select(_OF, (list(encounters),))]


def begun_at(recorder: LedgerRecorder, encounter: UUID) -> int | None:
    """The notification id of an encounter's first event."""
    return next((row[0] for row in recorder.select(_BEGUN_AT, (encounter,))), None)


def encounter_count(recorder: LedgerRecorder) -> int:
    return int(recorder.select(_COUNT)[0][0])


def encounter_ids(recorder: LedgerRecorder) -> list[UUID]:
    """Every encounter, in the order they began."""
    return [row[0] for row in recorder.select(_IDS)]


def encounters_mentioning(recorder: LedgerRecorder, word: str) -> dict[UUID, int]:
    """The encounters whose first event contains a text, such as an option, with their last seqs."""
    return {encounter: int(last) for encounter, last in recorder.select(_MENTIONING, (word,))}


def encounter_names(recorder: LedgerRecorder, begin: str, limit: int) -> Iterator[str]:
    """Names with this beginning, in upper or lower case; if it is empty, the names of the newest encounters."""
    plain = begin.encode("utf-8", "replace").decode().replace("\0", "")
    query, bounds = (_NAMES_FROM_TO, (plain, plain + _LAST)) if plain else (_NAMES_OF_NEWEST, ())
    for (state,) in recorder.select(query, (*bounds, limit)):
        with suppress(
            ValueError, LookupError, TypeError
        ):  # skip names that cannot be read: events are not decoded here
            yield str(from_json(state)["name"])


_Time = Annotated[datetime, PlainSerializer(datetime.isoformat, return_type=str, when_used="json")]


@dataclass(frozen=True, slots=True)
class ListedEncounter:
    """An encounter in a list."""

    __pydantic_config__ = WHOLE

    name: str
    encounter: UUID
    ruleset: str
    begun: _Time | None
    events: int
    parent: Annotated[UUID | None, Field(description="the encounter that it was forked from")]
    problem: Annotated[str | None, Field(description="why it cannot be read")] = None
    # These fields depend on corrections, so `projections.battle.encounter_list` fills them in.
    labels: tuple[str, ...] = ()
    state: Annotated[str | None, Field(description="its progress; null: it cannot be read")] = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Page(Sequence[ListedEncounter], Documented):
    """Some of the encounters, the newest first."""

    __pydantic_config__ = WHOLE

    encounters: tuple[ListedEncounter, ...]
    total: Annotated[int, Field(description="the total number of encounters")]
    next: Annotated[
        UUID | None, Field(description="the next page comes after this encounter; null: this is the last page")
    ]
    archived: Annotated[int, Field(description="how many archived encounters were skipped")] = 0

    def __len__(self) -> int:
        return len(self.encounters)

    @overload
    def __getitem__(self, place: int) -> ListedEncounter: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[ListedEncounter]: ...
    def __getitem__(self, place: int | slice) -> ListedEncounter | Sequence[ListedEncounter]:
        return self.encounters[place]


def joined_pages(pages: Sequence[Page]) -> Page:
    """Join consecutive pages into one."""
    entries = tuple(one for page in pages for one in page)
    return Page(entries, pages[-1].total, pages[-1].next, sum(page.archived for page in pages))


_First = EncounterOpened | Forked | Problem
"""The first event of an encounter, or why it cannot be read."""


def encounter_page(recorder: LedgerRecorder, limit: int | None, before: int | None) -> Page:
    """The newest encounters, all or up to a limit; only those that began before a notification, if one is given."""
    found = newest_beginnings(recorder, limit + 1 if limit is not None else None, before)
    shown = found[:limit]
    known = _with_ancestors(recorder, {beginning.encounter: _read(beginning) for beginning in shown})
    more = len(found) > len(shown) and bool(shown)
    listed = tuple(_listed(beginning, known) for beginning in shown)
    return Page(listed, encounter_count(recorder), shown[-1].encounter if more else None)


def listed_encounters(recorder: LedgerRecorder, encounters: Collection[UUID]) -> dict[UUID, ListedEncounter]:
    """Some encounters by id. Encounters without a first event are omitted."""
    found = beginnings_of(recorder, encounters)
    known = _with_ancestors(recorder, {beginning.encounter: _read(beginning) for beginning in found})
    return {beginning.encounter: _listed(beginning, known) for beginning in found}


def _read(beginning: EncounterBeginning) -> _First:
    try:
        return cast(EncounterOpened | Forked, decode(beginning.name, beginning.state))
    except Problem as problem:
        return problem


def _with_ancestors(recorder: LedgerRecorder, known: dict[UUID, _First]) -> Mapping[UUID, _First]:
    """Add the encounters that forks come from: a fork has their ruleset, and they may be on another page."""
    looked_for = set(known)
    while missing := {parent for parent in _parents(known) if parent not in looked_for}:
        looked_for |= missing
        known |= {found.encounter: _read(found) for found in beginnings_of(recorder, missing)}
    return known


def _parents(known: Mapping[UUID, _First]) -> Iterator[UUID]:
    return (first.parent for first in known.values() if isinstance(first, Forked))


def _listed(beginning: EncounterBeginning, known: Mapping[UUID, _First]) -> ListedEncounter:
    first, encounter, last = known[beginning.encounter], beginning.encounter, beginning.last
    if isinstance(first, Problem):
        return ListedEncounter(str(encounter), encounter, "", None, last, None, first.sentence)
    ruleset = _ruleset(first, known)
    if isinstance(first, EncounterOpened):
        return ListedEncounter(first.name, encounter, ruleset, first.recorded_at, last, None)
    missing = None if ruleset else f"The encounter it was forked from, {first.parent}, is missing or cannot be read."
    return ListedEncounter(first.name, encounter, ruleset, first.recorded_at, last, first.parent, missing)


def _ruleset(first: EncounterOpened | Forked, known: Mapping[UUID, _First]) -> str:
    origin: _First | None = first
    for _ in range(len(known) + 1):  # in a ledger that was tampered with, forks may form a cycle
        if not isinstance(origin, Forked):
            break
        origin = known.get(origin.parent)
    return origin.ruleset if isinstance(origin, EncounterOpened) else ""


PRACTICE = "practice"
"""The label of fights that do not count in statistics across fights."""
ARCHIVED = "archived"
"""The label of fights that do not count in statistics and are not listed."""

_IS_LABEL = SQL("split_part(topic, '.', 1) = 'encounter_labelled'")
_DECIDES = SQL("split_part(topic, '.', 1) IN ('encounter_labelled', 'undone', 'redone', 'amended', 'inserted')")
_SELECT = SQL("SELECT originator_id, topic, state FROM combatlog.ledger_events WHERE ")
_LABELLED = SQL(
    "SELECT DISTINCT originator_id FROM combatlog.ledger_events WHERE originator_id = ANY(%s) AND {} AND {}"
).format(_DECIDES, _IS_LABEL)
_DECIDING = _SELECT + SQL("originator_id = ANY(%s) AND {} ORDER BY originator_id, originator_version").format(_DECIDES)
_NUMBERED = _SELECT + SQL("(originator_id, originator_version) IN (SELECT unnest(%s::uuid[]), unnest(%s::bigint[]))")


def deciding_events(recorder: LedgerRecorder, encounters: Collection[UUID]) -> dict[UUID, list[Event]]:
    """The events that label these encounters, and the corrections that may take them back.

    Encounters without labels are omitted, as are events that cannot be read: a list shows what it can.
    """
    labelled = [row[0] for row in recorder.select(_LABELLED, (list(encounters),))] if encounters else []
    if not labelled:
        return {}
    found = _events_by_encounter(recorder.select(_DECIDING, (labelled,)))
    # A correction may have replaced the declaration of a label, which only shows in the declaration itself.
    declared = [(encounter, event.declaration) for encounter, events in found.items() for event in events]
    numbered = [list(column) for column in zip(*declared, strict=True)] if declared else [[], []]
    for encounter, events in _events_by_encounter(recorder.select(_NUMBERED, numbered)).items():
        known = {event.seq for event in found[encounter]}
        found[encounter] += [event for event in events if event.seq not in known]
        found[encounter].sort(key=lambda event: event.seq)
    return found


def _events_by_encounter(rows: Collection[tuple[UUID, str, bytes]]) -> dict[UUID, list[Event]]:
    found: dict[UUID, list[Event]] = {}
    for encounter, name, state in rows:
        with suppress(Problem):
            found.setdefault(encounter, []).append(decode(name, bytes(state)))
    return found


class StateSnapshot(NamedTuple):
    seq: int
    hash: bytes
    state: bytes


def load_snapshot(recorder: LedgerRecorder, encounter: UUID, fold: str, *, older: int = 0) -> StateSnapshot | None:
    """The newest snapshot whose event is unchanged or, with `older`, an earlier one."""
    with recorder.hold() as conn, conn.cursor(binary=True, row_factory=tuple_row) as cursor:
        cursor.execute(
            "SELECT s.seq, s.hash, s.state FROM combatlog.snapshots s JOIN combatlog.ledger_events e"
            " ON e.originator_id = s.encounter AND e.originator_version = s.seq AND e.hash = s.hash"
            " WHERE s.encounter = %s AND s.fold = %s ORDER BY s.seq DESC LIMIT 1 OFFSET %s",
            (encounter, fold, older),
        )
        found = cursor.fetchone()
    return StateSnapshot._make(found) if found is not None else None


def snapshot_has_command(recorder: LedgerRecorder, encounter: UUID, id: bytes) -> bool:
    """Whether a command whose id begins with these bytes was carried out before a snapshot was made."""
    with recorder.hold() as conn:
        query = "SELECT FROM combatlog.snapshots WHERE encounter = %s AND position(%s IN commands) > 0 LIMIT 1"
        return conn.execute(query, (encounter, id)).fetchone() is not None


def save_snapshot(
    recorder: LedgerRecorder,
    encounter: UUID,
    fold: str,
    snapshot: StateSnapshot,
    commands: Iterable[UUID],
    *,
    since: StateSnapshot | None,
) -> None:
    """Store a snapshot and delete all others except the previous one.

    `commands` are those since the snapshot `since`, or all commands if that is None. If `since` no longer exists,
    nothing is stored: snapshots are only a cache.
    """
    known = b"".join(command.bytes for command in commands)
    values = (encounter, snapshot.seq, snapshot.hash, fold, snapshot.state)
    with recorder.hold() as conn, conn.transaction():
        if since is None:
            conn.execute(_SAVE, (*values, known))
        else:
            conn.execute(_SAVE_AFTER, (*values, known, encounter, since.seq, since.hash))
        conn.execute(_KEEP_TWO, {"encounter": encounter, "fold": fold, "seq": snapshot.seq})


_SAVE = (
    "INSERT INTO combatlog.snapshots (encounter, seq, hash, fold, state, commands)"
    " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (encounter, seq) DO NOTHING"
)
_SAVE_AFTER = (
    "INSERT INTO combatlog.snapshots (encounter, seq, hash, fold, state, commands)"
    " SELECT %s, %s, %s, %s, %s, commands || %s FROM combatlog.snapshots"
    " WHERE encounter = %s AND seq = %s AND hash = %s ON CONFLICT (encounter, seq) DO NOTHING"
)
_KEEP_TWO = (
    "DELETE FROM combatlog.snapshots WHERE encounter = %(encounter)s AND (fold <> %(fold)s OR seq < "
    "(SELECT max(seq) FROM combatlog.snapshots WHERE encounter = %(encounter)s AND seq < %(seq)s))"
)
