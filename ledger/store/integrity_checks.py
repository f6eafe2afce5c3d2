"""Check what protects the ledger: its tables, triggers, functions, owners, rights, names and dice seeds."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Any
from uuid import UUID

import psycopg
from pydantic import BaseModel

from ledger.errors import Problem
from ledger.events import EncounterOpened, Forked
from ledger.exchange.backup import connected
from ledger.registry import decode
from ledger.store import encounters as beginnings
from ledger.store.citus import SHARD_TRIGGERS, is_worker, unguarded_shards
from ledger.store.connections import is_read_only
from ledger.store.ledger import LedgerStore, encounter_id
from ledger.store.schema import SCHEMA_VERSION, is_distributed

INSTALLED = files("ledger.store").joinpath("sql", "installed.json")
"""The objects of a new ledger and their forms. `python -m tests.ledger.installed` regenerates it."""
INSTALLED_ON_CITUS = files("ledger.store").joinpath("sql", "installed_on_citus.json")
"""The differences on the nodes of a cluster."""
_HARMLESS = ("index ",)
"""Objects that users may add for their own purposes."""
_OPTIONAL = ("right of combatlog_",)
"""Objects that may be missing, because not every owner can create roles."""


_FIRST_OF_A_NODE = re.compile(r"(?<=from )[0-9]{15,}(?=,)")
_COUNT = 2**48 - 1


class GuardFinding(BaseModel):
    """Something that is wrong with the ledger as a whole."""

    problem: str
    expected: str | None = None
    found: str | None = None


def check_guards(ledger: LedgerStore) -> Iterator[GuardFinding]:
    """Check everything except the events of single encounters."""
    with connected(ledger.url) as conn:
        yield from _compared(describe(conn), _expected(conn))
        yield from _check_owners(conn)
        yield from _check_shards(conn) if is_distributed(conn) else ()
        yield from _if_possible(_check_versions, conn)
        yield from _if_possible(_check_sequence, conn)
        begun = dict(_beginnings(ledger))
        yield from _check_names(begun)
        yield from _if_possible(lambda own: _check_seeds(own, begun), conn)


def _expected(conn: psycopg.Connection[Any]) -> dict[str, str]:
    """The objects of a new ledger, on a single server or on this node of a cluster."""
    expected: dict[str, str] = json.loads(INSTALLED.read_text("utf-8"))
    if not is_distributed(conn):
        return expected
    for node, changed in json.loads(INSTALLED_ON_CITUS.read_text("utf-8")).items():
        if node == "every node" or is_worker(conn):
            expected = {name: form for name, form in (expected | changed).items() if form is not None}
    return expected


def describe(conn: psycopg.Connection[Any]) -> dict[str, str]:
    """Every object of the ledger's schema and its form."""
    with conn.transaction():
        conn.execute("SET LOCAL search_path TO pg_catalog")
        query = files("ledger.store").joinpath("sql", "describe.sql").read_bytes()
        return {row[0]: _on_any_node(row[1]) for row in conn.execute(query).fetchall()}


def _on_any_node(form: str) -> str:
    """The form without a node's own range of numbers, which differs on each node of a cluster."""
    return _FIRST_OF_A_NODE.sub(lambda found: str(int(found[0]) & _COUNT), form)


def _compared(found: Mapping[str, str], expected: Mapping[str, str]) -> Iterator[GuardFinding]:
    for name in sorted({*found, *expected}):
        if name not in found:
            if not name.startswith(_OPTIONAL):
                yield GuardFinding(problem=f"The {name} is missing.", expected=expected[name])
        elif name not in expected:
            if not name.startswith(_HARMLESS):
                yield GuardFinding(problem=f"The {name} is not part of the ledger.", found=found[name])
        elif found[name] != expected[name]:
            yield GuardFinding(problem=f"The {name} was changed.", expected=expected[name], found=found[name])


def _check_owners(conn: psycopg.Connection[Any]) -> Iterator[GuardFinding]:
    """Check that the schema's owner owns every object: an owner can change it."""
    rows = conn.execute(
        "SELECT object, owner::regrole::text, nspowner::regrole::text FROM pg_namespace JOIN ("
        " SELECT relnamespace AS schema, 'table ' || relname AS object, relowner AS owner FROM pg_class"
        " WHERE relkind NOT IN ('i', 'I', 'S', 'c')"
        " UNION ALL SELECT pronamespace, 'function ' || proname, proowner FROM pg_proc"
        ") AS owned ON schema = pg_namespace.oid WHERE nspname = 'combatlog' AND owner <> nspowner ORDER BY object"
    )
    for name, owner, rightful in rows.fetchall():
        yield GuardFinding(problem=f"The {name} belongs to another owner.", expected=rightful, found=owner)


