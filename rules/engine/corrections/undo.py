"""Undo and redo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID, uuid4

from ledger.events import (
    Amended,
    Commanded,
    Declared,
    Event,
    ReactionChosen,
    ReactionDeclined,
    Redone,
    RoundStarted,
    TurnStarted,
    Undone,
)
from projections.timeline import retracted, standing
from rules.engine.corrections.compare import compare
from rules.engine.corrections.plan import Entry, Plan, Verdict
from rules.engine.corrections.rebase import Rebase, Remedies, first_affected, later_segments
from rules.engine.corrections.segments import Segment
from rules.engine.fight import Fight, stamped
from rules.engine.refusal import Refusal


class Undoable(NamedTuple):
    """What can be taken back at once: a declaration, or the answers to it that were given since a fork."""

    since: int
    declared: Declared


def last(fight: Fight) -> set[int]:
    """What was declared last or, in a fork, answered to a declaration from before it."""
    return {_undoable(fight)[-1].declared.seq}


def back_to(fight: Fight, seq: int) -> set[int]:
    """Everything declared after an event."""
    after = {declared.seq for since, declared in _undoable(fight) if since > seq}
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
    answered = _answered_since_fork(fight)
    if answered and answered.since <= seq and _declaration_of(fight, seq) == answered.declared.seq:
        return {answered.declared.seq}
    return {standing_declaration(fight, seq).seq}


def plan_undo(
    fight: Fight, what: set[int], *, by: str, reason: str, remedies: Remedies | None = None, command: UUID | None = None
) -> Plan:
    """The plan for taking these declarations back; of one from before a fork, only the answers given since."""
    answered = _answered_since_fork(fight)
    if answered is not None and answered.declared.seq not in what:
        answered = None
    gone = what - {answered.declared.seq} if answered else what
    first = first_affected(fight.events, what)
    later = later_segments(_without_answers(fight.events, answered), gone, first)
    if answered is not None:
        _check_nothing_after(answered, later)
    undone = stamped(
        fight,
        Undone,
        retracts=tuple(sorted({*what, *(segment.declaration for segment in later)})),
        reason=reason,
        by=by,
        command=command or uuid4(),
    )
    waits = answered.declared.seq if answered else None
    plan = Rebase(fight, undone, remedies or Remedies(), waits=waits).run(later, {})
    taken = [Entry(declared, Verdict.TAKEN_BACK) for declared in declared_in(fight) if declared.seq in gone]
    plan.entries = [*taken, *plan.entries]
    if answered is not None and plan.needs is None:
        _show_answers(plan, fight, answered)
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
    found = declared_in(fight)
    if not found:
        raise _nothing()
    return found


def declared_in(fight: Fight) -> list[Declared]:
    """The standing declarations of the fight itself, not those that a fork shares with its parent."""
    shared = _shared_commands(fight)
    found = (event for event in standing(fight.events) if isinstance(event, Declared))
    return [declared for declared in found if declared.command not in shared]


def standing_declaration(fight: Fight, seq: int) -> Declared:
    """The declaration that an event belongs to, if it stands."""
    wanted = _declaration_of(fight, seq)
    fork, shared = fight.battle.fork, _shared_commands(fight)
    found = (event for event in standing(fight.events) if isinstance(event, Declared) and event.seq == wanted)
    declared = next(found, None)
    if fork and (seq <= fork.at or (declared and declared.command in shared)):
        raise Refusal(
            "undo/shared-past",
            f"Event {seq} is in the past that this fork shares with its parent; fork at an earlier event instead.",
            seq=seq,
            forked_at=fork.at,
        )
    if declared is None:
        raise Refusal("undo/not-standing", f"Event {seq} does not belong to a declaration that stands.", seq=seq)
    return declared


def _declaration_of(fight: Fight, seq: int) -> int:
    last = len(fight.events)
    if not 1 <= seq <= last:
        raise Refusal("undo/no-event", f"There is no event {seq}; the last one is {last}.", seq=seq, last=last)
    return fight.events[seq - 1].declaration


def _nothing() -> Refusal:
    return Refusal("undo/nothing", "There is nothing to take back.")


def _since_last(fight: Fight, boundary: type[Event], what: str) -> set[int]:
    candidates = _undoable(fight)
    for event in reversed(standing(fight.events)):
        if isinstance(event, boundary):
            found = {declared.seq for since, declared in candidates if since > event.seq}
            if found:
                return found
    raise Refusal("undo/nothing", f"Nothing has been declared in a {what} yet.", what=what)


def _undoable(fight: Fight) -> list[Undoable]:
    """Everything that can be taken back, in order."""
    found = [Undoable(declared.seq, declared) for declared in declared_in(fight)]
    answered = _answered_since_fork(fight)
    if answered is not None:
        found.append(answered)
    if not found:
        raise _nothing()
    return sorted(found, key=lambda undoable: undoable.since)


# Answers given in a fork to a declaration that had been waiting before it


def _shared_commands(fight: Fight) -> set[UUID | None]:
    """The commands from before the fork. What was declared again since is still known by its command."""
    shared = fight.events[: fight.battle.fork.at] if fight.battle.fork else ()
    return {event.command for event in shared if isinstance(event, Commanded | ReactionChosen | ReactionDeclined)}


def _answered_since_fork(fight: Fight) -> Undoable | None:
    """The declaration from before the fork that was answered since. There is one at most: only one can wait."""
    if fight.battle.fork is None:
        return None
    shared = _shared_commands(fight)
    waited: dict[int, Declared] = {}
    for event in standing(fight.events):
        if isinstance(event, Declared) and event.command in shared:
            waited[event.seq] = event
        elif event.declaration in waited and _is_given_in(event, shared):
            return Undoable(event.seq, waited[event.declaration])
    return None


def _is_given_in(event: Event, shared: set[UUID | None]) -> bool:
    """Whether it is an answer that somebody gave in the fork; a policy answers without a command."""
    if not isinstance(event, ReactionChosen | ReactionDeclined):
        return False
    return event.command is not None and event.command not in shared


def _without_answers(events: Sequence[Event], answered: Undoable | None) -> Sequence[Event]:
    """The events without what followed from the answers. Corrections keep their place."""
    if answered is None:
        return events
    return [e for e in events if e.seq < answered.since or e.declaration != answered.declared.seq]


def _check_nothing_after(answered: Undoable, later: Sequence[Segment]) -> None:
    """The fight waits for an answer again, so nothing can have been declared after it."""
    for segment in later:
        if segment.declaration > answered.since:
            raise Refusal(
                "undo/answered-before",
                f"Declaration {segment.declaration} came after this answer; take it back first.",
                declaration=segment.declaration,
                seq=answered.since,
            )


def _show_answers(plan: Plan, fight: Fight, answered: Undoable) -> None:
    """The declaration stays, but what followed from the answers does not."""
    entry = next(entry for entry in plan.entries if entry.declared.seq == answered.declared.seq)
    recorded = [event for event in fight.events if event.declaration == entry.declared.seq]
    entry.changes = compare(recorded, [event for event in plan.new if event.declaration == entry.replaced_by])
    entry.verdict = Verdict.CHANGED


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
