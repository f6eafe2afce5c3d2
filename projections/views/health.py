"""How somebody looks who is known by sight only: a word instead of hit points."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from projections.combatant import Combatant, Vital


class Health(StrEnum):
    UNHURT = "unhurt"
    HURT = "hurt"
    BLOODIED = "bloodied"
    NEARLY_DOWN = "nearly down"
    DOWN = "down"


THRESHOLDS: tuple[tuple[Fraction, Health], ...] = (
    (Fraction(0), Health.DOWN),
    (Fraction(1, 4), Health.NEARLY_DOWN),
    (Fraction(1, 2), Health.BLOODIED),
)
"""Up to which share of its health somebody looks like that, from the worst to the best. All there is: unhurt; else
hurt."""

BODY = ("hp", "vit", "health")
"""The pools that show on somebody's body. Fatigue, for example, does not. Without any of them, the first pool that has
a maximum counts."""


def health_of(combatant: Combatant) -> Health | None:
    """None: it has no health, as players of a skirmish do."""
    pools = {name: vital for name, vital in combatant.vitals.items() if vital.maximum}
    shown = next((pools[name] for name in BODY if name in pools), next(iter(pools.values()), None))
    return _health(shown) if shown is not None else None


def _health(vital: Vital) -> Health:
    share = Fraction(vital.current, vital.maximum or 1)
    worse = (health for threshold, health in THRESHOLDS if share <= threshold)
    return next(worse, Health.UNHURT if share >= 1 else Health.HURT)
