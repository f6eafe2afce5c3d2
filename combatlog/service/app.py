"""The application: routes, middleware, error handlers, and what is opened and closed with it."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from combatlog.service.authentication import Authentication
from combatlog.service.limits import RequestLimits
from combatlog.service.observability import RequestLog, has_token_in_address, is_wanted, log_as_json, trace
from combatlog.service.openapi import described
from combatlog.service.problems import Refused, answer, invalid
from combatlog.service.routes import (
    commands,
    encounters,
    health_and_pages,
    questions,
    seats_and_webhooks,
    state_and_events,
    verification,
)
from combatlog.service.runtime import Runtime
from combatlog.service.settings import Settings
from combatlog.service.state_fast_path import StateFastPath
from ledger.errors import Problem
from ledger.garbage_collection import collect_less_often
from ledger.store.connections import explain

_log = logging.getLogger("combatlog.service")
_CODES = {404: "request/not-found", 405: "request/method", 413: "request/too-large", 415: "request/media-type"}
_SENTENCES = {
    "request/not-found": "There is nothing at this address.",
    "request/method": "{method} is not possible at this address; the header Allow says what is.",
    "request/invalid": "The body is not JSON.",
}
"""Instead of the framework's sentences."""
_ABOUT = "Fights over HTTP, as each seat may see them. docs/http.md is the guide."


def create(settings: Settings | None = None) -> FastAPI:
    chosen = settings if settings is not None else Settings.published()
    app = FastAPI(
        title="Combat Ledger",
        version="1",
        description=_ABOUT,
        lifespan=_lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        generate_unique_id_function=lambda route: route.name,
        telemetry={"exclude": has_token_in_address},
    )
    app.state.settings = chosen
    app.state.release = version("combatlog")
    app.openapi = lambda: described(app)  # type: ignore[method-assign]
    # Routes are tried in order, so the most frequent ones come first.
    for router in (
        commands.router,
        state_and_events.router,
        questions.router,
        encounters.router,
        commands.correction_router,
        commands.consent_router,
        verification.router,
        encounters.import_router,
        encounters.content_router,
        seats_and_webhooks.router,
        seats_and_webhooks.webhook_router,
    ):
        app.include_router(router, prefix="/v1")
    app.include_router(seats_and_webhooks.join_router)
    app.include_router(health_and_pages.router)
    app.include_router(health_and_pages.page_router)
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _broken)
    app.add_middleware(StateFastPath)
    app.add_middleware(Authentication)
    app.add_middleware(RequestLimits, settings=chosen)
    app.add_middleware(RequestLog)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    hall = await asyncio.to_thread(Runtime, app.state.settings)
    app.state.hall = hall
    hall.open(asyncio.get_running_loop())
    restore = _end_streams_on_signals(hall, asyncio.get_running_loop())
    try:
        yield
    finally:
        restore()
        await asyncio.to_thread(hall.close)
        if end_tracing := getattr(app.state, "end_tracing", None):
            await asyncio.to_thread(end_tracing)


def _end_streams_on_signals(hall: Runtime, loop: asyncio.AbstractEventLoop) -> Any:
    """End streams on a signal: the server waits for open requests before it stops, and a stream never ends by itself.

    The handler only schedules this. Otherwise a second signal could wait for locks that the first one holds.
    """
    if current_thread() is not main_thread():
        return lambda: None
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def stop(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(hall.end_streams)
        then = before[signal.Signals(number)]
        if callable(then):
            then(number, frame)

    for number in before:
        signal.signal(number, stop)
    return lambda: [signal.signal(number, then) for number, then in before.items()]


def _id_of(request: Request) -> str | None:
    return getattr(request.state, "request_id", None)


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return answer(error, _id_of(request))


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    wrong = error.errors()
    if _is_not_json(request, wrong):
        found = request.headers.get("content-type", "")
        sentence = "Send the body as JSON, with Content-Type: application/json."
        refused = Refused("request/media-type", sentence, found=found)
    else:
        refused = invalid(wrong)
    return answer(refused, _id_of(request))


def _is_not_json(request: Request, wrong: Sequence[Any]) -> bool:
    """Whether the body was not read because of its media type."""
    return wrong[0]["loc"] == ("body",) and "json" not in request.headers.get("content-type", "")


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, Problem):  # FastAPI says that a body cannot be parsed, and this is why
        return answer(error.__cause__, _id_of(request))
    code = _CODES.get(error.status_code, "request/invalid")
    sentence = _SENTENCES.get(code, str(error.detail)).format(method=request.method)
    return answer(Refused(code, sentence, headers=error.headers), _id_of(request))


async def _broken(request: Request, error: Exception) -> Response:
    """The database can be lost anywhere. Any other error is a bug in the service; the log has it."""
    problem = explain(error)
    if problem is None:
        _log.error("broken", exc_info=error, extra={"request_id": _id_of(request)})
        problem = Refused("service/broken", "The service failed unexpectedly; its log says why.")  # type: ignore[assignment]
    assert problem is not None
    return answer(problem, _id_of(request))


def create_worker() -> FastAPI:
    """The application of a worker process, with its own logging and memory settings."""
    log_as_json()
    collect_less_often()
    app = create()
    app.state.end_tracing = trace() if is_wanted() else None
    return app
