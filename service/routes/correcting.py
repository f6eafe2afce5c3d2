"""Corrections: a plan shows what would become of every declaration; the same request, applied, carries it out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

import combatlog
from combatlog.documents.corrections import correction_data, plan_data
from combatlog.documents.shapes import CorrectionData, PlanData
from rules.engine import commands as engine
from rules.engine.outcome import Outcome
from service import bodies
from service.answers import command_of, json_answer, require_unchanged, tag
from service.answers import expected_seq as expected_of
from service.documented import READING, answers
from service.documented_headers import ETAG, IF_MATCH, KEY
from service.recording import carry_out
from service.results import RecordedData
from service.rights import Right
from service.routes.declaring import by_of
from service.routes.reading import Encounter
from service.seating import Place, in_office, sitting

router = APIRouter(tags=["correcting"])


@router.post(
    "/encounters/{encounter}/corrections/plan",
    **answers(PlanData, about="What the correction would do.", has=(ETAG,), takes=(KEY, IF_MATCH)),
)
def plan(request: Request, encounter: Encounter, body: bodies.Correction) -> Response:
    """Nothing is recorded. Apply it with the same body and `If-Match` set to this answer's ETag."""
    expected = expected_of(request)
    with sitting(request, encounter, Right.OVERSEE) as place:
        require_unchanged(place, expected)
        made = _planned(place, body, command_of(request, place.held.id))
        return json_answer(plan_data(made), headers={"ETag": tag(place.watch.last)})


@router.post("/encounters/{encounter}/corrections", **answers(RecordedData, about="The correction was recorded."))
def apply(request: Request, encounter: Encounter, body: bodies.Correction) -> Response:
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


def _planned(place: Place, body: bodies.Correction, command: UUID | None) -> combatlog.Plan:
    fight = place.fight
    plans: dict[str, Callable[..., combatlog.Plan]]
    plans = {"undo": fight.plan_undo, "redo": fight.plan_redo, "amend": fight.plan_amend, "insert": fight.plan_insert}
    return plans[body.correction](**what(place, body), command_id=command)


def what(place: Place, body: bodies.Correction) -> dict[str, Any]:
    """What the correction is planned with, as `plan_undo` and its like take it."""
    said: dict[str, Any] = {"reason": body.reason, "by": by_of(place, body) or "gm"}
    if isinstance(body, bodies.Redo):
        return said
    said |= {"impossible": body.impossible, "dice": body.dice}
    if isinstance(body, bodies.Undo):
        choice = {"seq": body.seq, "turn": body.turn, "round": body.round, "back_to": body.back_to}
        return {**said, **choice, "replies": _later(body)}
    said |= {"target": body.targets, "to": body.to, "weapon": body.weapon, "options": body.options}
    said |= {"replies": _replies(body.replies), "later_replies": _later(body)}
    names: tuple[str, ...]
    match body:
        case bodies.Amend():
            names = ("seq", "add", "drop", "resist", "vulnerable", "immune", "whose", "faces")
        case bodies.Insert():
            names = ("actor", "action", "before", "after")
        case _:
            assert_never(body)
    return {**said, **{name: getattr(body, name) for name in names}}


def _replies(given: list[bodies.Reply]) -> list[engine.Reply]:
    return [engine.Reply(reactor=one.reactor, reaction=one.reaction, options=one.options) for one in given]


def _later(body: bodies.Undo | bodies.Amend | bodies.Insert) -> dict[int, list[engine.Reply]]:
    return {seq: _replies(given) for seq, given in body.later_replies.items()}
