"""Forks: a new encounter that shares the past of another."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from combatlog.rules.engine.dice.dice_sources import commitment_to
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.resolution.command_checks import check_name
from ledger.events import Commanded, Declared, Event, Forked, ReactionChosen, ReactionDeclined
from ledger.store.ledger import MAX_FORKS_DEEP, encounter_id
from projections.battle.fold import fold


def begin_fork(
    events: Sequence[Event],
    at: int | None,
    name: str,
    *,
    by: str,
    command: UUID,
    now: datetime,
    seed: bytes | None = None,
) -> Forked:
    """The first event of a fork. Its seq follows that of the last shared event."""
    at = at if at is not None else events[-1].seq
    if not 1 <= at <= events[-1].seq:
        last = events[-1].seq
        raise Refusal("fork/no-event", f"There is no event {at}; the last one is {last}.", seq=at, last=last)
    _check_whole(events, at)
    _check_depth(events[:at])
    checked = check_name(name)
    battle = fold(events[:at])
    return Forked(
        encounter=encounter_id(checked),
        seq=at + 1,
        recorded_at=now,
        declaration=at + 1,
        round=battle.clock.round,
        turn=battle.clock.turn,
        parent=battle.id,
        at=at,
        name=checked,
        commitment=commitment_to(seed),
        by=by,
        command=command,
    )


def _check_depth(shared: Sequence[Event]) -> None:
    if sum(isinstance(event, Forked) for event in shared) >= MAX_FORKS_DEEP:
        raise Refusal(
            "fork/too-deep",
            f"Forks cannot be nested more than {MAX_FORKS_DEEP} deep; fork one of this fork's parents instead.",
            most=MAX_FORKS_DEEP,
        )


def _check_whole(events: Sequence[Event], at: int) -> None:
    """Refuse to fork in the middle of a command's events."""
    ends = [*(seq - 1 for seq in _command_starts(events) if seq > 1), events[-1].seq]
    if at not in ends:
        near = [max(end for end in ends if end < at), min(end for end in ends if end > at)]
        raise Refusal(
            "fork/mid-command",
            f"Event {at} is in the middle of a command; a fork can begin after event {choices(map(str, near))}.",
            seq=at,
            available=near,
        )


def _command_starts(events: Sequence[Event]) -> list[int]:
    """The seqs at which commands begin: declarations, corrections, and answers given as separate commands.

    Declarations that a correction records again belong to the correction.
    """
    commands: set[UUID] = set()
    starts = []
    for event in events:
        if isinstance(event, Declared) and event.cause is not None:
            commands.add(event.command)
        elif isinstance(event, Commanded | ReactionChosen | ReactionDeclined) and event.command is not None:
            if event.command not in commands or isinstance(event, Commanded):
                starts.append(event.seq)
            commands.add(event.command)
    return starts
