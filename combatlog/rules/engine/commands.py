"""What people say: how a fight is opened, what somebody declares, and what somebody answers."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ledger.events import Data, Position

GM = "gm"


class Opening(BaseModel):
    """How an encounter is opened."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    ruleset: str = "dnd5e"
    dice: str = "random"
    map: tuple[str, ...] | None = None
    options: Data = Field(default_factory=dict)
    labels: tuple[str, ...] = ()
    by: str = GM


class Declaration(BaseModel):
    """What someone says they do."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    actor: str
    action: str
    targets: tuple[str, ...] = ()
    destination: Position | None = None
    weapon: str | None = None
    options: Data = Field(default_factory=dict)
    by: str | None = None
    round: int | None = None
    """The round that is meant, if that matters; it is refused in another one. It is not recorded."""
    as_seen: Literal[True] | None = None
    """It comes from a seat that does not see everything: a way is found as the actor's side sees the map."""


class Reply(BaseModel):
    """What someone answers when a reaction is offered; `reaction` None lets it pass.

    The reaction is named as people name it, or by its ref. What comes of it is recorded as `ReactionChosen` or
    `ReactionDeclined`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    reactor: str
    reaction: str | None = None
    options: Data = Field(default_factory=dict)
    by: str | None = None
    as_seen: Literal[True] | None = None
