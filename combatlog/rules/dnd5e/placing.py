"""Where a creature can be put: when it joins, or when the GM says so."""

from __future__ import annotations

from combatlog.rules.dnd5e.sheet import read_sheet, sheet_of
from combatlog.rules.dnd5e.space import covers, level_of, others_in
from combatlog.rules.dnd5e.state import is_dead
from combatlog.rules.engine.footprint import block
from combatlog.rules.engine.placing import require_open, taken
from combatlog.rules.engine.ruleset import Recruit
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant


def require_space(battle: Battle, position: Position, who: Recruit | Combatant) -> None:
    """Refuse a place if somebody or something is in any of the squares that the creature would take up."""
    if isinstance(who, Combatant):
        wide, others = sheet_of(who).squares, others_in(battle, who, position, sheet_of(who).squares)
    else:
        wide = read_sheet(who.sheet).squares
        others = _others(battle, block(position, wide, wide))
    squares = block(position, wide, wide)
    for square in squares:
        require_open(battle, square)
    if others:
        raise taken(next(square for square in squares if covers(others[0], square)), others[0])


def _others(battle: Battle, squares: list[Position]) -> list[Combatant]:
    living = [other for other in battle.present() if not is_dead(other) and not level_of(other)]
    return [other for other in living if any(covers(other, square) for square in squares)]
