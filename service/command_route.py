"""Routes of commands. Each takes a request, an encounter and a body, and is called without a detour.

FastAPI can put together the arguments of any function. That takes longer than to read what nearly every command is: an
ordinary body of JSON. Whatever is the least bit out of the ordinary goes FastAPI's way, which also says what is wrong.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, get_type_hints

from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response

LONGEST_REFERENCE = 200
"""Characters of an encounter's name or id in an address."""
_Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class CommandRoute(APIRoute):
    def get_route_handler(self) -> _Handler:
        in_any_case = super().get_route_handler()
        endpoint, body = self.endpoint, get_type_hints(self.endpoint)["body"]

        async def handle(request: Request) -> Response:
            said = _read(body, request, await request.body())
            encounter = request.path_params["encounter"]
            if said is None or len(encounter) > LONGEST_REFERENCE:
                return await in_any_case(request)
            return await asyncio.to_thread(endpoint, request, encounter, said)

        return handle


def _read(model: type[BaseModel], request: Request, body: bytes) -> BaseModel | None:
    if request.headers.get("content-type") != "application/json":
        return None
    try:
        return model.model_validate_json(body)
    except ValidationError:
        return None
