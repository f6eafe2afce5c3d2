"""Undo and redo."""

from __future__ import annotations

from uuid import UUID, uuid4

from ledger.events import Amended, Declared, Event, Redone, RoundStarted, TurnStarted, Undone
from projections.timeline import retracted, standing
from rules.engine.corrections.plan import Entry, Plan, Verdict
from rules.engine.corrections.rebase import Rebase, Remedies, first_affected, later_segments
from rules.engine.fight import Fight, stamped
from rules.engine.refusal import Refusal


def last(fight: Fight) -> set[int]:
    """The last standing declaration."""
    return {declarations(fight)[-1].seq}


def back_to(fight: Fight, seq: int) -> set[int]:
    """Everything declared after an event."""
    after = {declared.seq for declared in declarations(fight) if declared.seq > seq}
    if not after:
        raise Refusal("undo/nothing", f"No declaration after event {seq} stands.", seq=seq)
    return after


def turn(fight: Fight) -> set[int]:
    """Everything declared in the current turn or, if that is nothing, in the one before."""
    return _since_last(fight, TurnStarted, "turn")


def round_(fight: Fight) -> set[int]:
    """Everything declared in the current round or, if that is nothing, in the one before."""
    return _since_last(fight, RoundStarted, "round")


def one(fight: Fight, seq: int) -> set[int]:
    """The declaration that an event belongs to, in the middle of others."""
    return {standing_declaration(fight, seq).seq}


def plan_undo(
    fight: Fight, what: set[int], *, by: str, reason: str, remedies: Remedies | None = None, command: UUID | None = None
) -> Plan:
    """The plan for taking these declarations back."""
    first = first_affected(fight.events, what)
    later = later_segments(fight.events, what, first)
    undone = stamped(
        fight,
        Undone,
        retracts=tuple(sorted({*what, *(segment.declaration for segment in later)})),
        reason=reason,
        by=by,
        command=command or uuid4(),
    )
    plan = Rebase(fight, undone, remedies or Remedies()).run(later, {})
    taken = [Entry(declared, Verdict.TAKEN_BACK) for declared in declarations(fight) if declared.seq in what]
    plan.entries = [*taken, *plan.entries]
    return plan


def plan_redo(fight: Fight, *, by: str, reason: str, command: UUID | None = None) -> Plan:
    """The plan for taking the last correction back."""
    correction = _last_correction(fight)
    redone = stamped(fight, Redone, undone=correction.seq, reason=reason, by=by, command=command or uuid4())
    after = Fight([*fight.events, redone])
    restored = retracted(fight.events) - retracted(after.events)
    entries = [Entry(e, Verdict.RESTORED) for e in fight.events if isinstance(e, Declared) and e.seq in restored]
    return Plan(redone, entries, [redone], fight.battle, after.battle)


def declarations(fight: Fight) -> list[Declared]:
    """The standing declarations that can be taken back: not those in a fork's shared past."""
    own = fight.battle.fork.seq if fight.battle.fork else 0
    found = [event for event in standing(fight.events) if isinstance(event, Declared) and event.seq > own]
    if not found:
        raise Refusal("undo/nothing", "There is nothing to take back.")
    return found


def standing_declaration(fight: Fight, seq: int) -> Declared:
    """The declaration that an event belongs to, if it stands."""
    last = len(fight.events)
    if not 1 <= seq <= last:
        raise Refusal("undo/no-event", f"There is no event {seq}; the last one is {last}.", seq=seq, last=last)
    wanted = fight.events[seq - 1].declaration
    if fight.battle.fork and seq <= fight.battle.fork.at:
        raise Refusal(
            "undo/shared-past",
            f"Event {seq} is in the past that this fork shares with its parent; fork at an earlier event instead.",
            seq=seq,
            forked_at=fight.battle.fork.at,
        )
    for declared in declarations(fight):
        if declared.seq == wanted:
            return declared
    raise Refusal("undo/not-standing", f"Event {seq} does not belong to a declaration that stands.", seq=seq)


def _since_last(fight: Fight, boundary: type[Event], what: str) -> set[int]:
    candidates = declarations(fight)
    for event in reversed(standing(fight.events)):
        if isinstance(event, boundary):
            since = {declared.seq for declared in candidates if declared.seq > event.seq}
            if since:
                return since
    raise Refusal("undo/nothing", f"Nothing has been declared in a {what} yet.", what=what)


def _last_correction(fight: Fight) -> Undone | Amended:
    taken_back = {event.undone for event in fight.events if isinstance(event, Redone)}
    for event in reversed(fight.events):
        if isinstance(event, Undone | Amended) and event.seq not in taken_back:
            _check_own(fight, event)
            _check_nothing_new(fight, event)
            return event
    raise Refusal("redo/nothing", "There is no correction to take back.")


def _check_own(fight: Fight, correction: Undone | Amended) -> None:
    fork = fight.battle.fork
    if fork and correction.seq <= fork.at:
        raise Refusal(
            "redo/shared-past",
            f"Correction {correction.seq} is in the past that this fork shares with its parent; "
            "fork at an earlier event instead.",
            correction=correction.seq,
            forked_at=fork.at,
        )


def _check_nothing_new(fight: Fight, correction: Undone | Amended) -> None:
    for event in standing(fight.events):
        is_new = isinstance(event, Declared) and event.seq > correction.seq and event.cause != correction.seq
        if is_new:
            raise Refusal(
                "redo/too-late",
                f"Declaration {event.seq} came after correction {correction.seq}; take it back first.",
                declaration=event.seq,
                correction=correction.seq,
            )
