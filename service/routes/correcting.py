"""Corrections: a plan shows what would become of every declaration; the same request, applied, carries it out."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

import combatlog
from combatlog.documents.corrections import correction_data, plan_data
from combatlog.documents.shapes import CorrectionData, PlanData
from combatlog.messages.corrections import Correction
from combatlog.messages.rights import Right
from rules.engine.outcome import Outcome
from service.answers import command_of, json_answer, require_unchanged, tag
from service.answers import expected_seq as expected_of
from service.command_route import BodyRoute
from service.documented import READING, answers
from service.documented_headers import ETAG, IF_MATCH, KEY
from service.recording import carry_out
from service.results import RecordedData
from service.routes.declaring import by_of
from service.routes.reading import Encounter
from service.seating import Place, in_office, sitting

router = APIRouter(tags=["correcting"], route_class=BodyRoute)


@router.post(
    "/encounters/{encounter}/corrections/plan",
    **answers(PlanData, about="What the correction would do.", has=(ETAG,), takes=(KEY, IF_MATCH)),
)
def plan(request: Request, encounter: Encounter, body: Correction) -> Response:
    """Nothing is recorded. Apply it with the same body and `If-Match` set to this answer's ETag."""
    expected = expected_of(request)
    with sitting(request, encounter, Right.OVERSEE) as place:
        require_unchanged(place, expected)
        made = _planned(place, body, command_of(request, place.held.id))
        return json_answer(plan_data(made), headers={"ETag": tag(place.watch.last)})


@router.post("/encounters/{encounter}/corrections", **answers(RecordedData, about="The correction was recorded."))
def apply(request: Request, encounter: Encounter, body: Correction) -> Response:
    """Plan and apply a correction in one append. Faces that were never rolled are rolled now."""

    def do(place: Place, command: UUID | None) -> Outcome:
        return place.fight.apply(_planned(place, body, command))

    return carry_out(request, encounter, Right.DIRECT, do)


@router.get(
    "/encounters/{encounter}/corrections",
    **answers(list[CorrectionData], about="Who corrected what, and why.", refusals=READING),
)
def corrections(request: Request, encounter: Encounter) -> Response:
    with in_office(request, Right.LOOK, encounter) as (ledger, held):
        return json_answer([correction_data(entry) for entry in ledger.fight(encounter).corrections(held.seat)])


def _planned(place: Place, body: Correction, command: UUID | None) -> combatlog.Plan:
    return place.fight.plan(signed(place, body), command_id=command)


def signed(place: Place, body: Correction) -> Correction:
    return body.model_copy(update={"by": by_of(place, body)})
