"""Questions about a fight and about the ledger. The route of each follows from its class.

The state and the events of a fight have routes of their own, in `combatlog.service.routes.state_and_events`: their
answers are kept ready, and they can be streamed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Path, Query
from pydantic.fields import FieldInfo
from pydantic_core import ValidationError, to_json
from starlette.requests import Request
from starlette.responses import Response

from combatlog.messages.fight_questions import JSON, Compare, FightQuestion, ReplayFight, ShowState
from combatlog.messages.message import Message
from combatlog.messages.questions import QUESTIONS, LedgerQuestion
from combatlog.plugins import questions
from combatlog.seats import HeldSeat
from combatlog.service.authentication import SeatedRequest, at_fight, with_ledger
from combatlog.service.openapi import ETAG, READING, answers
from combatlog.service.problems import Refused
from combatlog.service.responses import unless_known
from combatlog.service.routes.state_and_events import At, Encounter
from ledger.events import Data
from ledger.json_shapes import adapter, as_document
from projections.views import Seat

router = APIRouter()
BY_HAND = (ShowState,)
OtherSeat = Annotated[str | None, Query(max_length=200, description="another seat, for those who see everything")]
_TEXT = {"schema": {"type": "string"}}
_BYTES = {"schema": {"type": "string", "format": "binary"}}
_OBJECT = {"schema": {"type": "object"}}
_NO_SCRIPTS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
"""Exported files contain no scripts, and a browser that opens one has the cookie of a seat."""


def _of_ledger(kind: type[LedgerQuestion]) -> Callable[..., Response]:
    def handle(request: Request, **said: Any) -> Response:
        question = kind(**said)
        with with_ledger(request, kind.right, question.fight_meant, any_seat=kind.any_seat) as (ledger, held):
            answer = ledger.send(question, seat=held)
        if kind.answer is bytes:
            return Response(answer, 200, _NO_SCRIPTS, kind.media_types[getattr(question, "format")])  # noqa: B009
        return _written(answer)

    return _signed(kind, handle, {})


def _of_fight(kind: type[FightQuestion]) -> Callable[..., Response]:
    """A question from the sender's seat, about the current state, unless the request says otherwise."""

    def handle(
        request: Request, encounter: str, view_from: str | None = None, view_at: int | None = None, **said: Any
    ) -> Response:
        question = kind(**_read(kind, said))
        if kind.quick and view_from is None and view_at is None:
            with at_fight(request, encounter, question.needs) as place:
                return _at_once(request, place, question)
        with with_ledger(request, question.needs, encounter) as (ledger, held):
            if isinstance(question, Compare) and question.other is not None and held.encounter is not None:
                raise Refused("seat/not-here", "This seat is at one fight; comparing two takes a seat at all fights.")
            fight = ledger.fight(encounter)
            answer = fight.seen_by(_seat_meant(held, view_from), view_at).ask(question)
            if not question.is_file:
                return _written(answer)
            name = quote(f"{fight.battle.name}.html", safe="")
            is_page = isinstance(question, ReplayFight)
            headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"} if is_page else {}
            return Response(answer, 200, headers, question.media_type)

    return _signed(kind, handle, {"encounter": Encounter} | ({} if kind.whole else {"seat": OtherSeat, "at": At}))


def _at_once(request: Request, place: SeatedRequest, question: FightQuestion) -> Response:
    if question.follows_events:
        return unless_known(request, place.watch.last, lambda: to_json(as_document(place.ask(question))))
    return _written(place.ask(question))


def _written(answer: Any) -> Response:
    return Response(to_json(as_document(answer), fallback=str), media_type=JSON)


def _seat_meant(held: HeldSeat, seat: str | None) -> str | Seat:
    """The seat that is meant: the sender's, or any other if the sender sees everything."""
    if seat is not None and not held.seat.sees_all:
        raise Refused("seat/not-allowed", "This seat cannot look at the fight from another one.", found=seat)
    return seat if seat is not None else held.seat


# What a question takes

_AS = {"seat": "view_from", "at": "view_at"}
"""Parameters of the view. A question may have fields with the same names."""


def _signed(
    kind: type[Message], handle: Callable[..., Response], besides: Mapping[str, Any]
) -> Callable[..., Response]:
    """The function for FastAPI, with the fields of the question and other parameters."""
    own = [
        Parameter(name, Parameter.KEYWORD_ONLY, annotation=_annotation(kind, name, field), default=_default(field))
        for name, field in kind.model_fields.items()
        if not field.exclude
    ]
    added = [
        Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            annotation=annotation,
            default=Parameter.empty if name == "encounter" else None,
        )
        for name, annotation in besides.items()
        if name not in kind.model_fields
    ]

    def called(request: Request, **given: Any) -> Response:
        for name in (one.name for one in added if one.name in _AS):
            given[_AS[name]] = given.pop(name)
        return handle(request, **given)

    first = Parameter("request", Parameter.POSITIONAL_OR_KEYWORD, annotation=Request)
    setattr(called, "__signature__", Signature([first, *added, *own]))  # noqa: B010
    called.__name__, called.__doc__ = kind.called(), kind.__doc__
    return called


def _annotation(kind: Any, name: str, field: FieldInfo) -> Any:
    place = Path if f"{{{name}}}" in kind.path else Query
    if field.annotation == Data:
        return Annotated[str, place(max_length=2000, description=field.description)]
    return Annotated[(field.annotation, *field.metadata, place(description=field.description))]


def _default(field: FieldInfo) -> Any:
    if field.is_required():
        return Parameter.empty
    return "{}" if field.annotation == Data else field.default


def _read(kind: type[FightQuestion], said: Data) -> Data:
    """The fields, with objects read from JSON in the address."""
    return {
        name: _object(value) if kind.model_fields[name].annotation == Data else value for name, value in said.items()
    }


def _object(text: str) -> Data:
    try:
        found: Data = adapter(Data).validate_json(text)
    except ValidationError:
        raise Refused("request/invalid", "The options must be a JSON object.", found=text) from None
    return found


# What the OpenAPI document says


def _documented(kind: Any) -> dict[str, Any]:
    has, about = (ETAG,) if getattr(kind, "follows_events", False) else (), kind.about or kind.summary()
    if kind.media_types:
        content = {media_type: _content_of(media_type) for media_type in kind.media_types.values()}
        return answers(about=about, refusals=READING, content=content)
    return answers(kind.answer, about=about, refusals=READING, has=has)


def _content_of(media_type: str) -> dict[str, Any]:
    if media_type == JSON:
        return _OBJECT
    return _TEXT if media_type.startswith("text/") or media_type.endswith("ndjson") else _BYTES


def _add(kind: Any, path: str, handle: Callable[..., Response]) -> None:
    router.add_api_route(path, handle, methods=["GET"], summary=kind.summary(), tags=[kind.tag], **_documented(kind))


for _question in questions():
    if _question not in BY_HAND:
        _add(_question, f"/encounters/{{encounter}}/{_question.path}", _of_fight(_question))
for _kind in QUESTIONS:
    _add(_kind, f"/{_kind.path}", _of_ledger(_kind))
