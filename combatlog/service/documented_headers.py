"""The headers of requests and answers, as the OpenAPI document has them."""

from __future__ import annotations

from typing import Any

KEY = "Idempotency-Key"
IF_MATCH = "If-Match"
IF_NONE_MATCH = "If-None-Match"
LAST_EVENT_ID = "Last-Event-ID"
ETAG = "ETag"
LOCATION = "Location"
RETRY_AFTER = "Retry-After"
CLOCK = "Combatlog-Time"
AUTHENTICATE = "WWW-Authenticate"


def _text(**more: Any) -> dict[str, Any]:
    return {"type": "string", **more}


def _taken(name: str, about: str, schema: dict[str, Any], example: str) -> dict[str, Any]:
    return {"name": name, "in": "header", "required": False, "description": about, "schema": schema, "example": example}


PARAMETERS: dict[str, Any] = {
    KEY: _taken(
        KEY,
        "The id of the command, a UUID or any text that this seat has not used before. Sent twice, it is done once.",
        _text(minLength=1, maxLength=255),
        "strike-1",
    ),
    IF_MATCH: _taken(
        IF_MATCH,
        "The ETag of what the sender has seen. If anything that the seat sees was recorded since, the answer is 412.",
        _text(pattern=r'^(\*|(W/)?"?[0-9]{1,18}"?)$'),
        '"21"',
    ),
    IF_NONE_MATCH: _taken(
        IF_NONE_MATCH,
        "ETags of answers that the sender has. If nothing that the seat sees was recorded since, the answer is 304.",
        _text(),
        '"21"',
    ),
    LAST_EVENT_ID: _taken(
        LAST_EVENT_ID,
        "With `Accept: text/event-stream`: the last event that the reader has. The stream resumes after it.",
        _text(pattern="^[0-9]{1,18}$"),
        "21",
    ),
}
_ALWAYS = {"required": True}
ANSWERED: dict[str, Any] = {
    ETAG: {
        "description": "The seq of the last event that the seat sees, in quotes. Earlier states and streams have none.",
        "schema": _text(),
        "example": '"21"',
    },
    LOCATION: {"description": "The state of the encounter that was opened.", "schema": _text(), **_ALWAYS},
    RETRY_AFTER: {
        "description": "After how many seconds to ask again.",
        "schema": {"type": "integer", "minimum": 1},
        **_ALWAYS,
    },
    AUTHENTICATE: {"description": "How to send the token: `Bearer`.", "schema": _text(), **_ALWAYS},
    CLOCK: {"description": "The service's clock, to tell how much time is left to answer.", "schema": _text()},
}
OF_REFUSALS: dict[int, tuple[str, ...]] = {
    401: (AUTHENTICATE,),
    412: (ETAG,),
    429: (RETRY_AFTER,),
    503: (RETRY_AFTER,),
}
"""Which headers an answer has that is a refusal, by its status."""


def parameters(names: tuple[str, ...]) -> list[dict[str, str]]:
    return [{"$ref": f"#/components/parameters/{name}"} for name in names]


def headers(names: tuple[str, ...]) -> dict[str, dict[str, str]]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
