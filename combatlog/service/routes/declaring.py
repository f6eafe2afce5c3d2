"""What somebody says at the table: declarations, answers, turns, and everything a GM does. Each is one command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from combatlog.messages.commands import Command
from combatlog.messages.requests import Auto
from combatlog.messages.rights import Right
from combatlog.plugins import commands
from combatlog.rules.autoplay.auto import Played, command_of_step
from combatlog.service.answers import expected_seq, json_answer, key_of, of_command, tag
from combatlog.service.command_route import CommandRoute
from combatlog.service.documented import answers
from combatlog.service.documented_headers import ETAG, IF_MATCH, KEY
from combatlog.service.recording import carry_out, unchanged
from combatlog.service.results import RecordedData, Steps
from combatlog.service.routes.reading import Encounter
from combatlog.service.seating import Place, sitting

router = APIRouter(tags=["playing"], route_class=CommandRoute)
_DONE = answers(RecordedData, about="It was recorded.")


def _route(kind: type[Command]) -> Callable[..., Response]:
    def handle(request: Request, encounter: str, body: Any) -> Response:
        return carry_out(request, encounter, body)

    handle.__annotations__ = {"request": Request, "encounter": Encounter, "body": kind, "return": Response}
    handle.__name__, handle.__doc__ = kind.called(), kind.__doc__
    return handle


for _kind in commands():
    router.add_api_route(
        f"/encounters/{{encounter}}/{_kind.path}", _route(_kind), methods=["POST"], summary=_kind.summary(), **_DONE
    )


@router.post(
    "/encounters/{encounter}/auto",
    **answers(Steps, about="What was played, and why.", has=(ETAG,), takes=(KEY, IF_MATCH)),
)
def auto(request: Request, encounter: Encounter, body: Auto) -> Response:
    """Let sides play themselves for some turns or rounds; by default, for one turn.

    If it is repeated, nothing is played, and there are no steps.
    """
    expected = expected_seq(request)
    with sitting(request, encounter, Right.DIRECT) as place, place.desk.ledger.store.recorder.hold():
        key = key_of(request, place.held.id)
        command = body.command(key) if key is not None else None
        repeated = command is not None and bool(of_command(place.table.events, command_of_step(command, 1)))
        steps = [] if repeated else _played(place, body, command, expected)
        place.catch_up()
        return json_answer(
            {"steps": [step.to_json() for step in steps], "seq": place.watch.last, "repeated": repeated},
            headers={"ETag": tag(place.watch.last)},
        )


def _played(place: Place, body: Auto, command: UUID | None, expected: int | None) -> list[Played]:
    turns = 1 if body.turns is None and body.rounds is None else body.turns
    with unchanged(place, expected):
        return list(place.fight.auto(body.sides, turns=turns, rounds=body.rounds, command_id=command))
