"""Logs: a line of JSON for each request, with an id that the answer has as well. Queries and tokens are not in it."""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime
from os import getpid
from time import perf_counter
from uuid import uuid4

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from combatlog.contract import HEADER, OURS
from combatlog.service.metrics import REQUESTS, SECONDS
from combatlog.service.streams import UNWRAPPED

REQUEST_ID = "X-Request-ID"
_A_REQUEST_ID = re.compile(r"[\w.-]{1,64}")
_OF_EVERY_RECORD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}
_ID_HEADER, _CONTRACT_HEADER = REQUEST_ID.lower().encode(), HEADER.lower().encode()
WITH_ADDRESSES = "uvicorn.access"
"""Its lines have whole addresses, and an invitation's has a token."""
_LONGEST_ERROR = 20_000
"""Characters of an error and where it was raised: some errors repeat all that was sent."""
_log = logging.getLogger("combatlog.service")


class AsJson(logging.Formatter):
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
    logging._srcfile = None  # as the documentation advises where no line tells the place
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(AsJson())
    for name in ("combatlog.service", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(logging.INFO)
    logging.getLogger(WITH_ADDRESSES).disabled = True  # whoever else adds a handler to it


class Requests:
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
