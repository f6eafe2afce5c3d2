"""A ledger on a Citus cluster: all rows of an encounter are in one shard on one node.

A rebuild of the read models connects to the node of each shard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Annotated, Any, NamedTuple

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL
from pydantic import Field
from typing_extensions import TypedDict

from ledger.errors import DatabaseProblem
from ledger.store.connections import connect
from ledger.store.schema import INSTALL_LOCK, ensure_schema, is_distributed, let_roles_in, renew_roles, statements

SHARDS = 32
"""Citus moves whole shards, so this is also the maximum number of nodes for the ledger."""


class ClusterNode(TypedDict):
    node: Annotated[int, Field(description="its number; 0 is the coordinator")]
    host: str
    port: int
    shards: Annotated[int, Field(description="how many of the events' shards it has")]


class ClusterData(TypedDict):
    citus: Annotated[str, Field(description="the version of Citus")]
    distributed: Annotated[bool, Field(description="whether the ledger is distributed")]
    shards: Annotated[int, Field(description="how many shards there are or, before distribution, would be")]
    nodes: list[ClusterNode]


class CitusNode(NamedTuple):
    number: int
    host: str
    port: int
    shards: int
    """How many of the events' shards it has."""


class Cluster(NamedTuple):
    citus: str | None
    """The version of the extension; None if the database does not have it."""
    is_coordinator: bool
    is_distributed: bool
    nodes: list[CitusNode]

    def to_json(self, shards: int) -> ClusterData:
        """`shards` is the number of shards that there are or would be."""
        return {
            "citus": self.citus or "",
            "distributed": self.is_distributed,
            "shards": shards,
            "nodes": [
                {"node": one.number, "host": one.host, "port": one.port, "shards": one.shards} for one in self.nodes
            ],
        }


def cluster_of(conn: psycopg.Connection[Any]) -> Cluster:
    row = conn.execute("SELECT extversion FROM pg_extension WHERE extname = 'citus'").fetchone()
    if row is None:
        return Cluster(None, False, False, [])
    group = conn.execute("SELECT groupid FROM pg_dist_local_group").fetchone()
    distributed = is_distributed(conn)
    return Cluster(row[0], group == (0,), distributed, _nodes(conn))


def _nodes(conn: psycopg.Connection[Any]) -> list[CitusNode]:
    rows = conn.execute(
        "SELECT n.groupid, n.nodename, n.nodeport, count(s.shardid) FROM pg_dist_node n"
        " LEFT JOIN pg_dist_placement p USING (groupid) LEFT JOIN pg_dist_shard s"
        " ON s.shardid = p.shardid AND s.logicalrelid = to_regclass('combatlog.ledger_events')"
        " WHERE n.isactive AND n.noderole = 'primary' GROUP BY n.groupid, n.nodename, n.nodeport ORDER BY n.groupid"
    ).fetchall()
    return [CitusNode(*row) for row in rows]


def require_cluster(cluster: Cluster) -> None:
    """Refuse any server but the coordinator of a cluster with workers whose ledger is not distributed yet."""
    if cluster.citus is None:
        raise DatabaseProblem(
            "citus/missing", "This database does not have the Citus extension, so its ledger cannot be distributed."
        )
    if not cluster.is_coordinator:
        raise DatabaseProblem(
            "citus/not-coordinator",
            "This is a worker of a Citus cluster; distribute the ledger on the coordinator.",
        )
    if cluster.is_distributed:
        raise DatabaseProblem("citus/distributed", "This ledger is already distributed.")
    if not any(node.number for node in cluster.nodes):
        raise DatabaseProblem(
            "citus/no-workers", "This coordinator has no workers yet; add them with citus_add_node, then try again."
        )


def distribute(conn: psycopg.Connection[Any], *, shards: int = SHARDS, schemas: Sequence[str] = ()) -> Cluster:
    """Distribute a new or existing ledger and schemas of read models, all or nothing. Writers wait meanwhile."""
    ensure_schema(conn)
    require_cluster(cluster_of(conn))
    with conn.transaction():
        conn.execute("SELECT pg_advisory_xact_lock(%s)", (INSTALL_LOCK,))
        conn.execute(SQL("SET LOCAL citus.shard_count TO {}").format(shards))
        conn.execute("SET LOCAL client_min_messages TO warning")
        for statement in statements(files("ledger.store").joinpath("sql", "citus.sql").read_text("utf-8")):
            conn.execute(statement.encode(), prepare=False)
        for schema in schemas:
            conn.execute("SELECT combatlog.distribute_read_models(%s)", (schema,))
        renew_roles(conn)
        let_roles_in(conn)
    return cluster_of(conn)


SHARD_TRIGGERS = "announced A, append_only A, drawn O"
"""The triggers of a shard of the events, and when they fire (A: always, O: on origin and local)."""
_TRIGGERS_OF_SHARD = (
    "SELECT string_agg(regexp_replace(tgname, '_[0-9]+$', '') || ' ' || tgenabled::text, ', ' ORDER BY tgname)"
    " FROM pg_trigger WHERE tgrelid = '%s'::regclass AND NOT tgisinternal"
)


def is_worker(conn: psycopg.Connection[Any]) -> bool:
    return conn.execute("SELECT groupid FROM pg_dist_local_group").fetchone() != (0,)


def unguarded_shards(conn: psycopg.Connection[Any]) -> list[tuple[int, str]]:
    """The shards of the events whose triggers are wrong, with the triggers found."""
    query = "SELECT shardid, result FROM run_command_on_shards('combatlog.ledger_events', %s)"
    rows = conn.execute(query, (_TRIGGERS_OF_SHARD,)).fetchall()
    return [(shard, answer) for shard, answer in rows if answer != SHARD_TRIGGERS]


_PLACEMENTS = (
    "SELECT shardid, nodename, nodeport FROM pg_dist_shard JOIN pg_dist_placement USING (shardid)"
    " JOIN pg_dist_node USING (groupid) WHERE logicalrelid = 'combatlog.ledger_events'::regclass"
    " AND noderole = 'primary' AND isactive"
    " ORDER BY row_number() OVER (PARTITION BY groupid ORDER BY shardid), groupid"
)
"""The first shard of each node, then the second of each node, so that parallel workers use different nodes."""


class Shard(NamedTuple):
    """A part of the events, by encounter."""

    number: int
    url: str
    """The URL of the ledger on the shard's node."""


def shards_of(url: str) -> list[Shard]:
    """The shards of the events; empty if the ledger is on one server, or if a node cannot be reached from here.

    The nodes are known by the addresses that they use among themselves, which may not work elsewhere.
    """
    with connect(url) as conn:
        rows = conn.execute(_PLACEMENTS).fetchall() if is_distributed(conn) else []
    found = [Shard(number, _on_node(url, host, port)) for number, host, port in rows]
    return found if _are_reachable({shard.url for shard in found}) else []


def _on_node(url: str, host: str, port: int) -> str:
    known = {name: value for name, value in conninfo_to_dict(url).items() if name != "hostaddr"}
    return make_conninfo("", **{**known, "host": host, "port": port})


def _are_reachable(urls: Iterable[str]) -> bool:
    try:
        for url in urls:
            connect(url).close()
    except psycopg.OperationalError:
        return False
    return True
