"""The shards of a distributed ledger and where they are: whoever works on one can go to the node that has it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from ledger.connections import connect
from ledger.schema import is_distributed

_PLACEMENTS = (
    "SELECT shardid, nodename, nodeport FROM pg_dist_shard JOIN pg_dist_placement USING (shardid)"
    " JOIN pg_dist_node USING (groupid) WHERE logicalrelid = 'combatlog.ledger_events'::regclass"
    " AND noderole = 'primary' AND isactive"
    " ORDER BY row_number() OVER (PARTITION BY groupid ORDER BY shardid), groupid"
)
"""One of each node, then the next of each node, so that those who take them in turns work on different nodes."""


class Shard(NamedTuple):
    """A part of the events, by encounter."""

    number: int
    url: str
    """The ledger on the node that has it."""


def shards_of(url: str) -> list[Shard]:
    """None if one server has the ledger, or if a node cannot be reached from here.

    Nodes are known by the addresses that they have for each other, which need not be good anywhere else.
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
