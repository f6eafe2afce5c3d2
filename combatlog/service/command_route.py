"""Routes that take a body of JSON, and those of commands, which are called without a detour.

The service reads bodies itself. FastAPI would parse and validate them on the event loop, however large they are, and
list every error. It still puts together the other arguments, and documents the body.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, get_type_hints

from fastapi.routing import APIRoute
from pydantic import ValidationError
from pydantic_core import from_json
from starlette.requests import Request
from starlette.responses import Response

from combatlog.rules.content.limits import check_amount
from combatlog.rules.engine.validation import adapter
from combatlog.service.problems import Refused, invalid

LONGEST_REFERENCE = 200
"""Characters of an encounter's name or id in an address."""
SMALL = 4 << 10
"""Bytes of a body that is read on the event loop, as nearly every command is; at worst in some ten milliseconds."""
_Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class BodyRoute(APIRoute):
    def get_route_handler(self) -> _Handler:
        handle = super().get_route_handler()
        model = get_type_hints(self.endpoint, include_extras=True).get("body")
        return self.reading(model, handle) if model is not None else handle

    def reading(self, model: Any, in_any_case: _Handler) -> _Handler:
        async def handle(request: Request) -> Response:
            return await in_any_case(_WithBody(request, model))

        return handle


class CommandRoute(BodyRoute):
    """Takes a request, an encounter and a body.

    FastAPI can put together the arguments of any function. That takes longer than to read what nearly every command is:
    an ordinary body of JSON. Whatever is the least bit out of the ordinary goes FastAPI's way.
    """

    def reading(self, model: Any, in_any_case: _Handler) -> _Handler:
        endpoint = self.endpoint

        async def handle(request: Request) -> Response:
            sent, encounter = _WithBody(request, model), request.path_params["encounter"]
            is_plain = request.headers.get("content-type") == "application/json" and await sent.body()
            if not is_plain or len(encounter) > LONGEST_REFERENCE:
                return await in_any_case(sent)
            return await asyncio.to_thread(endpoint, sent, encounter, await sent.json())

        return handle


class _WithBody(Request):
    """FastAPI asks for JSON, gets what is valid already, and leaves it as it is."""

    def __init__(self, request: Request, model: Any) -> None:
        super().__init__(request.scope, request.receive)
        self._model = model

    async def json(self) -> Any:
        body = await self.body()
        return _read(self._model, body) if len(body) <= SMALL else await asyncio.to_thread(_read, self._model, body)


def _read(model: Any, body: bytes) -> Any:
    if len(body) > SMALL:
        check_amount(_parsed(body))  # pydantic looks at all of it, and keeps other threads waiting meanwhile
    try:
        return adapter(model).validate_json(body)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False, include_context=False)
        raise invalid([{**one, "loc": ("body", *one["loc"])} for one in wrong]) from error


def _parsed(body: bytes) -> Any:
    try:
        return from_json(body)
    except ValueError as error:
        raise Refused("request/invalid", f"The body is not JSON: {error}.") from error
