"""Seats: who sits here, giving somebody a seat, and taking it away. And the link with which a browser sits down."""

from __future__ import annotations

from datetime import UTC
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from combatlog.messages.ledger_commands import Invite, NewSeat, RevokeSeat
from combatlog.messages.questions import ListSeats
from combatlog.messages.rights import Right
from combatlog.seats import HeldSeat, chosen_seat
from combatlog.service.answers import json_answer, key_of
from combatlog.service.command_route import BodyRoute
from combatlog.service.documented import READING, answers
from combatlog.service.documented_headers import KEY
from combatlog.service.results import InvitedData
from combatlog.service.routes.reading import Encounter
from combatlog.service.seating import COOKIE, hall_of, in_office, seated

router = APIRouter(tags=["seats"], route_class=BodyRoute)
open_router = APIRouter(tags=["seats"])


@router.get("/seat", **answers(HeldSeat, about="The seat that the token is for.", refusals=READING))
def seat(request: Request) -> Response:
    return json_answer(seated(request, Right.LOOK)[0].to_json())


@router.post(
    "/encounters/{encounter}/seats", **answers(InvitedData, 201, about="The seat, with its token.", takes=(KEY,))
)
def invite(request: Request, encounter: Encounter, body: NewSeat) -> Response:
    """Give somebody a seat. The token is told once, in this answer."""
    with in_office(request, Right.DIRECT, encounter) as (ledger, held):
        made = ledger.send(Invite(encounter=encounter, **dict(body)), command_id=key_of(request, held.id))
    link = f"{str(request.base_url).rstrip('/')}/join?token={made.token}"
    return json_answer({**made.to_json(), "link": link}, 201)


@router.delete("/encounters/{encounter}/seats/{seat}", **answers(HeldSeat, about="It was taken away."))
def revoke_seat(request: Request, encounter: Encounter, seat: UUID) -> Response:
    """Take a seat away at once. Its streams end."""
    with in_office(request, Right.DIRECT, encounter) as (ledger, held):
        seats = ledger.send(ListSeats(encounter=encounter), seat=held)
        gone = ledger.send(RevokeSeat(encounter=encounter, seat=chosen_seat(str(seat), seats).id))
    for subscriber, watching in tuple(hall_of(request).streams.items()):
        if watching == gone.id:
            subscriber.end()
    return json_answer(gone.to_json())


@open_router.get("/join", include_in_schema=False)
def join(request: Request, token: Annotated[str, Query(max_length=200)]) -> Response:
    """Sit down in a browser: the token becomes a cookie that scripts and other sites cannot use."""
    with hall_of(request).office() as ledger:
        held = ledger.seats.find(token)
    if held is None:
        from combatlog.service.seating import no_token

        raise no_token()
    where = f"/table/{held.encounter}" if held.encounter is not None else "/table"
    answer = RedirectResponse(where, 303, {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})
    secure = request.url.scheme == "https"
    answer.set_cookie(
        COOKIE,
        token,
        expires=held.expires_at.astimezone(UTC),
        httponly=True,
        samesite="strict",
        secure=secure,
        path="/",
    )
    return answer
