"""A plan as it is seen from a seat: as if it were carried out, and looked at from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from uuid import UUID

from combatlog.rules.engine.corrections.command import nothing
from combatlog.rules.engine.corrections.plan import UNDECIDED, DiceNeeded, Entry, EventChange, Plan
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Commanded, Declared, Event
from projections.timeline import Correction
from projections.views import Onlooker
from projections.views.seats import Seat


def seen_plan(plan: Plan, history: Sequence[Event], seat: Seat) -> Plan:
    """What the seat would see of it, with the numbers that it counts by; nobody else's declarations are in it."""
    if seat.sees_all:
        return plan
    seen = Onlooker(seat)
    known: dict[int, Event | None] = {}
    for event in history:
        known[event.seq] = seen.see(event)
    before = deepcopy(seen.battle)
    for event in plan.new:
        known[event.seq] = seen.see(event)
    return replace(
        plan,
        correction=_correction(plan, known.get(plan.correction.seq), seen),
        entries=[planned for entry in plan.entries if (planned := _entry(entry, known)) is not None],
        new=[seen_event for event in plan.new if (seen_event := known[event.seq]) is not None],
        before=before,
        after=seen.battle,
        needs=_needs(plan, known),
        undecided=_undecided(plan),
        affects=frozenset(),
        roll=None,
    )


def _correction(plan: Plan, seen: Event | None, onlooker: Onlooker) -> Commanded:
    """If nothing of it is seen, all that is known of it is that there would be something."""
    if isinstance(seen, Commanded):
        return seen
    if not isinstance(plan.correction, Correction):
        return nothing(plan.before, onlooker.last)
    unseen = {"command": UUID(int=0), "reason": "", "seq": onlooker.last + 1, "declaration": onlooker.last + 1}
    emptied = {name: () for name in ("retracts", "places") if name in type(plan.correction).model_fields}
    return plan.correction.model_copy(update=unseen | emptied)


def _entry(entry: Entry, known: Mapping[int, Event | None]) -> Entry | None:
    declared = known.get(entry.declared.seq)
    if not isinstance(declared, Declared):
        return None
    replaced = known.get(entry.replaced_by) if entry.replaced_by is not None else None
    changes = [_change(change, known) for change in entry.changes]
    return Entry(
        declared,
        entry.verdict,
        None,
        [change for change in changes if not _is_nothing(change)],
        replaced.seq if replaced is not None else None,
    )


def _change(change: EventChange, known: Mapping[int, Event | None]) -> EventChange:
    return EventChange(
        *(known.get(event.seq) if event is not None else None for event in (change.recorded, change.now))
    )


_ENVELOPE = {"seq", "declaration", "cause", "recorded_at", "command", "window", "grant"}


def _is_nothing(change: EventChange) -> bool:
    """What changed is not seen."""
    was, now = (event.model_dump(exclude=_ENVELOPE) if event else None for event in (change.recorded, change.now))
    return was == now


def _needs(plan: Plan, known: Mapping[int, Event | None]) -> DiceNeeded | None:
    """Not of a command: which dice somebody would roll is seen when they are rolled, if at all."""
    needs = plan.needs if isinstance(plan.correction, Correction) else None
    declared = known.get(needs.declaration) if needs is not None else None
    if needs is None or declared is None:
        return None
    return replace(needs, declaration=declared.seq)


def _undecided(plan: Plan) -> Refusal | None:
    """Why something is no longer possible may lie with somebody who is not seen."""
    refusal = plan.undecided
    if refusal is None:
        return None
    if not isinstance(plan.correction, Correction):
        return Refusal("consent/impossible", "What is proposed is not possible now.")
    return Refusal(refusal.code, UNDECIDED)
