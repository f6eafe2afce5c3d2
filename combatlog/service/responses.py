"""Responses with entity tags, the conditions of requests, and the types of the service's own answers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID, uuid5

from pydantic import Field
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict

from combatlog.rules.autoplay.player import AutoStep
from combatlog.rules.content.scenario import ScriptStep
from combatlog.rules.engine.status import AskedData
from combatlog.service.authentication import SeatedRequest
from combatlog.service.problems import Refused
from ledger.json_shapes import EventData
from projections.views.state import WindowState

JSON = "application/json"
HTML = "text/html; charset=utf-8"
NDJSON = "application/x-ndjson"
SSE = "text/event-stream"
TIME = "combatlog-time"
"""A header with the service's clock. `Date` is less precise: it has whole seconds, and servers cache it."""


def json_answer(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(to_json(data, fallback=str), status, headers, JSON)


def clock() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def tag(seq: int) -> str:
    return f'"{seq}"'


def unless_known(request: Request, seq: int, make: Callable[[], bytes], media_type: str = JSON) -> Response:
    """The answer with the seq as its entity tag; or just the tag, if the client has that answer."""
    if _is_known(request, seq):
        return Response(status_code=304, headers={"ETag": tag(seq)})
    return Response(make(), 200, {"ETag": tag(seq), "Cache-Control": "no-cache"}, media_type)


def _is_known(request: Request, seq: int) -> bool:
    """Whether `If-None-Match` has the entity tag of this seq."""
    said = [one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")]
    return tag(seq) in said or "*" in said


def expected_seq(request: Request) -> int | None:
    """The last event according to `If-Match`; None without that header."""
    said = request.headers.get("if-match")
    if said is None or said.strip() == "*":
        return None
    text = said.strip().removeprefix("W/").strip('"')
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise Refused("request/if-match", "If-Match must be one ETag, as an answer gave it.", found=said)
    return int(text)


def require_unchanged(place: SeatedRequest, expected: int | None) -> None:
    """Refuse if the seat can see anything after the event that it knows."""
    if expected is None or expected == place.watch.last:
        return
    last = place.watch.last
    since = place.watch.encoded[place.watch.place_after(expected) :]
    raise Refused(
        "request/moved-on",
        "Something was recorded since then; look at it and decide again."
        if expected < last
        else f"There is no event {expected} yet; the last one is {last}.",
        headers={"ETag": tag(place.watch.last)},
        needed=place.watch.last,
        found=expected,
        since=[_parsed(data) for data in since],
    )


def _parsed(data: bytes) -> Any:
    from pydantic_core import from_json

    return from_json(data)


def key_of(request: Request, seat: UUID) -> UUID | None:
    """The key that makes a command safe to repeat: `Idempotency-Key`, a UUID or any text of this seat's."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    if not 1 <= len(key) <= 255:
        raise Refused("request/idempotency-key", "An Idempotency-Key must have 1 to 255 characters.", found=len(key))
    try:
        return UUID(key)
    except ValueError:
        return uuid5(seat, key)


class RecordedData(TypedDict):
    encounter: str
    seq: Annotated[int, Field(description="the last event that the seat sees")]
    events: Annotated[list[EventData], Field(description="what the command recorded, as the seat sees it")]
    repeated: Annotated[
        bool, Field(description="true: the command was carried out before, and nothing new was recorded")
    ]
    window: Annotated[WindowState | None, Field(description="the reaction that the fight waits for")]
    asked: Annotated[AskedData | None, Field(description="until when, and what each choice costs")]


class EventPage(TypedDict):
    events: list[EventData]
    last: Annotated[int, Field(description="the last event that the seat sees")]
    next: Annotated[int | None, Field(description="give it as `after` to get the next page; null: this is the last")]


class AutoStepsData(TypedDict):
    steps: list[AutoStep]
    seq: int
    repeated: bool


class ScenarioPlayedData(TypedDict):
    encounter: str
    steps: list[ScriptStep]


class HealthData(TypedDict):
    status: str


class ReadinessData(TypedDict):
    status: Annotated[str, Field(description="`ready`, or `not ready`")]
    database: bool
    follower: Annotated[bool, Field(description="whether events that other processes record are passed on")]
    streams: int
