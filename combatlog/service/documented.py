"""What the OpenAPI document says about answers, besides what FastAPI finds out by itself."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.responses import Response

from combatlog.service import documented_headers as known
from combatlog.service.answers import JSON
from combatlog.service.example_answers import EXAMPLES
from combatlog.service.problems import MEDIA_TYPE
from combatlog.service.results import RecordedData

_PROBLEM = {"$ref": "#/components/schemas/Problem"}
_REFUSALS = {
    401: "There is no token, or it is not valid.",
    403: "The seat does not allow this.",
    404: "There is no such thing.",
    408: "The request did not arrive in time.",
    409: "The fight does not allow this now.",
    412: "Something was recorded since the event that If-Match names; `facts.since` has it.",
    413: "The request is too large.",
    415: "The body is not sent as JSON.",
    422: "The request cannot be understood.",
    429: "There are too many requests, or too many at once; Retry-After says when to ask again.",
    503: "The database does not answer, or the service is stopping; Retry-After says when to ask again.",
}
COMPONENTS: dict[str, Any] = {
    "Problem": {
        "type": "object",
        "description": "Why a request was refused, as RFC 9457 has it.",
        "required": ["type", "title", "status", "detail", "code", "facts"],
        "properties": {
            "type": {"type": "string", "example": "urn:combatlog:problem:turn/other"},
            "title": {"type": "string", "example": "Conflict"},
            "status": {"type": "integer", "example": 409},
            "detail": {"type": "string", "description": "what is wrong, for people", "example": "It is Snig's turn."},
            "code": {"type": "string", "description": "what is wrong, for programs", "example": "turn/other"},
            "facts": {"type": "object", "description": "who and what it is about"},
            "request_id": {"type": "string"},
        },
    },
    "Event": {
        "type": "object",
        "description": "An event as the seat sees it; docs/events.md says what each kind means.",
        "required": ["kind", "seq", "encounter"],
        "properties": {
            "kind": {"type": "string", "example": "attack_resolved"},
            "seq": {"type": "integer", "example": 33},
            "encounter": {"type": "string"},
            "declaration": {"type": "integer"},
            "by": {"type": "string", "description": "who said it"},
        },
    },
}
SECURITY = {"seat": {"type": "http", "scheme": "bearer", "description": "The token of a seat: `combatlog seat`."}}


READING = (401, 403, 404, 408, 409, 413, 422, 429, 503)


def answers(
    model: Any = None,
    status: int = 200,
    *,
    about: str = "Done.",
    refusals: tuple[int, ...] = (401, 403, 404, 408, 409, 412, 413, 415, 422, 429, 503),
    content: dict[str, Any] | None = None,
    has: tuple[str, ...] = (),
    takes: tuple[str, ...] = (),
) -> dict[str, Any]:
    """What a route is registered with: the type of its answer, and every refusal that can come instead.

    `has` are headers of the answer, and `takes` headers that a request may have, besides those of every command and of
    everything that can be asked for again.
    """
    if model is RecordedData:
        has, takes = (*has, known.ETAG), (*takes, *_of_commands(status))
    if can_be_known := known.ETAG in has and refusals is READING:
        takes = (*takes, known.IF_NONE_MATCH)
    responses = {status: {"description": about, "headers": known.headers(has), **_content(model, content)}}
    if can_be_known:
        responses[304] = {"description": "It is as the sender knows it.", "headers": known.headers(has)}
    possible = (one for one in refusals if one != 412 or known.IF_MATCH in takes)
    return {
        "responses": {**responses, **{one: _refusal(one) for one in possible}},
        "status_code": status,
        "response_class": Response,
        "response_model": None,
        **({"openapi_extra": {"parameters": known.parameters(takes)}} if takes else {}),
    }


def _of_commands(status: int) -> tuple[str, ...]:
    """A command that opens an encounter has nothing that could have changed since."""
    return (known.KEY,) if status == 201 else (known.KEY, known.IF_MATCH)


def _content(model: Any, content: dict[str, Any] | None) -> dict[str, Any]:
    example = {JSON: {"example": EXAMPLES[model]}} if isinstance(model, type) and model in EXAMPLES else {}
    found = {**example, **(content or {})}
    return {**({"model": model} if model is not None else {}), **({"content": found} if found else {})}


def _refusal(status: int) -> dict[str, Any]:
    return {
        "description": _REFUSALS[status],
        "headers": known.headers(known.OF_REFUSALS.get(status, ())),
        "content": {MEDIA_TYPE: {"schema": _PROBLEM}},
    }


def described(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the events that documents refer to."""
    if app.openapi_schema is None:
        made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        components = made.setdefault("components", {})
        components["schemas"] = {**components.get("schemas", {}), **COMPONENTS}
        components["parameters"], components["headers"] = known.PARAMETERS, known.ANSWERED
        components["securitySchemes"] = SECURITY
        for path, methods in made["paths"].items():
            for operation in methods.values():
                if path.startswith("/v1"):
                    operation["security"] = [{"seat": []}]
                operation["responses"].pop("default", None)
        app.openapi_schema = _linked(made)
    return app.openapi_schema


def _linked(part: Any) -> Any:
    if isinstance(part, list):
        return [_linked(one) for one in part]
    if not isinstance(part, dict):
        return part
    if "$document" in part:
        return {"$ref": "#/components/schemas/Event"}
    return {name: _linked(one) for name, one in part.items()}
