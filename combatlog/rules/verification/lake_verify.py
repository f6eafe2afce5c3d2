"""Verify a lake in several processes or on a Spark cluster: the same checks as for a ledger, one encounter at a time.

The facts also have to match the events. On Spark, a fork is checked together with its ancestors, so each family of
forks is one group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from combatlog.rules.verification.verify import VerificationFinding, VerificationReport, verify, verify_shares
from ledger.errors import Problem, unknown_encounter
from ledger.events import Forked
from ledger.exchange.seal import Seal
from ledger.registry import decode
from ledger.store.ledger import Stored, with_shared_past
from ledger.store.recorder import StoredRow
from projections.lake.folding import facts_and_state
from projections.lake.location import LakeLocation
from projections.lake.manifest import EVENTS, FIGHTS
from projections.lake.reading import LakeReader
from projections.lake.spark import SparkLake, SparkTables
from projections.lake.spark_session import watched
from projections.readmodels.catalogue import TABLES
from projections.readmodels.tables import Column, TableSchema


def verify_lake(place: LakeLocation, seals: Sequence[Seal] = (), jobs: int = 1) -> Iterator[VerificationReport]:
    """Check every encounter of a lake, and sealed ones even if none of their events is left."""
    with LakeReader.open(place) as lake:
        chosen = list(dict.fromkeys((*lake.ids(), *lake.listed(), *(seal.encounter for seal in seals))))
    yield from verify_shares(partial(verify_group, place, seals), chosen, jobs)


def verify_group(place: LakeLocation, seals: Sequence[Seal], encounters: Sequence[UUID]) -> list[VerificationReport]:
    with LakeReader.open(place) as lake:
        group = Group(lake.rows_of(encounters), lake.heads(encounters), lake.facts_of(encounters), lake.own_rows)
        return [group.verify(encounter, seals) for encounter in encounters]


@dataclass(frozen=True, slots=True)
class Group:
    """Some encounters of a lake, read together; ancestors of forks are read when they are needed."""

    rows: dict[UUID, list[Stored]]
    heads: dict[UUID, tuple[int, bytes]]
    facts: dict[str, dict[str, list[tuple[Any, ...]]]]
    """By table and encounter."""
    others: Callable[[UUID], list[Stored]]
    """Reads the rows of an encounter outside the group."""

    def history(self, encounter: UUID) -> list[Stored]:
        return with_shared_past(encounter, self.own_rows)

    def own_rows(self, encounter: UUID) -> list[Stored]:
        if encounter not in self.rows:
            self.rows[encounter] = self.others(encounter)
        return self.rows[encounter]

    def unknown(self, reference: str) -> Problem:
        return unknown_encounter(reference)

    def verify(self, encounter: UUID, seals: Sequence[Seal]) -> VerificationReport:
        own = [seal for seal in seals if seal.encounter == encounter]
        if not self.own_rows(encounter) and not own:
            gone = VerificationFinding(
                seq=1, problem="it and all later events are missing, but the lake lists this fight"
            )
            return VerificationReport(name=str(encounter), events=0, declarations=0, findings=[gone])
        report = verify(self, str(encounter), own)
        findings = [*self._cut_off(encounter), *report.findings]
        return report.model_copy(update={"findings": findings or list(self._edited(encounter))})

    def _cut_off(self, encounter: UUID) -> Iterator[VerificationFinding]:
        """Whether the chain ends too early, which no hash can show."""
        rows = self.own_rows(encounter)
        if not rows:
            return
        last = rows[-1][1]
        if self.heads.get(encounter) != (last.seq, last.hash):
            yield VerificationFinding(
                seq=last.seq, problem="it is not the last event of this fight according to the lake"
            )

    def _edited(self, encounter: UUID) -> Iterator[VerificationFinding]:
        own = self.own_rows(encounter)
        past = [stored for stored in self.history(encounter) if stored[1].seq < own[0][1].seq]
        made: dict[str, Counter[Any]] = {name: Counter() for name in TABLES}
        for table, values in facts_and_state(encounter, past, [row for _, row in own]):
            made[table][comparable(values)] += 1
        for name in TABLES:
            stored = Counter(map(comparable, self.facts[name].get(str(encounter), ())))
            if stored != made[name]:
                yield VerificationFinding(
                    seq=own[-1][1].seq, problem=f"the table {name} does not match the events up to it"
                )


def comparable(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(
        str(value) if isinstance(value, UUID) else tuple(value) if isinstance(value, list | tuple) else value
        for value in values
    )


_SEALED = "sealed"
"""In place of a table's name: an encounter that has to exist because there is a seal for it."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CHECKED = (EVENTS, FIGHTS, *TABLES.values())

Filed = tuple[str, tuple[str, tuple[Any, ...]]]
"""The key of a family, a table, and one of its rows."""
RowPlace = tuple[int, int, str]
"""The position of a report: the same as on a single machine."""


