"""Questions about the ledger. The route of each follows from its class."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic.fields import FieldInfo
from starlette.requests import Request
from starlette.responses import Response

from combatlog.messages.questions import QUESTIONS, Question
from rules.engine.validation import adapter
from service.answers import JSON
from service.documented import READING, answers
from service.seating import in_office

router = APIRouter()
_BYTES = {"schema": {"type": "string", "format": "binary"}}
_NO_SCRIPTS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
"""Nobody expects any in a file. A browser that opens one has the cookie of a seat."""


def _route(kind: type[Question]) -> Callable[..., Response]:
    def handle(request: Request, **said: Any) -> Response:
        question = kind(**said)
        with in_office(request, kind.right, question.fight_meant, any_seat=kind.any_seat) as (ledger, held):
            return _written(question, ledger.send(question, seat=held))

    request = Parameter("request", Parameter.POSITIONAL_OR_KEYWORD, annotation=Request)
    setattr(handle, "__signature__", Signature([request, *_parameters(kind)]))  # noqa: B010
    handle.__name__, handle.__doc__ = kind.called(), kind.__doc__
    return handle


def _parameters(kind: type[Question]) -> list[Parameter]:
    return [
        Parameter(name, Parameter.KEYWORD_ONLY, annotation=_annotation(kind, name, field), default=_default(field))
        for name, field in kind.model_fields.items()
    ]


def _annotation(kind: type[Question], name: str, field: FieldInfo) -> Any:
    place = Path if f"{{{name}}}" in kind.path else Query
    return Annotated[(field.annotation, *field.metadata, place(description=field.description))]


def _default(field: FieldInfo) -> Any:
    return Parameter.empty if field.is_required() else field.default


def _written(question: Question, answer: Any) -> Response:
    if question.answer is bytes:
        return Response(answer, 200, _NO_SCRIPTS, question.media_types[getattr(question, "format")])  # noqa: B009
    return Response(adapter(question.answer).dump_json(answer, fallback=str), media_type=JSON)


def _documented(kind: type[Question]) -> dict[str, Any]:
    if kind.answer is bytes:
        return answers(about=kind.about, refusals=READING, content=dict.fromkeys(kind.media_types.values(), _BYTES))
    return answers(kind.answer, about=kind.about, refusals=READING)


for _kind in QUESTIONS:
    router.add_api_route(
        f"/{_kind.path}",
        _route(_kind),
        methods=["GET"],
        summary=_kind.summary(),
        tags=[_kind.tag],
        **_documented(_kind),
    )
