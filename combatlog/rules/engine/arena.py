"""Where a fight takes place, in memory or in a ledger: all that scenarios and automatic play need of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from combatlog.rules.engine.commands import Declaration, Reply
from ledger.events import Event, Face
from projections.battle import Battle


class Arena(Protocol):
    @property
    def battle(self) -> Battle:
        """The state as it is now. It changes with every command."""

    def declare(
        self, declaration: Declaration, *, dice: Sequence[Face] | None = None, replies: Sequence[Reply] = ()
    ) -> Sequence[Event]:
        """Carry out a declaration; the new events."""

    def answer(self, reply: Reply, *, dice: Sequence[Face] | None = None) -> Sequence[Event]:
        """Answer the open window; the new events."""


class CommandedArena(Protocol):
    """One where each command can have an id, so that it is carried out once however often it is given."""

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
