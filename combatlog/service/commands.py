"""Carry out a command from a seat: read its JSON body, carry it out once, and answer with what the seat sees.

With `If-Match`, the command is refused if the fight has changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, get_type_hints
from uuid import UUID

from fastapi.routing import APIRoute
from pydantic import ValidationError
from pydantic_core import from_json, to_json
from starlette.requests import Request
from starlette.responses import Response

from combatlog.handlers.command_handlers import carry_out as dispatch
from combatlog.messages.message import Message
from combatlog.rules.content.limits import check_amount
from combatlog.rules.engine.commands import events_under
from combatlog.rules.engine.options_and_validation import adapter
from combatlog.rules.engine.status import asked_data
from combatlog.service.authentication import SeatedRequest, at_fight
from combatlog.service.problems import Refused, invalid
from combatlog.service.responses import JSON, expected_seq, key_of, require_unchanged, tag
from ledger.events import Event
from projections.views.state import battle_state

LONGEST_REFERENCE = 200
"""Characters of an encounter's name or id in an address."""
SMALL = 4 << 10
"""Bytes of a body that is read on the event loop, like nearly every command; it takes ten milliseconds at worst."""
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

    FastAPI can build the arguments of any function, but that takes longer than reading an ordinary JSON body, which
    nearly every command is. Anything unusual is left to FastAPI.
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
    """When FastAPI asks for JSON, it gets the validated body, which it keeps as it is."""

    def __init__(self, request: Request, model: Any) -> None:
        super().__init__(request.scope, request.receive)
        self._model = model

    async def json(self) -> Any:
        body = await self.body()
        return _read(self._model, body) if len(body) <= SMALL else await asyncio.to_thread(_read, self._model, body)


def _read(model: Any, body: bytes) -> Any:
    if len(body) > SMALL:
        check_amount(_parsed(body))  # pydantic reads all of it, and blocks other threads meanwhile
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


def carry_out(request: Request, reference: str, message: Message) -> Response:
    with carried_out(request, reference, message) as (place, outcome, command):
        if not place.table.add(outcome):
            place.catch_up()
        # Looked up only now: another worker may have carried it out while this one was about to.
        new = command is None or not outcome.repeated
        events = list(outcome.events) if new else events_under(place.table.events, command)  # type: ignore[arg-type]
        return Response(recorded(place, events, repeated=outcome.repeated), 200, {"ETag": tag(place.watch.last)}, JSON)


@contextmanager
def carried_out(request: Request, reference: str, message: Message) -> Iterator[tuple[SeatedRequest, Any, UUID | None]]:
    """The outcome of a message, and the id of its command. In the block, the fight stays locked in this process."""
    expected = expected_seq(request)
    with at_fight(request, reference, message.right) as place, place.desk.ledger.store.recorder.hold():
        key = key_of(request, place.held.id)
        command = message.command(key) if key is not None else None
        known = events_under(place.table.events, command) if command is not None else []
        with _unchanged(place, expected if not known else None):
            outcome = dispatch(message, place.sender(message, command))
        yield place, outcome, command


@contextmanager
def _unchanged(place: SeatedRequest, expected: int | None) -> Iterator[None]:
    """Keep other processes from recording anything in between, if the sender insists on the state that it knows."""
    if expected is None:
        yield
        return
    with place.desk.ledger.store.recorder.lock(place.table.encounter):
        place.catch_up()
        require_unchanged(place, expected)
        yield


def recorded(place: SeatedRequest, events: list[Event], *, repeated: bool = False) -> bytes:
    """What a command recorded, as the seat sees it. Events that were encoded for streams are not encoded again."""
    watch = place.watch
    battle = watch.battle
    return b'{"encounter":"%b","seq":%d,"repeated":%b,"window":%b,"asked":%b,"events":[%b]}' % (
        str(place.table.encounter).encode(),
        watch.last,
        b"true" if repeated else b"false",
        to_json(battle_state(battle)["window"]) if battle.window is not None else b"null",
        to_json(asked_data(battle)) if battle.window is not None else b"null",
        b",".join(watch.seen_of(events)),
    )
