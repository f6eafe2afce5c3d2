"""Who fell, to whom, and by which blow: the last damage before somebody was dying, dead or defeated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ledger.events import ConditionApplied, ConditionRemoved, Damaged, Event
from projections.course import Course
from projections.origins import GM, action_of, ruling_behind
from projections.readmodels.attacks import attack_behind

FALLS = {"dying", "dead", "defeated"}
"""What the condition is called, whatever the ruleset, when somebody falls."""


def is_fall(event: ConditionApplied, course: Course) -> bool:
    """Not if it only goes on: a failed death save is noted by applying the condition again."""
    if event.condition.rsplit(":", 1)[-1] not in FALLS:
        return False
    about = (event.target, event.condition)
    earlier = (
        other
        for other in reversed(course.standing)
        if isinstance(other, ConditionApplied | ConditionRemoved)
        and (other.target, other.condition) == about
        and other is not event
    )
    return not isinstance(next(earlier, None), ConditionApplied)


def fall_fact(event: ConditionApplied, events: Sequence[Event], course: Course) -> tuple[str, tuple[Any, ...]]:
    blow = _last_blow(event, events, course)
    if blow is None:
        return "falls", (event.target, event.condition, _someone_else(event), None, None, None, None, None)
    attack = attack_behind(blow, reversed(course.group(blow.declaration)))
    by = blow.source or _someone_else(event)
    what = (attack.weapon if attack else None, action_of(blow, events))
    return "falls", (event.target, event.condition, by, *what, blow.amount, blow.overkill, blow.seq)


def _last_blow(event: ConditionApplied, events: Sequence[Event], course: Course) -> Damaged | None:
    """None if a ruling brought it about, or nobody was hurt before."""
    if event.owner == GM:
        return None
    hurt = (blow for blow in reversed(course.standing) if isinstance(blow, Damaged) and blow.target == event.target)
    return next((blow for blow in hurt if ruling_behind(blow, events) is None), None)


def _someone_else(event: ConditionApplied) -> str | None:
    return event.owner if event.owner != event.target else None