def _check_shards(conn: psycopg.Connection[Any]) -> Iterator[GuardFinding]:
    """Check that every shard of the events, on any node, refuses changes and announces writers."""
    for shard, answer in unguarded_shards(conn):
        yield GuardFinding(
            problem=f"The shard {shard} of the events does not have the ledger's triggers.",
            expected=SHARD_TRIGGERS,
            found=answer,
        )


def _check_versions(conn: psycopg.Connection[Any]) -> Iterator[GuardFinding]:
    rows = conn.execute("SELECT version FROM combatlog.schema_version ORDER BY version").fetchall()
    expected = list(range(1, SCHEMA_VERSION + 1))
    if [row[0] for row in rows] != expected:
        yield GuardFinding(
            problem="The list of installed schema versions is wrong.",
            expected=", ".join(map(str, expected)),
            found=", ".join(str(row[0]) for row in rows),
        )


def _check_sequence(conn: psycopg.Connection[Any]) -> Iterator[GuardFinding]:
    if is_read_only(conn) or is_distributed(conn):
        return  # only the primary draws numbers, and on a cluster every node draws its own
    row = conn.execute(
        "SELECT max(notification_id), CASE WHEN has_sequence_privilege(%(name)s, 'SELECT')"
        " THEN coalesce(pg_sequence_last_value(%(name)s::regclass), 0) END FROM combatlog.ledger_events",
        {"name": "combatlog.ledger_events_notification_id_seq"},
    ).fetchone()
    if row is not None and None not in row and row[0] > row[1]:
        yield GuardFinding(
            problem="The sequence of event numbers is behind the events, so events after it are missing from "
            "statistics. The next command that records something corrects it.",
            expected=str(row[0]),
            found=str(row[1]),
        )


Beginnings = Mapping[UUID, EncounterOpened | Forked]


def _beginnings(ledger: LedgerStore) -> Iterator[tuple[UUID, EncounterOpened | Forked]]:
    """The first event of every encounter that can be read. Verifying an encounter reports why one cannot."""
    for begun in reversed(beginnings.newest_beginnings(ledger.recorder, None, None)):
        try:
            first = decode(begun.name, begun.state)
        except Problem:
            continue
        if isinstance(first, EncounterOpened | Forked):
            yield begun.encounter, first


def _check_names(begun: Beginnings) -> Iterator[GuardFinding]:
    """Check that each id is derived from the encounter's name, so that names are unique. The database does not."""
    named: dict[str, list[UUID]] = {}
    for encounter, first in begun.items():
        named.setdefault(first.name.strip(), []).append(encounter)
    for name, encounters in named.items():
        if len(encounters) > 1:
            found = ", ".join(map(str, encounters))
            yield GuardFinding(problem=f"{len(encounters)} encounters are named {name!r}.", found=found)
        elif encounter_id(name) != encounters[0]:
            yield GuardFinding(
                problem=f"The encounter named {name!r} has an id that does not follow from its name.",
                expected=str(encounter_id(name)),
                found=str(encounters[0]),
            )


def _check_seeds(conn: psycopg.Connection[Any], begun: Beginnings) -> Iterator[GuardFinding]:
    for encounter, seed in conn.execute("SELECT encounter, seed FROM combatlog.dice_seeds ORDER BY encounter"):
        first = begun.get(encounter)
        if not _commits_to(first, seed):
            about = f"named {first.name!r}" if first is not None else str(encounter)
            yield GuardFinding(problem=f"The seed of the encounter {about} is not the one that it committed to.")


def _if_possible(
    check: Callable[[psycopg.Connection[Any]], Iterable[GuardFinding]], conn: psycopg.Connection[Any]
) -> list[GuardFinding]:
    """The findings of a check; none if the user lacks rights, or if a missing object was already reported."""
    try:
        return list(check(conn))
    except (psycopg.errors.InsufficientPrivilege, psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn):
        return []


def _commits_to(first: EncounterOpened | Forked | None, seed: bytes) -> bool:
    """Whether an encounter with this first event committed to the seed."""
    return first is not None and first.commitment == sha256(seed).hexdigest()
