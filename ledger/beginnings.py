"""The beginnings of encounters: a page of them, those of some encounters, and names by how they begin.

Every query is answered from an index on beginnings, so that it costs as much as it shows, however large the ledger is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import NamedTuple
from uuid import UUID

from psycopg.sql import SQL
from pydantic_core import from_json

from ledger.recorder import LedgerRecorder

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


class Beginning(NamedTuple):
    encounter: UUID
    name: str
    """Of the first event, as it is stored."""
    state: bytes
    last: int
    """The seq of the encounter's last event."""


def newest(recorder: LedgerRecorder, limit: int | None, before: int | None = None) -> list[Beginning]:
    """The encounters that began last, the newest first; before a notification, if one is given."""
    return [Beginning._make(row) for row in recorder.select(_NEWEST, (_NO_END if before is None else before, limit))]


def of(recorder: LedgerRecorder, encounters: Collection[UUID]) -> list[Beginning]:
    return [Beginning._make(row) for row in recorder.select(_OF, (list(encounters),))]


def begun_at(recorder: LedgerRecorder, encounter: UUID) -> int | None:
    """The notification of an encounter's beginning."""
    return next((row[0] for row in recorder.select(_BEGUN_AT, (encounter,))), None)


def count(recorder: LedgerRecorder) -> int:
    return int(recorder.select(_COUNT)[0][0])


def ids(recorder: LedgerRecorder) -> list[UUID]:
    """Every encounter, in the order they began."""
    return [row[0] for row in recorder.select(_IDS)]


def mentioning(recorder: LedgerRecorder, word: str) -> dict[UUID, int]:
    """The encounters whose beginning has a word in it, such as an option, with their last seqs."""
    return {encounter: int(last) for encounter, last in recorder.select(_MENTIONING, (word,))}


def names(recorder: LedgerRecorder, begin: str, limit: int) -> Iterator[str]:
    """Names that begin like this, in upper or lower case; if anything will do, those of the newest encounters."""
    plain = begin.encode("utf-8", "replace").decode().replace("\0", "")
    query, bounds = (_NAMES_FROM_TO, (plain, plain + _LAST)) if plain else (_NAMES_OF_NEWEST, ())
    for (state,) in recorder.select(query, (*bounds, limit)):
        with suppress(ValueError, LookupError, TypeError):  # as far as they can be read: nothing is decoded
            yield str(from_json(state)["name"])
