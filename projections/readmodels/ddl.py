"""The SQL that creates the tables of the catalogue with their comments, and lets a role read them."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from psycopg.sql import SQL, Composable, Composed, Identifier, Literal

from ledger.dates import EARLIEST, LATEST
from projections.readmodels.catalogue import TABLES
from projections.readmodels.tables import Table

SCHEMA = "combatlog_read"
READER = "combatlog_reader"
FORM = "read_model_form"
"""A table with one row that says which form of the tables is installed."""


def create_tables(schema: str) -> Iterator[Composed]:
    yield SQL("CREATE TABLE {} (fingerprint text PRIMARY KEY)").format(Identifier(schema, FORM))
    comment = SQL("COMMENT ON TABLE {} IS 'Which form of the read models this is; for the program only.'")
    yield comment.format(Identifier(schema, FORM))
    yield SQL("INSERT INTO {} VALUES ({})").format(Identifier(schema, FORM), Literal(FINGERPRINT))
    for table in TABLES.values():
        yield _create(schema, table)
        yield from _comments(schema, table)


def add_keys(schema: str) -> Iterator[Composed]:
    """Separate from the tables, because it is faster to fill them first."""
    for table in TABLES.values():
        key = SQL(", ").join(map(Identifier, table.key))
        yield SQL("ALTER TABLE {} ADD PRIMARY KEY ({})").format(Identifier(schema, table.name), key)


def allow_reading(schema: str, role: str) -> Iterator[Composed]:
    yield SQL("GRANT USAGE ON SCHEMA {} TO {}").format(Identifier(schema), Identifier(role))
    yield SQL("GRANT SELECT ON ALL TABLES IN SCHEMA {} TO {}").format(Identifier(schema), Identifier(role))


def _create(schema: str, table: Table) -> Composed:
    # The definitions are constants of the catalogue, never input.
    columns: Composable = SQL(", ").join(SQL(column.definition) for column in table.columns)
    return SQL("CREATE TABLE {} ({})").format(Identifier(schema, table.name), columns)


def _comments(schema: str, table: Table) -> Iterator[Composed]:
    name = Identifier(schema, table.name)
    yield SQL("COMMENT ON TABLE {} IS {}").format(name, Literal(table.meaning))
    for column in table.columns:
        place = Identifier(schema, table.name, column.name)
        yield SQL("COMMENT ON COLUMN {} IS {}").format(place, Literal(column.meaning))


def _shape(table: Table) -> tuple[object, ...]:
    return table.name, table.key, tuple((column.name, column.type) for column in table.columns)


_DATES = (EARLIEST.isoformat(), LATEST.isoformat())
FINGERPRINT = sha256(repr((_DATES, [_shape(table) for table in TABLES.values()])).encode()).hexdigest()[:16]
"""Covers names, types and the range of dates, not meanings: better wording is no reason to rebuild the read models."""
