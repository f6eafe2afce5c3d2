"""Webhooks: addresses that are told what happens in a fight. Only GMs register them."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from combatlog.messages.ledger_commands import AddWebhook, NewWebhook, RemoveWebhook
from combatlog.messages.rights import Right
from combatlog.service.answers import json_answer, key_of
from combatlog.service.command_route import BodyRoute
from combatlog.service.documented import answers
from combatlog.service.documented_headers import KEY
from combatlog.service.routes.reading import Encounter
from combatlog.service.seating import in_office
from combatlog.webhooks import NewWebhook as Added
from combatlog.webhooks import Webhook

router = APIRouter(tags=["webhooks"], route_class=BodyRoute)


@router.post(
    "/encounters/{encounter}/webhooks",
    **answers(Added, 201, about="The webhook, with its secret.", takes=(KEY,)),
)
def add_webhook(request: Request, encounter: Encounter, body: NewWebhook) -> Response:
    """Tell an address what happens in the fight. The secret is told once, in this answer."""
    with in_office(request, Right.DIRECT, encounter) as (ledger, held):
        said = {**dict(body), "by": body.by or held.by or "gm"}
        made = ledger.send(AddWebhook(encounter=encounter, **said), command_id=key_of(request, held.id))
    return json_answer(made.to_json(), 201)


@router.delete("/encounters/{encounter}/webhooks/{webhook}", **answers(Webhook, about="It was removed."))
def remove_webhook(request: Request, encounter: Encounter, webhook: UUID) -> Response:
    with in_office(request, Right.DIRECT, encounter) as (ledger, _):
        return json_answer(ledger.send(RemoveWebhook(encounter=encounter, webhook=webhook)).to_json())
