"""Authentication: what needs a seat is refused without one, before anything in the request is parsed or validated."""

from __future__ import annotations

import re
from uuid import UUID

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from combatlog.service.problems import answer
from combatlog.service.seating import hall_of, no_token, token_of
from ledger.errors import Problem
from ledger.store import encounter_id

NO_ENCOUNTER = UUID(int=0)
_NEEDS_SEAT = re.compile(r"/v1/|/metrics")
_ENCOUNTER = re.compile(r"/v1/encounters/([^/]+)")


class Authentication:
    """Looks up the seat once the body has arrived: a slow sender must not act from a seat that is gone by then."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and _NEEDS_SEAT.match(scope["path"]):
            try:
                await _authenticate(Request(scope))
            except Problem as problem:
                await answer(problem, scope["state"].get("request_id"))(scope, receive, send)
                return
        await self._app(scope, receive, send)


async def _authenticate(request: Request) -> None:
    """Note the seat, and how far the encounter is that the address names."""
    named = _ENCOUNTER.match(request.scope["path"])
    encounter = encounter_id(named[1]) if named is not None else NO_ENCOUNTER
    found = await hall_of(request).doorman.ask((token_of(request), encounter))
    if found is None:
        raise no_token()
    request.state.seat, request.state.head = found[0], (encounter, found[1])
