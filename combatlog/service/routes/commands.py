"""Commands of a fight: declarations, answers, turns, everything a GM does, corrections, and consent to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from combatlog.handlers.command_handlers import carry_out as dispatch
from combatlog.messages import requests
from combatlog.messages.commands import Command
from combatlog.messages.corrections import Correction
from combatlog.messages.requests import Auto
from combatlog.messages.rights import Right
from combatlog.plugins import commands
from combatlog.rules.autoplay.player import AutoPlayed, command_of_step
from combatlog.rules.engine.corrections.plan import PlanData
from combatlog.service.authentication import SeatedRequest, at_fight
from combatlog.service.commands import BodyRoute, CommandRoute, carry_out, unchanged
from combatlog.service.openapi import ETAG, IF_MATCH, KEY, answers
from combatlog.service.responses import (
    AutoStepsData,
    RecordedData,
    expected_seq,
    json_answer,
    key_of,
    of_command,
    require_unchanged,
    tag,
)
from combatlog.service.responses import expected_seq as expected_of
from combatlog.service.routes.state_and_events import Encounter

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
    **answers(AutoStepsData, about="What was played, and why.", has=(ETAG,), takes=(KEY, IF_MATCH)),
)
def auto(request: Request, encounter: Encounter, body: Auto) -> Response:
    """Let sides play themselves for some turns or rounds; by default, for one turn.

    If it is repeated, nothing is played, and there are no steps.
    """
    expected = expected_seq(request)
    with at_fight(request, encounter, Right.DIRECT) as place, place.desk.ledger.store.recorder.hold():
        key = key_of(request, place.held.id)
        command = body.command(key) if key is not None else None
        repeated = command is not None and bool(of_command(place.table.events, command_of_step(command, 1)))
        steps = [] if repeated else _played(place, body, command, expected)
        place.catch_up()
        return json_answer(
            {"steps": [step.to_json() for step in steps], "seq": place.watch.last, "repeated": repeated},
            headers={"ETag": tag(place.watch.last)},
        )


def _played(place: SeatedRequest, body: Auto, command: UUID | None, expected: int | None) -> list[AutoPlayed]:
    turns = 1 if body.turns is None and body.rounds is None else body.turns
    with unchanged(place, expected):
        return list(place.fight.auto(body.sides, turns=turns, rounds=body.rounds, command_id=command))


correction_router = APIRouter(tags=["correcting"], route_class=BodyRoute)


@correction_router.post(
    "/encounters/{encounter}/corrections/plan",
    **answers(PlanData, about="What the correction would do.", has=(ETAG,), takes=(KEY, IF_MATCH)),
)
def plan_correction(request: Request, encounter: Encounter, body: Correction) -> Response:
    """Nothing is recorded. Apply it with the same body and `If-Match` set to this answer's ETag."""
    expected = expected_of(request)
    with at_fight(request, encounter, Right.OVERSEE) as place:
        require_unchanged(place, expected)
        key = key_of(request, place.held.id)
        sender = place.sender(body, body.command(key) if key is not None else None)
        sender.dry_run = True
        return json_answer(dispatch(body, sender).to_json(), headers={"ETag": tag(place.watch.last)})


@correction_router.post(
    "/encounters/{encounter}/corrections", **answers(RecordedData, about="The correction was recorded.")
)
def apply_correction(request: Request, encounter: Encounter, body: Correction) -> Response:
    """Plan and apply a correction in one append. Faces that were never rolled are rolled now."""
    return carry_out(request, encounter, body)


consent_router = APIRouter(tags=["consenting"], route_class=BodyRoute)
Number = Annotated[int, Path(ge=1, le=2**53, description="The seq of the proposal, as the seat counts.")]


@consent_router.post(
    "/encounters/{encounter}/proposals", **answers(RecordedData, about="It was proposed, or done at once.")
)
def propose(request: Request, encounter: Encounter, body: requests.ToPropose) -> Response:
    """Propose a command or a correction to those whose combatants it affects. If there are none, it is done at once."""
    said = body.read() if isinstance(body, requests.ProposedMessage) else body
    return carry_out(request, encounter, requests.Propose(message=said, by=getattr(said, "by", None)))


@consent_router.post(
    "/encounters/{encounter}/proposals/{proposal}/answers", **answers(RecordedData, about="The answer was recorded.")
)
def consent(request: Request, encounter: Encounter, proposal: Number, body: requests.Consent) -> Response:
    """Agree or not, for a combatant that this seat plays. With the last answer it is carried out.

    If it would now do something else than what was agreed to, it is proposed again instead.
    """
    return carry_out(request, encounter, body.model_copy(update={"proposal": proposal}))


@consent_router.post(
    "/encounters/{encounter}/proposals/{proposal}/overruling", **answers(RecordedData, about="It was made.")
)
def overrule(request: Request, encounter: Encounter, proposal: Number, body: requests.Overrule) -> Response:
    """Carry out a proposal as the GM, whoever has not agreed. That is on record."""
    return carry_out(request, encounter, body.model_copy(update={"proposal": proposal}))
