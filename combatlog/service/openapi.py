"""The parts of the OpenAPI document that FastAPI does not derive: answers, headers and examples."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.responses import Response

from combatlog.fight import Fight
from combatlog.handlers.ledger_answers import LedgerVerification
from combatlog.messages.corrections import Undo
from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.corrections.plan import PlanData
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.status import StatusData, status_of
from combatlog.rules.verification.verify import VerificationReport
from combatlog.seats import HeldSeat, InvitationData
from combatlog.service.problems import MEDIA_TYPE
from combatlog.service.responses import JSON, EventPage, HealthData, ReadinessData, RecordedData
from combatlog.testing import MemoryBackend
from combatlog.webhooks import Webhook, WebhookWithSecret
from ledger.events import TurnEnded
from ledger.store.encounters import Page
from projections.battle.dice import SharedDice, shared_dice

_PROBLEM = {"$ref": "#/components/schemas/Problem"}
_REFUSALS = {
    401: "The token is missing or not valid.",
    403: "The seat does not allow this.",
    404: "There is nothing of that name here.",
    408: "The request did not arrive in time.",
    409: "The fight does not allow this now.",
    412: "Something was recorded after the event in If-Match; `facts.since` has it.",
    413: "The request is too large.",
    415: "The body is not sent as JSON.",
    422: "The request is not valid.",
    429: "Too many requests, or too many at once; Retry-After says when to try again.",
    503: "The database does not answer, or the service is stopping; Retry-After says when to try again.",
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
            "facts": {"type": "object", "description": "the combatants and values that it is about"},
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
SECURITY = {"seat": {"type": "http", "scheme": "bearer", "description": "The token of a seat."}}


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
    """The arguments with which a route is registered: the type of its answer, and every possible refusal.

    `has` are headers of the answer. `takes` are headers that a request may have, in addition to those of commands and
    of conditional requests.
    """
    if model is RecordedData:
        has, takes = (*has, ETAG), (*takes, *_of_commands(status))
    if can_be_known := ETAG in has and refusals is READING:
        takes = (*takes, IF_NONE_MATCH)
    responses = {status: {"description": about, "headers": headers(has), **_content(model, content)}}
    if can_be_known:
        responses[304] = {"description": "Nothing has changed.", "headers": headers(has)}
    possible = (one for one in refusals if one != 412 or IF_MATCH in takes)
    return {
        "responses": {**responses, **{one: _refusal(one) for one in possible}},
        "status_code": status,
        "response_class": Response,
        "response_model": None,
        **({"openapi_extra": {"parameters": parameters(takes)}} if takes else {}),
    }


def _of_commands(status: int) -> tuple[str, ...]:
    """A command that opens an encounter has no earlier state to compare with."""
    return (KEY,) if status == 201 else (KEY, IF_MATCH)


def _content(model: Any, content: dict[str, Any] | None) -> dict[str, Any]:
    example = {JSON: {"example": EXAMPLES[model]}} if isinstance(model, type) and model in EXAMPLES else {}
    found = {**example, **(content or {})}
    return {**({"model": model} if model is not None else {}), **({"content": found} if found else {})}


def _refusal(status: int) -> dict[str, Any]:
    return {
        "description": _REFUSALS[status],
        "headers": headers(OF_REFUSALS.get(status, ())),
        "content": {MEDIA_TYPE: {"schema": _PROBLEM}},
    }


def described(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the events that documents refer to."""
    if app.openapi_schema is None:
        made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        components = made.setdefault("components", {})
        components["schemas"] = {**components.get("schemas", {}), **COMPONENTS}
        components["parameters"], components["headers"] = PARAMETERS, ANSWERED
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
        "The key of the command: a UUID, or any text that is new for this seat. Sent twice, it is carried out once.",
        _text(minLength=1, maxLength=255),
        "strike-1",
    ),
    IF_MATCH: _taken(
        IF_MATCH,
        "The ETag of the state that the sender has seen. If the seat can see anything newer, the answer is 412.",
        _text(pattern=r'^(\*|(W/)?"?[0-9]{1,18}"?)$'),
        '"21"',
    ),
    IF_NONE_MATCH: _taken(
        IF_NONE_MATCH,
        "ETags of answers that the sender has. If the seat can see nothing newer, the answer is 304.",
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
        "description": "The seconds to wait before the next attempt.",
        "schema": {"type": "integer", "minimum": 1},
        **_ALWAYS,
    },
    AUTHENTICATE: {"description": "How to send the token: `Bearer`.", "schema": _text(), **_ALWAYS},
    CLOCK: {"description": "The service's clock, to compute the time that is left to answer.", "schema": _text()},
}
OF_REFUSALS: dict[int, tuple[str, ...]] = {
    401: (AUTHENTICATE,),
    412: (ETAG,),
    429: (RETRY_AFTER,),
    503: (RETRY_AFTER,),
}
"""The headers of a refusal, by its status."""


