"""Instances of a condition: each cause of the same condition has its own duration.

Two casters can paralyze the same target, each for the duration of their own spell.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.events import Data, Until
from projections.battle.combatant import Combatant, Condition

ALSO = "also"
ESCAPE, REACH = "escape", "reach"
"""Data of a hold: the DC of a check to escape, and the grappler's reach in feet."""
BY_STRENGTH = "by_strength"
"""Data of a restraint that a Strength check breaks, such as a web."""
FLEETING = "fleeting"
"""Data of a condition that ends when its owner attacks or casts a spell, such as invisible."""
SHIELDS = "shields"
"""Data of a zone that gives cover to combatants behind it."""
ABILITY = "ability"
"""Data of a condition about one ability, such as a hex."""
TALLY = "tally"
"""Data of a condition that takes three saves to end: the numbers of successes and failures."""
SAVE, AGAINST = "save", "against"
"""Data of a condition that a save at the end of each turn can end: the ability and the DC."""
WORSE, WORSE_SAVED = "worse", "worse_saved"
"""Data of a condition that a failed save at the end of a turn makes worse: the condition it turns into, and whether the
same save can end that one too."""


@dataclass(frozen=True, slots=True)
class Instance:
    """One reason why a combatant has a condition."""

    source: str
    owner: str
    until: Until | None
    level: int | None
    data: Data

    def is_of(self, source: str, owner: str) -> bool:
        return (self.source, self.owner) == (source, owner)


def instances_of(held: Condition) -> list[Instance]:
    """All reasons for a condition, the newest first."""
    own = {name: value for name, value in held.data.items() if name != ALSO}
    return [Instance(held.source, held.owner, held.until, held.level, own), *map(_read, held.data.get(ALSO, ()))]


def causes_of(combatant: Combatant, condition: str) -> list[str]:
    """The combatants who caused a condition, for example all those whom its owner is frightened of."""
    held = combatant.conditions.get(condition)
    return list(dict.fromkeys(instance.owner for instance in instances_of(held))) if held is not None else []


def remembering(data: Data, others: Iterable[Instance]) -> Data:
    """The data of a condition, including its other instances."""
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
