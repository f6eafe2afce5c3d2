"""Undo and redo."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple
from uuid import UUID, uuid4

from combatlog.rules.engine.corrections.correction_events import stamped
from combatlog.rules.engine.corrections.plan import Plan, PlanEntry, PlanVerdict, compare
from combatlog.rules.engine.corrections.rebase import Rebase, Remedies, first_affected
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.events import (
    Amended,
    Commanded,
    Declared,
    Event,
    Inserted,
    LinkRevealed,
    LinkWithheld,
    ReactionChosen,
    ReactionDeclined,
    Redone,
    RoundStarted,
    TurnStarted,
    Undone,
)
from projections.battle.consent import ABOUT_CONSENT
from projections.battle.dice import SIT
from projections.battle.event_history import EarlierEvents
from projections.battle.journal import copy_of
from projections.battle.timeline import successor

_Correcting = Undone | Amended | Inserted
_ANSWERS = (ReactionChosen, ReactionDeclined, LinkRevealed, LinkWithheld)
_Answer = ReactionChosen | ReactionDeclined | LinkRevealed | LinkWithheld
_PASSED_OVER = ABOUT_CONSENT | {SIT}
"""Declarations that an undo of the last one passes over. A commitment to a chain of secrets stays in force anyway."""


class Undoable(NamedTuple):
    """What one undo can take back: a declaration, or the answers to it that were given since a fork."""

    since: int
    declared: Declared


def last(fight: FightEngine) -> set[int]:
    """The last declaration or, in a fork, the earlier declaration that was answered last."""
    return {_undoable(fight)[-1].declared.seq}


def back_to(fight: FightEngine, seq: int) -> set[int]:
    """Everything declared after an event."""
    if seq < fight.course.begins_after:
        raise EarlierEvents
    place = fight.course.place(seq)
    after = {declared.seq for since, declared in _undoable(fight) if fight.course.place(since) > place}
    if not after:
        raise Refusal("undo/nothing", f"No declaration after event {seq} stands.", seq=seq)
    return after


def turn(fight: FightEngine) -> set[int]:
    """Everything declared in the current turn or, if there is nothing, in the latest turn that has something."""
    return _since_last(fight, TurnStarted, "turn")


def round_(fight: FightEngine) -> set[int]:
    """Everything declared in the current round or, if there is nothing, in the latest round that has something."""
    return _since_last(fight, RoundStarted, "round")


def one(fight: FightEngine, seq: int) -> set[int]:
    """The declaration that an event belongs to, wherever it is in the fight."""
    answered = _answered_since_fork(fight)
    if answered and answered.since <= seq and declaration_of(fight, seq) == answered.declared.seq:
        return {answered.declared.seq}
    return {standing_declaration(fight, seq).seq}


def plan_undo(
    fight: FightEngine,
    what: set[int],
    *,
    by: str,
    reason: str,
    remedies: Remedies | None = None,
    command: UUID | None = None,
) -> Plan:
    """The plan for taking these declarations back, or only the answers given since a fork to an earlier declaration."""
    answered = _answered_since_fork(fight)
    if answered is not None and answered.declared.seq not in what:
        answered = None
    gone = what - {answered.declared.seq} if answered else what
    if answered is not None:
        _check_nothing_after(fight, answered, gone)
    undone = stamped(fight, Undone, retracts=(), reason=reason, by=by, command=command or uuid4())
    waits = answered.declared.seq if answered else None
    rebase = Rebase(fight, undone, remedies or Remedies(), waits=waits)
    plan = rebase.run(first_affected(fight, what), gone, {}, leaving_out=_answers(fight, answered))
    taken = [PlanEntry(declared, PlanVerdict.TAKEN_BACK) for declared in declared_in(fight) if declared.seq in gone]
    plan.entries = [*taken, *plan.entries]
    if answered is not None and plan.needs is None:
        _show_answers(plan, fight, answered)
    return plan


def plan_redo(fight: FightEngine, *, by: str, reason: str, command: UUID | None = None) -> Plan:
    """The plan for taking the last correction back."""
    _require_whole(fight)
    correction = _last_correction(fight)
    redone = stamped(fight, Redone, undone=correction.seq, reason=reason, by=by, command=command or uuid4())
    after = FightEngine([*fight.events, redone])
    restored = fight.course.timeline.fallen - after.course.timeline.fallen
    entries = [
        PlanEntry(e, PlanVerdict.RESTORED) for e in fight.events if isinstance(e, Declared) and e.seq in restored
    ]
    return Plan(redone, entries, [redone], copy_of(fight.battle), after.battle)


def declarations(fight: FightEngine) -> list[Declared]:
    """The standing declarations that can be taken back; refused if there are none."""
    found = declared_in(fight)
    if not found:
        raise _nothing()
    return found


def declared_in(fight: FightEngine) -> list[Declared]:
    """The standing declarations of the fight itself, without those that a fork shares with its parent."""
    shared = _shared_commands(fight)
    found = (event for event in fight.course.standing if isinstance(event, Declared))
    return [declared for declared in found if declared.command not in shared]


def standing_declaration(fight: FightEngine, seq: int) -> Declared:
    """The declaration that an event belongs to, if it stands."""
    wanted = declaration_of(fight, seq)
    fork, shared = fight.battle.fork, _shared_commands(fight)
    first = fight.course.event(wanted)
    declared = first if isinstance(first, Declared) and wanted not in fight.course.timeline.fallen else None
    if fork and (seq <= fork.at or (declared and declared.command in shared)):
        raise Refusal(
            "undo/shared-past",
            f"Event {seq} is in the past that this fork shares with its parent; fork at an earlier event instead.",
            seq=seq,
            forked_at=fork.at,
        )
    if declared is None:
        raise _not_standing(fight, seq, wanted)
    return declared


def _not_standing(fight: FightEngine, seq: int, declaration: int) -> Refusal:
    """The refusal says where the event is now: a correction may have recorded it again under a new number."""
    code, timeline = "undo/not-standing", fight.course.timeline
    by = timeline.taken_back_by(declaration)
    if by is None:
        return Refusal(code, f"Event {seq} does not belong to a declaration.", seq=seq)
    _require_whole(fight)
    now = successor(fight.events, timeline.fallen, seq)
    again = f"recorded again: it is event {now} now" if now is not None else "not recorded again"
    return Refusal(code, f"Event {seq} was taken back by {by} and {again}.", seq=seq, taken_back_by=by, now=now)


def declaration_of(fight: FightEngine, seq: int) -> int:
    """The first event of the group that an event belongs to."""
    last = fight.battle.seq
    if not 1 <= seq <= last:
        raise Refusal("undo/no-event", f"There is no event {seq}; the last one is {last}.", seq=seq, last=last)
    return fight.course.event(seq).declaration


def _nothing() -> Refusal:
    return Refusal("undo/nothing", "There is nothing to take back.")


def _since_last(fight: FightEngine, boundary: type[Event], what: str) -> set[int]:
    candidates = _undoable(fight)
    place = fight.course.place
    for event in reversed(fight.course.standing):
        if isinstance(event, boundary):
            found = {declared.seq for since, declared in candidates if place(since) > place(event.seq)}
            if found:
                return found
    _require_whole(fight)
    raise Refusal("undo/nothing", f"Nothing has been declared in a {what} yet.", what=what)


def _undoable(fight: FightEngine) -> list[Undoable]:
    """Everything that can be taken back, in order."""
    meant = (declared for declared in declared_in(fight) if declared.action not in _PASSED_OVER)
    found = [Undoable(declared.seq, declared) for declared in meant]
    answered = _answered_since_fork(fight)
    if answered is not None:
        found.append(answered)
    if not found:
        _require_whole(fight)
        raise _nothing()
    return sorted(found, key=lambda undoable: fight.course.place(undoable.since))


def _require_whole(fight: FightEngine) -> None:
    """Ask for the whole fight: the events that are known here may begin too late."""
    if not fight.course.is_whole:
        raise EarlierEvents


# Answers given in a fork to a declaration that had been waiting before it


def _shared_commands(fight: FightEngine) -> set[UUID | None]:
    """The commands from before the fork. A declaration that was made again since keeps its command."""
    if fight.battle.fork is None:
        return set()
    _require_whole(fight)
    shared = fight.events[: fight.battle.fork.at]
    return {event.command for event in shared if isinstance(event, Commanded | ReactionChosen | ReactionDeclined)}


def _answered_since_fork(fight: FightEngine) -> Undoable | None:
    """The declaration from before the fork that was answered since. There is at most one: only one can wait."""
    if fight.battle.fork is None:
        return None
    shared = _shared_commands(fight)
    waited: dict[int, Declared] = {}
    for event in fight.course.standing:
        if isinstance(event, Declared) and event.command in shared:
            waited[event.seq] = event
        elif event.declaration in waited and _is_given_in(event, shared):
            return Undoable(event.seq, waited[event.declaration])
    return None


def _is_given_in(event: Event, shared: set[UUID | None]) -> bool:
    """Whether it is an answer that a person gave in the fork; a policy answers without a command."""
    if not isinstance(event, ReactionChosen | ReactionDeclined):
        return False
    return event.command is not None and event.command not in shared


def _answers(fight: FightEngine, answered: Undoable | None) -> set[int]:
    """The answers and all events that followed from them."""
    if answered is None:
        return set()
    return {event.seq for event in fight.course.group(answered.declared.seq) if event.seq >= answered.since}


def _check_nothing_after(fight: FightEngine, answered: Undoable, gone: Collection[int]) -> None:
    """Refuse if anything was declared after the answers: the fight will wait for them again."""
    place = fight.course.place
    for event in fight.course.standing:
        is_later = isinstance(event, Declared) and place(event.seq) > place(answered.since)
        if is_later and event.seq not in gone:
            raise Refusal(
                "undo/answered-before",
                f"Declaration {event.seq} came after this answer; take it back first.",
                declaration=event.seq,
                seq=answered.since,
            )


def _show_answers(plan: Plan, fight: FightEngine, answered: Undoable) -> None:
    """Show what the answers led to as changes: the declaration itself stays."""
    entry = next(entry for entry in plan.entries if entry.declared.seq == answered.declared.seq)
    recorded = fight.course.group(entry.declared.seq)
    entry.changes = compare(recorded, [event for event in plan.new if event.declaration == entry.replaced_by])
    entry.verdict = PlanVerdict.CHANGED


def _last_correction(fight: FightEngine) -> _Correcting:
    taken_back = {event.undone for event in fight.events if isinstance(event, Redone)}
    for event in reversed(fight.events):
        if isinstance(event, _Correcting) and event.seq not in taken_back:
            _check_own(fight, event)
            _check_nothing_new(fight, event)
            return event
    raise Refusal("redo/nothing", "There is no correction to take back.")


def _check_own(fight: FightEngine, correction: _Correcting) -> None:
    fork = fight.battle.fork
    if fork and correction.seq <= fork.at:
        raise Refusal(
            "redo/shared-past",
            f"Correction {correction.seq} is in the past that this fork shares with its parent; "
            "fork at an earlier event instead.",
            correction=correction.seq,
            forked_at=fork.at,
        )


def _check_nothing_new(fight: FightEngine, correction: _Correcting) -> None:
    for event in reversed(fight.course.standing):
        is_meant = isinstance(event, Declared) and event.action not in _PASSED_OVER
        is_new = is_meant and event.seq > correction.seq and event.cause != correction.seq
        if is_new:
            raise Refusal(
                "redo/too-late",
                f"Declaration {event.seq} came after correction {correction.seq}; take it back first.",
                declaration=event.seq,
                correction=correction.seq,
            )
        if isinstance(event, _ANSWERS) and _is_answered_after(fight, event, correction):
            raise Refusal(
                "redo/too-late",
                f"Declaration {event.declaration} was answered after correction {correction.seq}; take it back first.",
                declaration=event.declaration,
                correction=correction.seq,
            )


def _is_answered_after(fight: FightEngine, event: _Answer, correction: _Correcting) -> bool:
    """Whether the answer is a command of its own after the correction. Those that it recorded again were given before,
    and a policy answers without a command."""
    return event.command is not None and fight.course.commands[event.command] > correction.seq
