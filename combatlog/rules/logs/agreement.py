"""State agreement: how often the events of an import lead to the states that the source has.

A source such as FIREBALL says after every command how each combatant is. What the events before came to is compared
with that, combatant by combatant. Where they differ, the reason is counted, and the state of the source is taken over.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum


class Difference(StrEnum):
    """Why the events did not lead to the state that the source has."""

    HIT_POINTS = "hit points"
    """They changed in a way that no result in the log explains: by hand, at rest, by an effect of its own."""
    TEMPORARY_HIT_POINTS = "temporary hit points"
    EFFECT_BEGAN = "effect began"
    """Somebody has an effect that no result in the log applied."""
    EFFECT_ENDED = "effect ended"
    """An effect is over, and no result in the log ended it: its time was up, or somebody removed it by hand."""
    UNKNOWN = "hit points unknown"
    """The source did not say how somebody was when it joined, so nothing can be compared."""


@dataclass(slots=True)
class Agreement:
    compared: int = 0
    """States of one combatant that were compared."""
    agreed: int = 0
    differences: Counter[Difference] = field(default_factory=Counter)
    """How many states differ, by reason. A state may differ for several."""

    def compare(self, found: set[Difference]) -> None:
        self.compared += 1
        self.agreed += not found
        self.differences.update(found)
