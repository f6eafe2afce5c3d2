"""Where the log of another tool contradicts itself: dice that do not add up, and damage that does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ledger.events import Damaged, Event, Healed, ResourceChanged, Rolled
from projections.battle import Battle
from projections.notation import read
from projections.timeline import standing


def contradictions(events: Sequence[Event]) -> Iterator[tuple[int, str]]:
    """The seq of each event that cannot be right, and why."""
    battle = Battle()
    for event in standing(events):
        check = _CHECKS.get(type(event))
        if check is not None and (problem := check(event, battle)):
            yield event.seq, problem
        battle.apply(event)


def _rolled(event: Rolled, battle: Battle) -> str | None:
    """A plain sum of dice comes to its total. What else a notation does with its dice is not worked out again."""
    notation = read(event.notation)
    if notation is None or not event.kept or not all(isinstance(face, int) for face in event.kept):
        return None
    comes_to = sum(face for face in event.kept if isinstance(face, int)) + notation.constant
    comes_to += sum(modifier.amount for modifier in event.modifiers)
    if comes_to != event.total:
        return f"its dice and modifiers come to {comes_to}, but its total is {event.total}"
    return _impossible_face(event)


def _impossible_face(event: Rolled) -> str | None:
    notation = read(event.notation)
    for die, face in zip(notation.dice(len(event.faces)) if notation else (), event.faces, strict=False):
        if face not in die.faces:
            return f"a {die.name} does not have a {face}"
    return None


def _damaged(event: Damaged, battle: Battle) -> str | None:
    return _pool(event.target, event.pool, -event.amount, event.left, battle)


def _healed(event: Healed, battle: Battle) -> str | None:
    return _pool(event.target, event.pool, event.amount, event.left, battle)


def _pool(who: str, pool: str, change: int, left: int, battle: Battle) -> str | None:
    """What was there before, and the change, come to what is left."""
    before = battle.combatants[who].vitals[pool].current
    if before + change != left:
        return f"{who} had {before} {pool} before, and a change of {change:+d} does not leave {left}"
    return None


def _changed(event: ResourceChanged, battle: Battle) -> str | None:
    vital = battle.combatants[event.owner].vitals.get(event.resource)
    if vital is not None and vital.current != event.before:
        return f"{event.owner} had {vital.current} {event.resource} before, not {event.before}"
    return None


_CHECKS: dict[type[Event], Callable[[Any, Battle], str | None]] = {
    Rolled: _rolled,
    Damaged: _damaged,
    Healed: _healed,
    ResourceChanged: _changed,
}
