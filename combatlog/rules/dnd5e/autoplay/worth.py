"""What it is worth if a condition begins or ends: more damage dealt, and less taken."""

from __future__ import annotations

from combatlog.rules.dnd5e.autoplay.outcome import Affliction
from combatlog.rules.dnd5e.autoplay.outlook import Outlook, is_up
from combatlog.rules.dnd5e.autoplay.threats import hit_points

SHELTER = 0.5
"""What a hit point saved is worth: not every attack is aimed at those who are prepared for it."""


def worth_of_condition(outlook: Outlook, affliction: Affliction) -> float:
    return gain(outlook, affliction) + SHELTER * protection(outlook, affliction)


def gain(outlook: Outlook, affliction: Affliction) -> float:
    """How much more damage the actor's side would deal."""
    name = affliction.target
    if _is_foe(outlook, name):
        pairs = [(ally.id, name) for ally in outlook.friends if is_up(ally)]
    else:
        against = affliction.data.get("against")
        pairs = [(name, foe.id) for foe in outlook.foes if against in (None, foe.id)]
    more = _most_after(outlook, affliction, pairs) - max(_now(outlook, pairs), default=0.0)
    return affliction.chance * affliction.turns * more


def protection(outlook: Outlook, affliction: Affliction) -> float:
    """How much less damage the actor's side would take; nobody can be spared more than they have."""
    name = affliction.target
    if _is_foe(outlook, name):
        pairs = [(name, ally.id) for ally in outlook.friends if is_up(ally)]
        spared = max(_now(outlook, pairs), default=0.0) - _most_after(outlook, affliction, pairs)
    else:
        ally = outlook.battle.combatants[name]
        pairs = [(foe.id, name) for foe in outlook.foes if outlook.gets_at(foe, ally.position)]
        after = sum(outlook.threat_after(affliction, *pair) for pair in pairs)
        spared = min(hit_points(ally), sum(_now(outlook, pairs))) - min(hit_points(ally), after)
    return affliction.chance * affliction.turns * spared


def _is_foe(outlook: Outlook, name: str) -> bool:
    return any(foe.id == name for foe in outlook.foes)


def _most_after(outlook: Outlook, affliction: Affliction, pairs: list[tuple[str, str]]) -> float:
    return max((outlook.threat_after(affliction, *pair) for pair in pairs), default=0.0)


def _now(outlook: Outlook, pairs: list[tuple[str, str]]) -> list[float]:
    return [outlook.threat(*pair) for pair in pairs]
