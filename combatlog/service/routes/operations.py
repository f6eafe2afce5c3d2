"""Operations: whether the service is alive and ready, and what it counts."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from combatlog.messages.rights import Right
from combatlog.service.answers import json_answer
from combatlog.service.documented import answers
from combatlog.service.documented_headers import RETRY_AFTER, headers
from combatlog.service.metrics import exposition
from combatlog.service.results import Health, Readiness
from combatlog.service.seating import hall_of, in_office
from ledger.errors import Problem

router = APIRouter(tags=["operations"])
_BEHIND = 10.0
"""Seconds that the follower may not have heard from the ledger."""


@router.get("/healthz", **answers(Health, about="The process is alive.", refusals=()))
def healthz() -> Response:
    return json_answer({"status": "alive"})


_READY = answers(Readiness, about="It can serve.", refusals=())
_READY["responses"][503] = {
    "description": "It cannot serve now.",
    "model": Readiness,
    "headers": headers((RETRY_AFTER,)),
}


@router.get("/readyz", **_READY)
def readyz(request: Request) -> Response:
    """Whether the database answers and the follower keeps up."""
    hall = hall_of(request)
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
    # Whatever looks after services often asks for the status and nothing else.
    router.add_api_route(_path, _look, methods=["HEAD"], include_in_schema=False)


def _answers(request: Request) -> bool:
    try:
        with hall_of(request).office() as ledger:
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
    """For whoever has a seat at all encounters."""
    with in_office(request, Right.KNOW):
        content, media_type = exposition(hall_of(request))
        return Response(content, media_type=media_type)
