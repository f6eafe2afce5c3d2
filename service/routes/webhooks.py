"""Webhooks: addresses that are told what happens in a fight. Only GMs register them."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from combatlog.documents.shapes import NewWebhookData, WebhookData
from combatlog.messages import requests
from combatlog.messages.rights import Right
from projections.views import Role, Seat
from service.answers import json_answer, key_of
from service.command_route import BodyRoute
from service.documented import answers
from service.documented_headers import KEY
from service.routes.reading import Encounter
from service.seating import in_office

router = APIRouter(tags=["webhooks"], route_class=BodyRoute)


@router.post(
    "/encounters/{encounter}/webhooks",
    **answers(NewWebhookData, 201, about="The webhook, with its secret.", takes=(KEY,)),
)
def add(request: Request, encounter: Encounter, body: requests.NewWebhook) -> Response:
    """Tell an address what happens in the fight. The secret is told once, in this answer."""
    with in_office(request, Right.DIRECT, encounter) as (ledger, held):
        seat = Seat(Role(body.role), combatants=frozenset(body.combatants))
        by = body.by or held.by or "gm"
        key = key_of(request, held.id)
        made = ledger.webhooks.add(encounter, body.url, seat, by=by, from_start=body.from_start, command_id=key)
    return json_answer({**made.webhook.as_data(), "secret": made.secret}, 201)


@router.delete("/encounters/{encounter}/webhooks/{webhook}", **answers(WebhookData, about="It was removed."))
def remove(request: Request, encounter: Encounter, webhook: UUID) -> Response:
    with in_office(request, Right.DIRECT, encounter) as (ledger, _):
        return json_answer(ledger.webhooks.remove(webhook, encounter).as_data())
