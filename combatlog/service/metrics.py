"""What the service counts, with prometheus-client. Nothing here tells fights, names or tokens."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

if TYPE_CHECKING:
    from combatlog.service.hall import Hall

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""Where workers count together, so that each of them can tell what all of them did; prometheus-client's own name."""
REGISTRY = CollectorRegistry()
REQUESTS = Counter(
    "combatlog_requests_total",
    "Requests by route, method and status.",
    ["route", "method", "status"],
    registry=REGISTRY,
)
SECONDS = Histogram("combatlog_request_seconds", "How long requests took, streams aside.", ["route"], registry=REGISTRY)
STREAMS = Gauge("combatlog_streams", "Streams that are open.", registry=REGISTRY, multiprocess_mode="livesum")
LAG = Gauge(
    "combatlog_follower_lag_seconds",
    "Since the follower last heard from the ledger.",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
REFUSED = Counter("combatlog_limited_total", "Requests beyond a limit.", ["limit"], registry=REGISTRY)


@contextmanager
def counted_together(workers: int) -> Iterator[None]:
    """For as long as the block lasts, workers that are started count in one place."""
    if workers == 1:
        yield
        return
    with TemporaryDirectory(prefix="combatlog-metrics-", ignore_cleanup_errors=True) as folder:
        os.environ[SHARED] = folder
        yield


def measure(hall: Hall) -> None:
    """What is so now, as far as this process knows."""
    STREAMS.set(len(hall.streams))
    LAG.set(round(hall.lag, 3))


def exposition(hall: Hall) -> tuple[bytes, str]:
    measure(hall)
    return generate_latest(_registry()), CONTENT_TYPE_LATEST


def _registry() -> CollectorRegistry:
    folder = os.environ.get(SHARED)
    if folder is None:
        return REGISTRY
    _forget_the_dead(Path(folder))
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return together


def _forget_the_dead(folder: Path) -> None:
    """A worker that was killed holds no streams."""
    for pid in {int(file.stem.rpartition("_")[2]) for file in folder.glob("gauge_live*.db")}:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            mark_process_dead(pid)  # type: ignore[no-untyped-call]
