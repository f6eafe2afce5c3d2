"""What a correction would do, before it is done."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from ledger.events import Amended, Declared, Event, Redone, Undone
from projections.battle import Battle
from projections.difference import Difference, differences
from projections.journal import copy_of
from rules.engine.fight import Fight
from rules.engine.refusal import Refusal

Correction = Undone | Amended | Redone


class Verdict(StrEnum):
    """What becomes of a declaration."""

    TAKEN_BACK = "taken back"
    AMENDED = "amended"
    KEPT = "kept"
    CHANGED = "changed"
    IMPOSSIBLE = "no longer possible"
    UPHELD = "kept as a ruling"
    INSERTED = "new"
    RESTORED = "stands again"


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


@dataclass(slots=True)
class Plan:
    """A correction that can be shown, and then applied exactly as shown."""

    correction: Correction
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

    def state_changes(self) -> list[Difference]:
        return differences(self.before, self.after)

    def of(self, verdict: Verdict) -> list[Entry]:
        return [entry for entry in self.entries if entry.verdict is verdict]


def made_before(fight: Fight, command: UUID | None) -> Plan | None:
    """The plan of a correction that is repeated: the recorded correction, and nothing to do.

    The fight has moved on since, so planning it anew would be refused or take back something else.
    """
    if command is None or command not in fight.course.commands:
        return None
    first = fight.course.event(fight.course.commands[command])
    if not isinstance(first, Correction):
        raise Refusal(
            "correction/command-taken",
            f"The command with this id led to event {first.seq}, which is not a correction.",
            seq=first.seq,
        )
    now = copy_of(fight.battle)
    return Plan(first, [], [], now, now, repeated=True)
