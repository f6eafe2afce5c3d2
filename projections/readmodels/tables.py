"""The schema of a read model table: its columns with types and meanings, and its key."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: str
    meaning: str

    @property
    def is_optional(self) -> bool:
        return self.type.endswith("?")

    @property
    def sql_type(self) -> str:
        return self.type.removesuffix("?")

    @property
    def definition(self) -> str:
        return f"{self.name} {self.sql_type}{'' if self.is_optional else ' NOT NULL'}"


@dataclass(frozen=True, slots=True)
class TableSchema:
    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


Columns = dict[str, tuple[str, str]]
"""Type and meaning by name. A type with a question mark may be NULL."""

ENVELOPE: Columns = {
    "encounter": ("uuid", "the encounter; with seq, the event in combatlog.ledger_events"),
    "seq": ("bigint", "the number of the event in its encounter"),
    "declaration": ("bigint", "seq of the declaration that the event belongs to"),
    "round": ("bigint", "the round it happened in; 0 before the first"),
    "turn": ("text?", "whose turn it was"),
    "undone": ("boolean", "a correction took it back: it is kept, but does not count"),
    "action": ("text?", "the action or reaction that it is part of, as ruleset:type:name; NULL for corrections"),
}

_OWN: Columns = {"encounter": ("uuid", "the encounter")}


def fact(name: str, meaning: str, columns: Columns, *, several: str | None = None) -> TableSchema:
    """A table with a row for each event of a kind; `several` names the column that numbers an event's rows."""
    more: Columns = {several: ("bigint", "the place of this row among those of its event, from 1")} if several else {}
    key = ("encounter", "seq", several) if several else ("encounter", "seq")
    return TableSchema(name, meaning, key, _columns({**ENVELOPE, **more, **columns}))


def state(name: str, meaning: str, key: tuple[str, ...], columns: Columns) -> TableSchema:
    """A table with the state of every encounter after its last event."""
    return TableSchema(name, meaning, ("encounter", *key), _columns({**_OWN, **columns}))


def _columns(columns: Columns) -> tuple[Column, ...]:
    return tuple(Column(name, kind, meaning) for name, (kind, meaning) in columns.items())
