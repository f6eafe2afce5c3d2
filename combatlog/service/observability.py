"""Logs, metrics and traces of the service.

Every request gets an id and a line of JSON in the log. Prometheus reads the metrics; OpenTelemetry gets traces if
its environment variables ask for them. Fights, names, queries and tokens are not in any of them.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.util import find_spec
from os import getpid
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from combatlog.remote.protocol import HEADER, OURS
from combatlog.service.event_streams import UNWRAPPED
from ledger.errors import Problem

if TYPE_CHECKING:
    from combatlog.service.runtime import Runtime


REQUEST_ID = "X-Request-ID"
_A_REQUEST_ID = re.compile(r"[\w.-]{1,64}")
_OF_EVERY_RECORD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}
_ID_HEADER, _CONTRACT_HEADER = REQUEST_ID.lower().encode(), HEADER.lower().encode()
WITH_ADDRESSES = "uvicorn.access"
"""Its lines contain whole addresses, and an invitation's address contains a token."""
_LONGEST_ERROR = 20_000
"""Characters of an error with its traceback: some errors repeat the whole request."""
_log = logging.getLogger("combatlog.service")


class JsonLogFormatter(logging.Formatter):
    def __init__(self) -> None:
        super().__init__()
        self._pid = getpid()

    def format(self, record: logging.LogRecord) -> str:
        told = {name: value for name, value in vars(record).items() if name not in _OF_EVERY_RECORD}
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": record.levelname.lower(), "message": record.getMessage(), "pid": self._pid, **told}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)[:_LONGEST_ERROR]
        return json.dumps(line, default=str)


def log_as_json() -> None:
    """On standard error, in place of uvicorn's own lines: those would have whole addresses, and tokens in them."""
    logging._srcfile = None  # as the documentation of logging advises
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLogFormatter())
    for name in ("combatlog.service", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(logging.INFO)
    logging.getLogger(WITH_ADDRESSES).disabled = True  # in case another library adds a handler


class RequestLog:
    """Gives every request an id, and tells the log and the metrics about it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        said = Headers(scope=scope).get(REQUEST_ID, "")
        request_id = said if _A_REQUEST_ID.fullmatch(said) else uuid4().hex
        ours = [(_ID_HEADER, request_id.encode("latin-1")), (_CONTRACT_HEADER, str(OURS).encode())]
        scope.setdefault("state", {}).update({"request_id": request_id, UNWRAPPED: send})
        begun, status = perf_counter(), 0

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *ours]
                self._tell(scope, status, perf_counter() - begun)
            await send(message)

        await self._app(scope, receive, noting)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "other")
        seat = scope["state"].get("seat")
        REQUESTS.labels(route, scope["method"], status).inc()
        SECONDS.labels(route).observe(seconds)
        _log.info(
            "request",
            extra={
                "request_id": scope["state"]["request_id"],
                "method": scope["method"],
                "route": route,
                "status": status,
                "ms": round(seconds * 1000, 1),
                "seat": str(seat.id)[:8] if seat is not None else None,
            },
        )


SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The folder in which workers count together, so that each can report the sum; prometheus-client's own name."""
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
    """Workers that are started in the block count in one place."""
    if workers == 1:
        yield
        return
    with TemporaryDirectory(prefix="combatlog-metrics-", ignore_cleanup_errors=True) as folder:
        os.environ[SHARED] = folder
        yield


def measure(hall: Runtime) -> None:
    """Set the gauges, as far as this process knows."""
    STREAMS.set(len(hall.streams))
    LAG.set(round(hall.lag, 3))


def exposition(hall: Runtime) -> tuple[bytes, str]:
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


JOIN = "/join"
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_PACKAGES = ("opentelemetry.sdk", "opentelemetry.exporter.otlp", "opentelemetry.instrumentation.psycopg")


def is_wanted() -> bool:
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or os.environ.get("OTEL_TRACES_EXPORTER") == "none":
        return False
    return any(map(os.environ.get, _ENDPOINTS))


def has_token_in_address(scope: MutableMapping[str, Any]) -> bool:
    """Such a request is not traced: spans contain the whole query, and so the token."""
    return b"token" in scope.get("query_string", b"") or scope["path"] == JOIN


def trace() -> Callable[[], None]:
    """Send traces of this process where the environment says. Returns what sends the last ones and ends it."""
    from opentelemetry import trace as telemetry
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    os.environ.setdefault("OTEL_SERVICE_NAME", "combatlog")
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    telemetry.set_tracer_provider(provider)
    PsycopgInstrumentor().instrument(tracer_provider=provider)
    return provider.shutdown


def require_packages() -> None:
    """Refuse to start if the environment asks for traces that cannot be made."""
    if missing := [name for name in _PACKAGES if not _is_installed(name)]:
        raise Problem(
            "serve/no-telemetry",
            "The environment asks for traces, but OpenTelemetry is not installed with this combatlog.",
            needed=missing,
        )


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # not even the package that it is part of
        return False
