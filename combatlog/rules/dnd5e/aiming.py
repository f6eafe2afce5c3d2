"""Whom a spell or another area would catch."""

from __future__ import annotations

from combatlog.rules.dnd5e.archetypes.areas import Area
from combatlog.rules.dnd5e.areas import covered
from combatlog.rules.dnd5e.loadout import piece_of
from combatlog.rules.dnd5e.powers import chosen_place
from combatlog.rules.dnd5e.space import nearest_square
from combatlog.rules.engine.aiming import Aim, aimed
from combatlog.rules.engine.grid import grid_of
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant


def aim(battle: Battle, actor: Combatant, action: str, place: Position) -> Aim:
    """Whether it is the actor's turn, and what it costs, does not matter; range and sight do."""
    area = piece_of(actor, action)
    if not isinstance(area, Area):
        name = action.rsplit(":", 1)[1]
        raise Refusal("aim/no-area", f"{name} does not cover an area.", who=actor.id, what=name)
    at = chosen_place(battle, actor, area, place)
    area.check_direction(actor, at)
    squares = covered(grid_of(battle.map), area.extent, nearest_square(actor, at), at)
    return aimed(actor, action, at, squares, area.caught_at(battle, actor, at))
