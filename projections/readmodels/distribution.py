"""A ledger and its read models on the nodes of a Citus cluster."""

from __future__ import annotations

from ledger.distribution import SHARDS, Cluster, cluster_of, distribute, require_cluster
from ledger.store import Ledger
from ledger.upkeep import connected
from projections.readmodels.ddl import SCHEMA
from projections.readmodels.query_login import query_connection
from projections.readmodels.recorder import ReadModels


def examine_cluster(url: str) -> Cluster:
    """What a ledger would be distributed to; refused as distributing it would be."""
    Ledger.open(url).close()
    with connected(url) as conn:
        cluster = cluster_of(conn)
        require_cluster(cluster)
        return cluster


def distribute_ledger(url: str, *, shards: int = SHARDS) -> Cluster:
    """Distribute the events, and the tables of the read models to where their encounters are.

    The tables are made here if there are none, and so is the user for queries, because only the coordinator can.
    """
    examine_cluster(url)
    ReadModels.open(url).datastore.close()
    with connected(url) as conn:
        with query_connection(conn):
            """From now on, the user is there."""
        return distribute(conn, shards=shards, schemas=(SCHEMA,))
