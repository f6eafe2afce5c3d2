"""Questions: why an event is what it is, how fights differ, and what they add up to."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

import combatlog
from combatlog.documents.corrections import comparison_data
from combatlog.documents.fights import explanation_data
from combatlog.documents.shapes import ComparisonData, ExplanationData
from combatlog.messages.rights import Right
from projections.report.models import FightReport, SeenReport
from projections.views import Seat
from rules.content.bestiary import Difficulty
from service.answers import HTML, JSON, json_answer
from service.documented import READING, answers
from service.problems import Refused
from service.routes.reading import Encounter
from service.seating import in_office

router = APIRouter(tags=["asking"])
AnyReport = FightReport | SeenReport
OtherSeat = Annotated[str | None, Query(max_length=200, description="for whom, if one sees everything")]
At = Annotated[int | None, Query(ge=1, le=2**53)]
EventNumber = Annotated[int, Path(ge=1, le=2**53)]


@router.get(
    "/encounters/{encounter}/events/{seq}/explanation",
    **answers(
        ExplanationData, about="The declaration, every modifier, every die, and what it changed.", refusals=READING
    ),
)
def explain(request: Request, encounter: Encounter, seq: EventNumber) -> Response:
    """Events have the numbers that the seat knows them by."""
    with in_office(request, Right.LOOK, encounter) as (ledger, held):
        return json_answer(explanation_data(ledger.fight(encounter).seen_by(held.seat).explain(seq)))


@router.get(
    "/encounters/{encounter}/events/{seq}/why-not",
    **answers(list[str], about="What kept a reaction or modifier out, in sentences.", refusals=READING),
)
def why_not(
    request: Request, encounter: Encounter, seq: EventNumber, name: Annotated[str, Query(min_length=1, max_length=200)]
) -> Response:
    with in_office(request, Right.LOOK, encounter) as (ledger, held):
        return json_answer(ledger.fight(encounter).seen_by(held.seat).why_not(seq, name))


@router.get(
    "/encounters/{encounter}/diff",
    **answers(ComparisonData, about="How two moments, or two fights, differ.", refusals=READING),
)
def diff(
    request: Request,
    encounter: Encounter,
    other: Annotated[str | None, Query(max_length=200, description="another encounter; needs a seat at all")] = None,
    at: At = None,
    other_at: At = None,
) -> Response:
    with in_office(request, Right.LOOK, encounter) as (ledger, held):
        if other is not None and held.encounter is not None:
            raise Refused("seat/not-here", "This seat is at one fight; comparing two takes a seat at all fights.")
        fight = ledger.fight(encounter)
        second = ledger.fight(other) if other is not None else fight
        compared = fight.seen_by(held.seat, at).diff(second.seen_by(held.seat, other_at))
        return json_answer(comparison_data(compared))


@router.get("/encounters/{encounter}/report", **answers(AnyReport, about="The fight in numbers.", refusals=READING))
def report(request: Request, encounter: Encounter) -> Response:
    """From a seat that does not see everything: of nothing but what it saw."""
    with in_office(request, Right.LOOK, encounter) as (ledger, held):
        return json_answer(ledger.fight(encounter).seen_by(held.seat).report().model_dump(mode="json"))


@router.get(
    "/encounters/{encounter}/replay",
    **answers(
        about="The fight as a replay: data for pages, or a page in a single file.",
        refusals=READING,
        content={JSON: {"schema": {"type": "object"}}, HTML: {"schema": {"type": "string"}}},
    ),
)
def replay(
    request: Request,
    encounter: Encounter,
    format: Literal["json", "html"] = "json",
    seat: OtherSeat = None,
) -> Response:
    """docs/replay.md says what is in it. `seat` is written as the command line takes it: `players`, `spectator`."""
    with in_office(request, Right.LOOK, encounter) as (ledger, held):
        fight = ledger.fight(encounter)
        view = fight.seen_by(seat_meant(held, seat))
        if format == "json":
            return json_answer(view.replay_document())
        name = quote(f"{fight.battle.name}.html", safe="")
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
        return Response(view.replay_page(), headers=headers, media_type=HTML)


@router.get(
    "/encounters/{encounter}/difficulty",
    **answers(Difficulty, about="How hard the fight is for a side, by experience points.", refusals=READING),
)
def difficulty(
    request: Request, encounter: Encounter, side: Annotated[str, Query(min_length=1, max_length=200)] = "heroes"
) -> Response:
    with in_office(request, Right.KNOW, encounter) as (ledger, _):
        return json_answer(asdict(ledger.fight(encounter).seen_by().difficulty(side)))


def seat_meant(held: combatlog.HeldSeat, seat: str | None) -> str | Seat:
    """Whose eyes are meant: one's own or, if one sees everything, anybody's."""
    if seat is not None and not held.seat.sees_all:
        raise Refused("seat/not-allowed", "This seat cannot look at the fight from another one.", found=seat)
    return seat if seat is not None else held.seat
