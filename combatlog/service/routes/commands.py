"""Commands of a fight: declarations, answers, turns, everything a GM does, corrections, and consent to them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from combatlog.handlers.command_handlers import carry_out as dispatch
from combatlog.messages import requests
from combatlog.messages.commands import Command
from combatlog.messages.corrections import Correction
from combatlog.messages.rights import Right
from combatlog.plugins import commands
from combatlog.rules.engine.commands import events_under
from combatlog.rules.engine.corrections.plan import PlanData
from combatlog.service.authentication import at_fight
from combatlog.service.commands import BodyRoute, CommandRoute, carried_out, carry_out
from combatlog.service.openapi import ETAG, IF_MATCH, KEY, answers
from combatlog.service.responses import (
    AutoStepsData,
    RecordedData,
    expected_seq,
    json_answer,
    key_of,
    require_unchanged,
    tag,
)
from combatlog.service.routes.state_and_events import Encounter

router = APIRouter(tags=["playing"], route_class=CommandRoute)
_DONE = answers(RecordedData, about="It was recorded.")


Number = Annotated[int, Path(ge=1, le=2**53, description="The seq of the proposal, as the seat counts.")]


def _add(routes: APIRouter, kind: type[Command | requests.Consent | requests.Overrule]) -> None:
    """A route whose body is the message. A proposal has its number in the address."""

    def handle(request: Request, encounter: str, body: Any) -> Response:
        return carry_out(request, encounter, body)

    def handle_about(request: Request, encounter: str, proposal: int, body: Any) -> Response:
        return carry_out(request, encounter, body.model_copy(update={"proposal": proposal}))

    called = handle_about if "{proposal}" in kind.path else handle
    types = {"request": Request, "encounter": Encounter, "proposal": Number, "body": kind, "return": Response}
    called.__annotations__ = {name: types[name] for name in called.__annotations__}
    called.__name__, called.__doc__ = kind.called(), kind.__doc__
    path = f"/encounters/{{encounter}}/{kind.path}"
    routes.add_api_route(path, called, methods=["POST"], summary=kind.summary(), **_DONE)


for _kind in commands():
    _add(router, _kind)


@router.post(
    "/encounters/{encounter}/auto",
    **answers(AutoStepsData, about="What was played, and why.", has=(ETAG,), takes=(KEY, IF_MATCH)),
)
def auto(request: Request, encounter: Encounter, body: requests.Auto) -> Response:
    """Let sides play themselves for some turns or rounds; by default, for one turn.

    A repetition records nothing, and gives the steps of the first time.
    """
    with carried_out(request, encounter, body) as (place, steps, command):
        repeated = command is not None and bool(events_under(place.table.events, command))
        place.catch_up()
        data = {"steps": [step.to_json() for step in steps], "seq": place.watch.last, "repeated": repeated}
        return json_answer(data, headers={"ETag": tag(place.watch.last)})


correction_router = APIRouter(tags=["correcting"], route_class=BodyRoute)


@correction_router.post(
    "/encounters/{encounter}/corrections/plan",
    **answers(PlanData, about="What the correction would do.", has=(ETAG,), takes=(KEY, IF_MATCH)),
)
def plan_correction(request: Request, encounter: Encounter, body: Correction) -> Response:
    """Nothing is recorded. Apply it with the same body and `If-Match` set to this answer's ETag."""
    expected = expected_seq(request)
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


@consent_router.post(
    "/encounters/{encounter}/proposals", **answers(RecordedData, about="It was proposed, or done at once.")
)
def propose(request: Request, encounter: Encounter, body: requests.ToPropose) -> Response:
    """Propose a command or a correction to the players whose combatants it affects; without any, it is done at once."""
    said = body.read() if isinstance(body, requests.ProposedMessage) else body
    return carry_out(request, encounter, requests.Propose(message=said, by=getattr(said, "by", None)))


for _answer in (requests.Consent, requests.Overrule):
    _add(consent_router, _answer)
