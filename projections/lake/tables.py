"""The tables of a lake: the events as they are stored, the fights that have them, and those of the read models."""

from __future__ import annotations

from projections.readmodels.catalogue import TABLES
from projections.readmodels.tables import Column, Table

BATCH = Column("batch", "bigint", "the position of the lake when the row was written")
"""What tells the rows of an encounter from those that an earlier run wrote about it."""

EVENTS = Table(
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
FIGHTS = Table(
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


def with_batch(table: Table) -> Table:
    return Table(table.name, table.meaning, table.key, (*table.columns, BATCH))


FACTS = {name: with_batch(table) for name, table in TABLES.items()}
"""The tables of the read models, as a lake holds them."""
LAKE_TABLES = {EVENTS.name: EVENTS, FIGHTS.name: FIGHTS, **FACTS}
