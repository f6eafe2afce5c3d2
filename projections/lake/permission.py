"""Which queries a person may ask of a lake.

DuckDB keeps a query away from other files, but not from writing to those it may read: a COPY can be part of a SELECT,
and some functions run SQL that is given to them as data. So the query is looked at before it is run. It has to be one
SELECT, and functions that return tables have to be on a list. `query` then refuses whatever changes something.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from ledger.errors import Problem
from projections.parquet import said

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TABLE_FUNCTIONS = {"generate_series", "json_each", "json_tree", "range", "unnest"}
"""They compute, and read and write nothing."""


def require_harmless(conn: DuckDBPyConnection, query: str) -> None:
    row = conn.execute("SELECT json_serialize_sql($1)", [query]).fetchone()
    parsed = from_json(row[0]) if row is not None else {}
    if parsed.get("error", True):
        reason = said(parsed.get("error_message", "it cannot be read"))
        is_sql = parsed.get("error_type") != "parser"
        sentence = "Only a SELECT can be asked of a lake." if is_sql else f"This is not valid SQL: {reason}."
        raise Problem("sql/refused", sentence, reason=reason)
    if len(parsed["statements"]) != 1:
        reason = "there is more than one statement" if parsed["statements"] else "there is none"
        raise Problem("sql/refused", f"A lake answers one SELECT, and {reason}.", reason=reason)
    for name in _table_functions(parsed):
        if name not in TABLE_FUNCTIONS:
            raise Problem(
                "sql/read-only",
                f"Only the tables of the lake can be queried, and nothing can be changed: {name} is not allowed.",
                name=name,
                available=sorted(TABLE_FUNCTIONS),
            )


def _table_functions(parsed: Any) -> Iterator[str]:
    waiting = [parsed]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if node.get("type") == "TABLE_FUNCTION":
                yield str(node["function"].get("function_name", "a function")).lower()
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
