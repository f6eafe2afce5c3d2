"""Invite and revoke seats, join by a link, and register webhooks. Only GMs register webhooks."""

from __future__ import annotations

from datetime import UTC
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from combatlog.messages.ledger_commands import AddWebhook, Invite, NewSeat, NewWebhook, RemoveWebhook, RevokeSeat
from combatlog.messages.questions import ListSeats
from combatlog.messages.rights import Right
from combatlog.seats import HeldSeat, InvitationData, chosen
from combatlog.service.authentication import COOKIE, no_token, require_seat, runtime_of, with_ledger
from combatlog.service.commands import BodyRoute
from combatlog.service.openapi import KEY, READING, answers
from combatlog.service.responses import json_answer, key_of
from combatlog.service.routes.state_and_events import Encounter
from combatlog.webhooks import Webhook
from combatlog.webhooks import WebhookWithSecret as Added

router = APIRouter(tags=["seats"], route_class=BodyRoute)
join_router = APIRouter(tags=["seats"])


@router.get("/seat", **answers(HeldSeat, about="The seat that the token is for.", refusals=READING))
def seat(request: Request) -> Response:
    return json_answer(require_seat(request, Right.LOOK)[0].to_json())


@router.post(
    "/encounters/{encounter}/seats", **answers(InvitationData, 201, about="The seat, with its token.", takes=(KEY,))
)
def invite(request: Request, encounter: Encounter, body: NewSeat) -> Response:
    """Create a seat. Its token is shown once, in this answer."""
    with with_ledger(request, Right.DIRECT, encounter) as (ledger, held):
        made = ledger.send(Invite(encounter=encounter, **dict(body)), command_id=key_of(request, held.id))
    link = f"{str(request.base_url).rstrip('/')}/join?token={made.token}"
    return json_answer({**made.to_json(), "link": link}, 201)


@router.delete("/encounters/{encounter}/seats/{seat}", **answers(HeldSeat, about="It was revoked."))
def revoke_seat(request: Request, encounter: Encounter, seat: UUID) -> Response:
    """Revoke a seat at once. Its streams end."""
    with with_ledger(request, Right.DIRECT, encounter) as (ledger, held):
        seats = ledger.send(ListSeats(encounter=encounter), seat=held)
        gone = ledger.send(RevokeSeat(encounter=encounter, seat=chosen("seat", str(seat), seats).id))
    for subscriber, watching in tuple(runtime_of(request).streams.items()):
        if watching == gone.id:
            subscriber.end()
    return json_answer(gone.to_json())


@join_router.get("/join", include_in_schema=False)
def join(request: Request, token: Annotated[str, Query(max_length=200)]) -> Response:
    """Join in a browser: the token becomes a cookie that scripts and other sites cannot use."""
    with runtime_of(request).office() as ledger:
        held = ledger.seats.find(token)
    if held is None:
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


webhook_router = APIRouter(tags=["webhooks"], route_class=BodyRoute)


@webhook_router.post(
    "/encounters/{encounter}/webhooks",
    **answers(Added, 201, about="The webhook, with its secret.", takes=(KEY,)),
)
def add_webhook(request: Request, encounter: Encounter, body: NewWebhook) -> Response:
    """Deliver the events of the fight to a URL. The secret is shown once, in this answer."""
    with with_ledger(request, Right.DIRECT, encounter) as (ledger, held):
        said = {**dict(body), "by": body.by or held.by or "gm"}
        made = ledger.send(AddWebhook(encounter=encounter, **said), command_id=key_of(request, held.id))
    return json_answer(made.to_json(), 201)


@webhook_router.delete("/encounters/{encounter}/webhooks/{webhook}", **answers(Webhook, about="It was removed."))
def remove_webhook(request: Request, encounter: Encounter, webhook: UUID) -> Response:
    with with_ledger(request, Right.DIRECT, encounter) as (ledger, _):
        return json_answer(ledger.send(RemoveWebhook(encounter=encounter, webhook=webhook)).to_json())
