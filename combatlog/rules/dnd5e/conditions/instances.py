"""Instances of a condition: each cause of the same condition lasts for its own time.

Two casters can paralyze the same target, each for as long as the spell of each lasts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.events import Data, Until
from projections.battle.combatant import Combatant, Condition

ALSO = "also"
ESCAPE, REACH = "escape", "reach"
"""Data of a hold: what a check to escape has to reach, and the reach of whoever holds, in feet."""
BY_STRENGTH = "by_strength"
"""Data of what a Strength check frees from, such as a web."""
FLEETING = "fleeting"
"""Data of what ends when its owner attacks or casts a spell, such as being invisible."""
SHIELDS = "shields"
"""Data of a zone that is cover for those behind it."""
ABILITY = "ability"
"""Data of what concerns one ability, such as a hex."""
TALLY = "tally"
"""Data of what takes three saves to end: how many have succeeded and how many have failed."""
SAVE, AGAINST = "save", "against"
"""Data of what can be shaken off: the save at the end of each turn, and what it has to reach."""
WORSE, WORSE_SAVED = "worse", "worse_saved"
"""Data of what a failed save at the end of a turn makes worse: the condition it turns into, and whether that one can be
shaken off as well."""


@dataclass(frozen=True, slots=True)
class Instance:
    """One reason for which somebody has a condition."""

    source: str
    owner: str
    until: Until | None
    level: int | None
    data: Data

    def is_of(self, source: str, owner: str) -> bool:
        return (self.source, self.owner) == (source, owner)


def instances_of(held: Condition) -> list[Instance]:
    """Every reason for a condition, the newest first."""
    own = {name: value for name, value in held.data.items() if name != ALSO}
    return [Instance(held.source, held.owner, held.until, held.level, own), *map(_read, held.data.get(ALSO, ()))]


def causes_of(combatant: Combatant, condition: str) -> list[str]:
    """Whoever brought a condition about, such as everybody that somebody is frightened of."""
    held = combatant.conditions.get(condition)
    return list(dict.fromkeys(instance.owner for instance in instances_of(held))) if held is not None else []


def remembering(data: Data, others: Iterable[Instance]) -> Data:
    """The data of a condition that remember its other instances."""
    also = list(map(_written, others))
    return {**data, ALSO: also} if also else data


def _written(instance: Instance) -> Data:
    until = instance.until.model_dump(mode="json", exclude_none=True) if instance.until else None
    return {
        "source": instance.source,
        "owner": instance.owner,
        "until": until,
        "level": instance.level,
        "data": instance.data,
    }


def _read(written: Data) -> Instance:
    until = Until.model_validate(written["until"]) if written["until"] else None
    return Instance(written["source"], written["owner"], until, written["level"], written["data"])
