"""Routes outside of the API. They report health and metrics, and serve the pages of fights with their files."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from combatlog.messages.rights import Right
from combatlog.service.authentication import runtime_of, with_ledger
from combatlog.service.observability import exposition
from combatlog.service.openapi import RETRY_AFTER, answers, headers
from combatlog.service.problems import Refused
from combatlog.service.responses import HTML, HealthData, ReadinessData, json_answer
from combatlog.web import pages
from ledger.errors import Problem

router = APIRouter(tags=["operations"])
_BEHIND = 10.0
"""Seconds that the follower may lag behind."""


@router.get("/healthz", **answers(HealthData, about="The process is alive.", refusals=()))
def healthz() -> Response:
    return json_answer({"status": "alive"})


_READY = answers(ReadinessData, about="It can serve.", refusals=())
_READY["responses"][503] = {
    "description": "It cannot serve now.",
    "model": ReadinessData,
    "headers": headers((RETRY_AFTER,)),
}


@router.get("/readyz", **_READY)
def readyz(request: Request) -> Response:
    """Whether the database answers and the follower keeps up."""
    hall = runtime_of(request)
    database, follower = _answers(request), hall.lag < _BEHIND
    ready = database and follower and not hall.stopping.is_set()
    data = {
        "status": "ready" if ready else "not ready",
        "database": database,
        "follower": follower,
        "streams": len(hall.streams),
    }
    return json_answer(data, 200 if ready else 503, {} if ready else {"Retry-After": "2"})


for _path, _look in (("/healthz", healthz), ("/readyz", readyz)):
    # Monitoring often asks for the status only.
    router.add_api_route(_path, _look, methods=["HEAD"], include_in_schema=False)


def _answers(request: Request) -> bool:
    try:
        with runtime_of(request).office() as ledger:
            return ledger.store.recorder.last_notification() >= 0
    except Problem:
        return False


@router.get(
    "/metrics",
    **answers(
        about="What the service counts, for Prometheus.",
        refusals=(401, 403, 429, 503),
        content={"text/plain": {"schema": {"type": "string"}}},
    ),
)
def metrics(request: Request) -> Response:
    """For seats at all encounters."""
    with with_ledger(request, Right.KNOW):
        content, media_type = exposition(runtime_of(request))
        return Response(content, media_type=media_type)


page_router = APIRouter(include_in_schema=False)
_GUARDED = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@page_router.get("/")
def front() -> Response:
    return RedirectResponse("/table", 307)


@page_router.get("/table")
@page_router.get("/table/{encounter}")
@page_router.get("/replay/{encounter}")
def table() -> Response:
    """No cookie is needed: the page itself is the same for everybody, and its requests are authenticated."""
    headers = {**_GUARDED, "Content-Security-Policy": pages.policy(), "Cache-Control": "no-cache"}
    return Response(pages.page(), headers=headers, media_type=HTML)


@page_router.get(f"{pages.BASE}/{{name:path}}")
def file(request: Request, name: Annotated[str, Path(max_length=100)]) -> Response:
    found = pages.files().get(name)
    if found is None:
        raise Refused("request/not-found", "There is no such file.", name=name)
    headers = {**_GUARDED, "ETag": f'"{found.tag}"', "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match", "").strip('"') == found.tag:
        return Response(status_code=304, headers=headers)
    return Response(found.content, headers=headers, media_type=found.media_type)