def verify_on_spark(lake: SparkLake, seals: Sequence[Seal] = ()) -> Iterator[VerificationReport]:
    """Check every encounter of a lake, and sealed ones even if none of their events is left."""
    from pyspark import StorageLevel

    session, parts = lake.spark.session, lake.spark.parts
    context = session.sparkContext
    families = context.broadcast(families_of(_forks(lake)))
    tables = [_filed(lake.spark, table, families) for table in _CHECKED]
    sealed = [str(seal.encounter) for seal in seals]
    placed = ((families.value.get(one, one), (_SEALED, (one, place))) for place, one in enumerate(sealed))
    rows = context.union([*tables, context.parallelize(list(placed), 1)]).coalesce(parts)
    found = rows.groupByKey(parts).values().flatMap(partial(verify_family, seals=list(seals)))
    reports = found.persist(StorageLevel.DISK_ONLY)
    with watched(session, lake.progress):
        reports.count()  # all parts at once; the loop below takes them one by one
        for _, report in reports.sortBy(_place, numPartitions=parts).toLocalIterator():
            yield report


def _place(reported: tuple[RowPlace, VerificationReport]) -> RowPlace:
    return reported[0]


def _forks(lake: SparkLake) -> Iterator[tuple[str, str]]:
    """Forks with their parents. Unreadable events are found when their encounter is checked."""
    query = "SELECT encounter, name, state FROM events WHERE seq > 1 AND split_part(name, '.', 1) = 'forked'"
    for encounter, name, state in lake.cursor().execute(query).fetchall():
        try:
            event = decode(name, bytes(state))
        except Problem:
            continue
        if isinstance(event, Forked):
            yield encounter, str(event.parent)


def families_of(forks: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The family of each fork and each encounter with forks: the id of one member, the same for all."""
    parents: dict[str, str] = {}

    def head(one: str) -> str:
        while parents.setdefault(one, one) != one:
            parents[one] = one = parents[parents[one]]
        return one

    for fork, parent in forks:
        parents[head(fork)] = head(parent)
    return {one: head(one) for one in list(parents)}


def _filed(tables: SparkTables, table: TableSchema, families: Any) -> Any:
    """The rows of a table, each with its family."""
    columns = ", ".join(map(_selected, table.columns))
    rows = tables.ask(f"SELECT {columns} FROM `{table.name}`").rdd  # noqa: S608
    return rows.map(partial(_with_family, table.name, families))


def _selected(column: Column) -> str:
    """The column in a query. Times are numbers, because Spark would return them without a time zone."""
    return f"unix_micros(`{column.name}`)" if column.sql_type == "timestamptz" else f"`{column.name}`"


def _with_family(table: str, families: Any, row: Iterable[Any]) -> Filed:
    values = tuple(bytes(value) if isinstance(value, bytearray) else value for value in row)
    encounter = values[_ENCOUNTER[table]]
    return families.value.get(encounter, encounter), (table, values)


_ENCOUNTER = {table.name: table.column_names.index("encounter") for table in _CHECKED}
_TIMES = {
    table.name: [place for place, column in enumerate(table.columns) if column.sql_type == "timestamptz"]
    for table in _CHECKED
}


def verify_family(
    rows: Iterable[tuple[str, tuple[Any, ...]]], seals: Sequence[Seal]
) -> Iterator[tuple[RowPlace, VerificationReport]]:
    """The work of one process: verify encounters that share nothing with any other."""
    group, places = gathered(rows)
    for encounter, place in places.items():
        yield place, group.verify(encounter, seals)


def gathered(rows: Iterable[tuple[str, tuple[Any, ...]]]) -> tuple[Group, dict[UUID, RowPlace]]:
    group = Group({}, {}, {name: {} for name in TABLES}, lambda encounter: [])
    places: dict[UUID, RowPlace] = {}
    for table, values in rows:
        if table in TABLES:
            group.facts[table].setdefault(values[0], []).append(_with_times(table, values))
            continue
        encounter, place = _read(group, table, values)
        places[encounter] = min(place, places.get(encounter, place))
    for own in group.rows.values():
        own.sort(key=lambda stored: stored[1].seq)
    return group, places


def _read(group: Group, table: str, values: tuple[Any, ...]) -> tuple[UUID, RowPlace]:
    """Store a row in the group. Returns its encounter and the position of the report that follows from the row."""
    if table == EVENTS.name:
        notification, encounter, *row = values
        group.rows.setdefault(UUID(encounter), []).append((UUID(encounter), StoredRow._make(row)))
        return UUID(encounter), (0, notification, "")
    if table == FIGHTS.name:
        fight = dict(zip(FIGHTS.column_names, values, strict=True))
        group.heads[UUID(fight["encounter"])] = fight["seq"], fight["head"]
        return UUID(fight["encounter"]), (1, 0, fight["encounter"])
    return UUID(values[0]), (2, values[1], "")


def _with_times(table: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    if not (times := _TIMES[table]):
        return values
    given = list(values)
    for place in times:
        given[place] = None if given[place] is None else _EPOCH + timedelta(microseconds=given[place])
    return tuple(given)
