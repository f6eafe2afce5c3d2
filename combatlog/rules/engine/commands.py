"""The commands that people give (open a fight, declare an action, answer a question) and their idempotency keys.

The first half of a command's id is derived from the caller's key, the second half from the command itself. A repeated
command has the same id; a different command under the same key has the same first half. Such ids are UUIDs of version
8. All other ids are compared only as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Literal, Protocol
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from combatlog.rules.engine.refusal import Refusal
from ledger.events import Data, Event, Face, Position
from projections.battle.event_history import EventHistory
from projections.battle.fold import Battle

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
    """If given, the declaration is refused in any other round. It is not recorded."""
    as_seen: Literal[True] | None = None
    """It comes from a seat that does not see everything: paths are found as the actor's side sees the map."""


class Reply(BaseModel):
    """The answer to an offered reaction; `reaction` None declines it.

    The reaction is given by its name or its ref. The answer is recorded as `ReactionChosen` or `ReactionDeclined`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    reactor: str
    reaction: str | None = None
    options: Data = Field(default_factory=dict)
    by: str | None = None
    as_seen: Literal[True] | None = None


_VERSION = 6
"""The index of the byte whose upper half is a UUID's version."""


def command_under(key: UUID, said: bytes) -> UUID:
    """The id of the command with this content under this key."""
    id = bytearray(sha256(key.bytes).digest()[:8] + sha256(said).digest()[:8])
    id[_VERSION] = 0x80 | id[_VERSION] & 0x0F
    id[8] = 0x80 | id[8] & 0x3F
    return UUID(bytes=bytes(id))


def has_key(command: UUID) -> bool:
    """Whether the first half of an id was derived from a key."""
    return command.bytes[_VERSION] >> 4 == 8


def require_new_key(course: EventHistory, command: UUID) -> None:
    """Refuse a command whose key was already used for another message."""
    if has_key(command) and course.keys.get(command.bytes[:8], command) != command:
        raise key_reused()


def events_under(events: Sequence[Event], command: UUID) -> list[Event]:
    """What was recorded under the id of a command, or under a key: from its own event up to the next command's."""
    under = command_under(command, b"").bytes[:8]
    found: list[Event] = []
    for event in events:
        told: UUID | None = getattr(event, "command", None)
        if bool(found) if told is None else told == command or told.bytes[:8] == under:
            found.append(event)
        elif found:
            break
    return found


def key_reused() -> Refusal:
    return Refusal("command/key-reused", "The key of this command was used for another one; give each its own key.")


class PlayableFight(Protocol):
    @property
    def battle(self) -> Battle:
        """The current state. It changes with every command."""

    def declare(
        self, declaration: Declaration, *, dice: Sequence[Face] | None = None, replies: Sequence[Reply] = ()
    ) -> Sequence[Event]:
        """Carry out a declaration and return the new events."""

    def answer(self, reply: Reply, *, dice: Sequence[Face] | None = None) -> Sequence[Event]:
        """Answer the open window and return the new events."""


class CommandedFight(Protocol):
    """A fight whose commands can have ids, so that a repeated command is carried out only once."""

    @property
    def battle(self) -> Battle: ...

    def declare(
        self,
        declaration: Declaration,
        *,
        dice: Sequence[Face] | None = None,
        replies: Sequence[Reply] = (),
        command_id: UUID | None = None,
    ) -> Sequence[Event]: ...

    def answer(
        self, reply: Reply, *, dice: Sequence[Face] | None = None, command_id: UUID | None = None
    ) -> Sequence[Event]: ...
