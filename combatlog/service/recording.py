"""Carrying out a command from a seat: once, on the state that the sender knew if they insist, and answered as seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID

from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from combatlog.handlers import carry_out as dispatch
from combatlog.messages.message import Message
from combatlog.rules.engine.outcome import Outcome
from combatlog.rules.engine.status import asked_data
from combatlog.sender import Sender
from combatlog.service.answers import JSON, expected_seq, key_of, of_command, require_unchanged, tag
from combatlog.service.seating import Place, sitting
from ledger.events import Event
from projections.snapshot import describe

Do = Callable[[Message, Sender], Outcome | None]


def carry_out(request: Request, reference: str, message: Message, do: Do = dispatch) -> Response:
    expected = expected_seq(request)
    with sitting(request, reference, message.right) as place, place.desk.ledger.store.recorder.hold():
        key = key_of(request, place.held.id)
        command = message.command(key) if key is not None else None
        known = of_command(place.table.events, command) if command is not None else []
        with unchanged(place, expected if not known else None):
            outcome = do(message, place.sender(message, command))
        if outcome is None or not place.table.add(outcome):
            place.catch_up()
        repeated = outcome is not None and outcome.repeated
        events = _recorded_by(place, command, outcome)
        return Response(recorded(place, events, repeated=repeated), 200, {"ETag": tag(place.watch.last)}, JSON)


@contextmanager
def unchanged(place: Place, expected: int | None) -> Iterator[None]:
    """Keep others from recording anything in between, if the sender insists on the state that it knows."""
    if expected is None:
        yield
        return
    with place.desk.ledger.store.recorder.lock(place.table.encounter):
        place.catch_up()
        require_unchanged(place, expected)
        yield


def _recorded_by(place: Place, command: UUID | None, outcome: Outcome | None) -> list[Event]:
    """Looked up only now if it was done before: another worker may have done it while this one was about to."""
    if outcome is None:
        return []
    if outcome.repeated and command is not None:
        return of_command(place.table.events, command)
    return list(outcome.events)


def recorded(place: Place, events: list[Event], *, repeated: bool = False) -> bytes:
    """What a command recorded, as the seat sees it. What was encoded for the stream is not encoded again."""
    watch = place.watch
    battle = watch.battle
    return b'{"encounter":"%b","seq":%d,"repeated":%b,"window":%b,"asked":%b,"events":[%b]}' % (
        str(place.table.encounter).encode(),
        watch.last,
        b"true" if repeated else b"false",
        to_json(describe(battle)["window"]) if battle.window is not None else b"null",
        to_json(asked_data(battle)) if battle.window is not None else b"null",
        b",".join(watch.seen_of(events)),
    )