def parameters(names: tuple[str, ...]) -> list[dict[str, str]]:
    return [{"$ref": f"#/components/parameters/{name}"} for name in names]


def headers(names: tuple[str, ...]) -> dict[str, dict[str, str]]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


_AT = datetime(2026, 7, 1, 12, tzinfo=UTC)


def _example_fight() -> Fight:
    """A small fight in memory, from which examples of answers are taken."""
    begun = FightEngine.open(Opening(name="Bridge ambush", dice="table"), UUID(int=1), now=lambda: _AT, seed=bytes(32))
    fight = Fight(MemoryBackend(begun))
    fight.join("fighter", "Rurik", (3, 2), controller="player", command_id=UUID(int=2))
    fight.join("goblin", "Snig", (4, 2), side="foes", command_id=UUID(int=3))
    fight.start(dice=[7, 12], command_id=UUID(int=4))
    fight.end_turn("snig", command_id=UUID(int=5))
    return fight


_FIGHT = _example_fight()
_BRIDGE, _LAST = str(_FIGHT.battle.id), _FIGHT.battle.seq
_ENDED = next(event.to_json() for event in _FIGHT.history() if isinstance(event, TurnEnded))
_SEAT = {
    "seat": "383b2749-4f87-441a-9f42-633f615fd145",
    "encounter": _BRIDGE,
    "role": "player",
    "combatants": ["rurik"],
    "name": "Anna",
    "delay": 0,
    "created_at": _AT.isoformat(),
    "expires_at": "2026-07-31T12:00:00+00:00",
    "revoked_at": None,
}
_WEBHOOK = {
    "webhook": "094bac36-6dce-4670-9825-61c51a8ecc77",
    "encounter": _BRIDGE,
    "url": "https://example.org/hook",
    "role": "spectator",
    "combatants": [],
    "by": "gm",
    "created_at": _AT.isoformat(),
    "delivered": 14,
    "failures": 0,
    "problem": None,
    "due_at": None,
}
_LISTED = {
    "name": "Bridge ambush",
    "encounter": _BRIDGE,
    "ruleset": "dnd5e",
    "begun": _AT.isoformat(),
    "events": _LAST,
    "parent": None,
    "problem": None,
    "labels": [],
    "state": "under way",
    "round": 1,
}

EXAMPLES: dict[Any, Any] = {
    RecordedData: {
        "encounter": _BRIDGE,
        "seq": _LAST,
        "events": [_ENDED],
        "repeated": False,
        "window": None,
        "asked": None,
    },
    StatusData: status_of(_FIGHT.battle),
    EventPage: {"last": _LAST, "next": _ENDED["seq"], "events": [_ENDED]},
    PlanData: _FIGHT.plan(Undo(reason="Snig only feints"), command_id=UUID(int=6)).to_json(),
    Page: {"encounters": [_LISTED], "total": 1, "next": None, "archived": 0},
    SharedDice: shared_dice(_FIGHT.battle),
    HeldSeat: _SEAT,
    InvitationData: {**_SEAT, "token": "TOKEN", "link": "https://combat.example.org/join?token=TOKEN"},
    Webhook: _WEBHOOK,
    WebhookWithSecret: {**_WEBHOOK, "secret": "SECRET"},
    VerificationReport: {"name": "Bridge ambush", "events": _LAST, "declarations": 6, "findings": []},
    LedgerVerification: {"encounters": [_BRIDGE], "findings": []},
    HealthData: {"status": "alive"},
    ReadinessData: {"status": "ready", "database": True, "follower": True, "streams": 4},
}
"""By the type of the answer."""
