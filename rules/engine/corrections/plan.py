"""What a correction, or a command that is proposed, would do before it is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID

from ledger.events import Commanded, Declared, Event
from projections.battle import Battle
from projections.difference import Difference, differences
from projections.journal import copy_of
from projections.timeline import Correction
from rules.engine.fight import Fight
from rules.engine.keys import key_reused, require_new_key
from rules.engine.refusal import Refusal


class Verdict(StrEnum):
    """What becomes of a declaration."""

    TAKEN_BACK = "taken back"
    AMENDED = "amended"
    KEPT = "kept"
    CHANGED = "changed"
    IMPOSSIBLE = "no longer possible"
    UPHELD = "kept as a ruling"
    NEW_TURN = "new"
    INSERTED = "inserted"
    RESTORED = "stands again"
    NEEDS_DICE = "needs dice"
    OPEN = "open"
    PROPOSED = "proposed"


@dataclass(frozen=True, slots=True)
class EventChange:
    """An event that changes; None where there was no such event before, or is none now."""

    recorded: Event | None
    now: Event | None


@dataclass(slots=True)
class Entry:
    """One declaration in a plan."""

    declared: Declared
    verdict: Verdict
    why: str | None = None
    changes: list[EventChange] = field(default_factory=list)
    replaced_by: int | None = None
    """Seq of the declaration that now stands in its place."""


@dataclass(frozen=True, slots=True)
class DiceNeeded:
    """Committed dice that a correction needs and that were never rolled. They are rolled when it is carried out."""

    declaration: int
    purpose: str
    dice: tuple[str, ...]


@dataclass(slots=True)
class Plan:
    """A correction that can be shown, and then applied exactly as shown.

    If it needs committed dice that were never rolled, it shows what happens before them. The rest is decided when it is
    carried out; otherwise people could look at faces and make only the corrections that suit them.
    """

    correction: Commanded
    """The correction; of a command, what it would declare."""
    entries: list[Entry]
    new: list[Event]
    """The correction and everything it puts in place, to be appended together."""
    before: Battle
    after: Battle
    dice_added: int = 0
    """Dice that were newly rolled for the corrected rolls."""
    repeated: bool = False
    """The correction was made before, so there is nothing to apply."""
    head: bytes = b""
    """The hash of the last recorded event when it was planned, in a ledger."""
    needs: DiceNeeded | None = None
    """The first dice that have to be rolled for it. Then `new` and `after` are not known yet."""
    undecided: Refusal | None = None
    """Why it cannot be applied yet: nobody has decided what to do with declarations that are no longer possible.

    Until then, the plan shows what happens if they are left out.
    """
    affects: frozenset[str] = frozenset()
    """Combatants whom a command affects besides."""
    message: Any = None
    """What was asked for, as the message that the interface sent; the rules do not look at it."""
    key: UUID | None = None
    """The key that it is sent to a service with."""
    roll: Callable[[], Plan] | None = None
    """Plans it once more, rolling the dice that it needs."""
    _complete: Plan | None = None

    @property
    def latest(self) -> Plan:
        """The plan as it was carried out last, if it was."""
        return self._complete or self

    def require_decided(self) -> None:
        if self.undecided is not None:
            raise self.undecided

    def complete(self) -> Plan:
        """The plan with all dice rolled, for carrying it out: always the same one, however often that is tried."""
        if self.roll is None:
            return self
        if self._complete is None:
            self._complete = self.roll()
        return self._complete

    def state_changes(self) -> list[Difference]:
        return differences(self.before, self.after)

    def of(self, verdict: Verdict) -> list[Entry]:
        return [entry for entry in self.entries if entry.verdict is verdict]


def made_before(fight: Fight, command: UUID | None) -> Plan | None:
    """The plan of a correction that is repeated: the recorded correction, and nothing to do.

    The fight has moved on since, so planning it anew would be refused or take back something else.
    """
    if command is None:
        return None
    require_new_key(fight.course, command)
    if command not in fight.course.commands:
        return None
    first = fight.course.event(fight.course.commands[command])
    if not isinstance(first, Correction):
        raise key_reused()
    now = copy_of(fight.battle)
    return Plan(first, [], [], now, now, repeated=True)
