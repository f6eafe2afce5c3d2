"""Consent: proposing something to the table, answering for a combatant, and overruling."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from combatlog.messages import requests
from combatlog.service.command_route import BodyRoute
from combatlog.service.documented import answers
from combatlog.service.recording import carry_out
from combatlog.service.results import RecordedData
from combatlog.service.routes.reading import Encounter

router = APIRouter(tags=["consenting"], route_class=BodyRoute)
Number = Annotated[int, Path(ge=1, le=2**53, description="The seq of the proposal, as the seat counts.")]


@router.post("/encounters/{encounter}/proposals", **answers(RecordedData, about="It was proposed, or done at once."))
def propose(request: Request, encounter: Encounter, body: requests.ToPropose) -> Response:
    """Propose a command or a correction to those whose combatants it affects. If there are none, it is done at once."""
    said = body.read() if isinstance(body, requests.Proposed) else body
    return carry_out(request, encounter, requests.Propose(message=said, by=getattr(said, "by", None)))


@router.post(
    "/encounters/{encounter}/proposals/{proposal}/answers", **answers(RecordedData, about="The answer was recorded.")
)
def consent(request: Request, encounter: Encounter, proposal: Number, body: requests.Consent) -> Response:
    """Agree or not, for a combatant that this seat plays. With the last answer it is carried out.

    If it would now do something else than what was agreed to, it is proposed again instead.
    """
    return carry_out(request, encounter, body.model_copy(update={"proposal": proposal}))


@router.post("/encounters/{encounter}/proposals/{proposal}/overruling", **answers(RecordedData, about="It was made."))
def overrule(request: Request, encounter: Encounter, proposal: Number, body: requests.Overrule) -> Response:
    """Carry out a proposal as the GM, whoever has not agreed. That is on record."""
    return carry_out(request, encounter, body.model_copy(update={"proposal": proposal}))
