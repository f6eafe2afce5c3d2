"""Documents about the database itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from combatlog.documents.shapes import ClusterData
    from ledger.distribution import Cluster


def cluster_data(found: Cluster, shards: int) -> ClusterData:
    return {
        "citus": found.citus or "",
        "distributed": found.is_distributed,
        "shards": shards,
        "nodes": [
            {"node": node.number, "host": node.host, "port": node.port, "shards": node.shards} for node in found.nodes
        ],
    }
