"""Corrections: a plan shows what would become of every declaration; the same request, applied, carries it out."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from combatlog.handlers import carry_out as dispatch
from combatlog.messages.corrections import Correction
from combatlog.messages.rights import Right
from combatlog.rules.engine.corrections.plan import PlanData
from combatlog.service.answers import expected_seq as expected_of
from combatlog.service.answers import json_answer, key_of, require_unchanged, tag
from combatlog.service.command_route import BodyRoute
from combatlog.service.documented import answers
from combatlog.service.documented_headers import ETAG, IF_MATCH, KEY
from combatlog.service.recording import carry_out
from combatlog.service.results import RecordedData
from combatlog.service.routes.reading import Encounter
from combatlog.service.seating import sitting

router = APIRouter(tags=["correcting"], route_class=BodyRoute)


@router.post(
    "/encounters/{encounter}/corrections/plan",
    **answers(PlanData, about="What the correction would do.", has=(ETAG,), takes=(KEY, IF_MATCH)),
)
def plan_correction(request: Request, encounter: Encounter, body: Correction) -> Response:
    """Nothing is recorded. Apply it with the same body and `If-Match` set to this answer's ETag."""
    expected = expected_of(request)
    with sitting(request, encounter, Right.OVERSEE) as place:
        require_unchanged(place, expected)
        key = key_of(request, place.held.id)
        sender = place.sender(body, body.command(key) if key is not None else None)
        sender.dry_run = True
        return json_answer(dispatch(body, sender).to_json(), headers={"ETag": tag(place.watch.last)})


@router.post("/encounters/{encounter}/corrections", **answers(RecordedData, about="The correction was recorded."))
def apply_correction(request: Request, encounter: Encounter, body: Correction) -> Response:
    """Plan and apply a correction in one append. Faces that were never rolled are rolled now."""
    return carry_out(request, encounter, body)
