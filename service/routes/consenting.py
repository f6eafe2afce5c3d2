"""Consent to corrections: proposing one to the table, answering for a combatant, and overruling."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from combatlog.documents.corrections import proposal_data
from combatlog.documents.shapes import ProposalData
from combatlog.messages import requests
from combatlog.messages.corrections import Correction
from combatlog.messages.rights import Right
from rules.engine.outcome import Outcome
from rules.engine.refusal import Refusal
from service.answers import json_answer
from service.command_route import BodyRoute
from service.documented import READING, answers
from service.problems import Refused
from service.recording import carry_out
from service.results import RecordedData
from service.routes.correcting import signed
from service.routes.declaring import by_of
from service.routes.reading import Encounter
from service.seating import Place, in_office

router = APIRouter(tags=["consenting"], route_class=BodyRoute)
Number = Annotated[int, Path(ge=1, le=2**53, description="The seq of the proposal, as the seat counts.")]


@router.post("/encounters/{encounter}/proposals", **answers(RecordedData, about="It was proposed, or made at once."))
def propose(request: Request, encounter: Encounter, body: Correction) -> Response:
    """Propose a correction to those whose combatants it affects. If it affects nobody, it is made at once."""

    def do(place: Place, command: UUID | None) -> Outcome:
        return place.fight.propose(signed(place, body), command_id=command)

    return carry_out(request, encounter, Right.DIRECT, do)


@router.get(
    "/encounters/{encounter}/proposals",
    **answers(
        list[ProposalData], about="What was proposed, oldest first; the open one with its plan.", refusals=READING
    ),
)
def proposals(request: Request, encounter: Encounter) -> Response:
    with in_office(request, Right.LOOK, encounter) as (ledger, held):
        fight = ledger.fight(encounter)
        found = [proposal_data(fight, held.seat, one) for one in fight.proposals()]
        return json_answer([one for one in found if one["proposal"] is not None])


@router.post(
    "/encounters/{encounter}/proposals/{proposal}/answers", **answers(RecordedData, about="The answer was recorded.")
)
def answer(request: Request, encounter: Encounter, proposal: Number, body: requests.Consent) -> Response:
    """Agree or not, for a combatant that this seat plays. With the last answer the correction is made.

    If it would now do something else than what was agreed to, it is proposed again instead.
    """

    def do(place: Place, command: UUID | None) -> Outcome:
        who, meant = place.own(body.who), _meant(place, proposal)
        try:
            return place.fight.consent(
                who, body.agree, reason=body.reason, proposal=meant, by=place.held.by, command_id=command
            )
        except Refusal as refusal:
            raise _of_consent(refusal) from refusal

    return carry_out(request, encounter, Right.CONSENT, do)


@router.post("/encounters/{encounter}/proposals/{proposal}/overruling", **answers(RecordedData, about="It was made."))
def overrule(request: Request, encounter: Encounter, proposal: Number, body: requests.Overruling) -> Response:
    """Make the proposed correction as the GM, whoever has not agreed. That is on record."""

    def do(place: Place, command: UUID | None) -> Outcome:
        by, meant = by_of(place, body) or "gm", _meant(place, proposal)
        return place.fight.overrule(body.reason, proposal=meant, by=by, command_id=command)

    return carry_out(request, encounter, Right.DIRECT, do)


def _meant(place: Place, number: int) -> int:
    """The seq in the ledger of a proposal, given as the seat counts."""
    onlooker = place.watch.onlooker
    seq = onlooker.recorded(number) if number <= onlooker.last else None
    if seq not in [one.seq for one in place.watch.proposals.all]:
        raise Refused("consent/no-proposal", "There is no such proposal.", found=number)
    return seq


def _of_consent(refusal: Refusal) -> Refusal:
    """What all agreed to may be impossible by now, and why is about what a player may not see."""
    if refusal.code.startswith(("consent/", "combatant/")):
        return refusal
    return Refusal(refusal.code, "The correction cannot be made now.")
