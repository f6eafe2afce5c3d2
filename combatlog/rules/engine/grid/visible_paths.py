"""Paths as the mover sees the map: a path does not avoid combatants that the player cannot see.

Otherwise the steps would reveal where they are. If the path turns out not to be clear, the move is refused as if its
last square were taken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from copy import copy

from combatlog.rules.engine.grid.pathfinding import occupied
from ledger.events import Declared, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.views.visibility import unseen_by


def as_seen(battle: Battle, mover: Combatant, declared: Declared) -> Battle:
    """The state in which a declaration looks for a path."""
    return seen_by(battle, mover) if declared.as_seen else battle


def seen_by(battle: Battle, mover: Combatant) -> Battle:
    """The state as the mover's side sees it. It shares its objects with the battle, so it is only for reading."""
    unseen = {other.id for other in unseen_by(battle, mover.side)}
    if not unseen:
        return battle
    seen = copy(battle)
    seen.combatants = {id: one for id, one in battle.combatants.items() if id not in unseen}
    return seen


def left_out(battle: Battle, seen: Battle) -> list[Combatant]:
    """The combatants that are not seen and could therefore be in the way."""
    return [other for other in battle.present() if other.id not in seen.combatants] if seen is not battle else []


def require_clear(way: Iterable[Position], other: Combatant, taken: Collection[Position]) -> None:
    """Refuse a path through squares that the other combatant occupies."""
    for place in way:
        if place in taken:
            raise occupied(place, other)
