"""Commands to a ledger that are part of no fight's log: who may take part in a fight, and who is told about it."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from combatlog.messages.message import Message, Name, Said, example
from combatlog.messages.questions import Encounter, LedgerMessage
from combatlog.messages.rights import Right
from ledger.json_shapes import LazyType

Role = Literal["gm", "player", "spectator", "auditor"]


class LedgerCommand(LedgerMessage):
    right = Right.DIRECT
    method = "POST"


class NewSeat(Message):
    model_config = example(role="player", combatants=["rurik"], name="Anna")

    role: Role
    combatants: Annotated[tuple[Name, ...], Field(max_length=100, description="whom a player plays")] = ()
    name: Name | None = None
    delay: Annotated[int, Field(ge=0, le=24 * 3600, description="seconds, for a spectator")] = 0
    days: Annotated[int, Field(ge=1, le=3650)] = 30


class Invite(NewSeat, LedgerCommand):
    """Give somebody a seat. The token is told once, in this answer."""

    path = "encounters/{encounter}/seats"
    tag = "seats"
    answer = LazyType("combatlog.seats:Invitation")

    encounter: Encounter | None
    """None: a seat at all fights, which nobody can give over HTTP."""


class RevokeSeat(LedgerCommand):
    """Take a seat away at once. Its streams end."""

    path = "encounters/{encounter}/seats/{seat}"
    tag = "seats"
    method = "DELETE"
    answer = LazyType("combatlog.seats:HeldSeat")

    encounter: Encounter | None
    seat: UUID


class NewWebhook(Said):
    model_config = example(url="https://example.org/hook", role="spectator")

    url: Annotated[str, Field(min_length=1, max_length=2000, examples=["https://example.org/hook"])]
    role: Annotated[Role, Field(description="the seat whose view is delivered")] = "spectator"
    combatants: Annotated[tuple[Name, ...], Field(max_length=100, description="whom that player plays")] = ()
    from_start: Annotated[bool, Field(description="from the first event of the fight; otherwise from now on")] = False


class AddWebhook(NewWebhook, LedgerCommand):
    """Tell an address what happens in the fight. The secret is told once."""

    path = "encounters/{encounter}/webhooks"
    tag = "webhooks"
    answer = LazyType("combatlog.webhooks:NewWebhook")

    encounter: Encounter


class RemoveWebhook(LedgerCommand):
    """Remove a webhook. What is on its way may still arrive."""

    path = "encounters/{encounter}/webhooks/{webhook}"
    tag = "webhooks"
    method = "DELETE"
    answer = LazyType("combatlog.webhooks:Webhook")

    encounter: Encounter
    webhook: UUID
