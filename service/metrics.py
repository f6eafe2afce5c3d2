"""What the service counts, with prometheus-client. Nothing here tells fights, names or tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from service.hall import Hall

REGISTRY = CollectorRegistry()
REQUESTS = Counter(
    "combatlog_requests_total",
    "Requests by route, method and status.",
    ["route", "method", "status"],
    registry=REGISTRY,
)
SECONDS = Histogram("combatlog_request_seconds", "How long requests took, streams aside.", ["route"], registry=REGISTRY)
STREAMS = Gauge("combatlog_streams", "Streams that are open.", registry=REGISTRY)
LAG = Gauge("combatlog_follower_lag_seconds", "Since the follower last heard from the ledger.", registry=REGISTRY)
REFUSED = Counter("combatlog_limited_total", "Requests beyond a limit.", ["limit"], registry=REGISTRY)


def exposition(hall: Hall) -> tuple[bytes, str]:
    STREAMS.set(len(hall.streams))
    LAG.set(round(hall.lag, 3))
    return generate_latest(REGISTRY), CONTENT_TYPE_LATEST
