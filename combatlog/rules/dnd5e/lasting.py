"""Which conditions outlast a fight."""

from __future__ import annotations

from dataclasses import replace

from combatlog.rules.dnd5e import pieces
from combatlog.rules.dnd5e.instances import Instance, instances_of
from combatlog.rules.dnd5e.pieces import PIECES
from projections.combatant import Combatant, Condition


def lasting_conditions(combatant: Combatant) -> list[Condition]:
    """Those that say so, for a cause that does not end by itself: no time, no save, nobody's concentration."""
    return [lasting for held in combatant.conditions.values() for lasting in _lasting(held)]


def _lasting(held: Condition) -> list[Condition]:
    piece = PIECES.get(held.ref)
    if not isinstance(piece, pieces.Condition) or not piece.lasts:
        return []
    causes = [cause for cause in instances_of(held) if _is_endless(piece, cause)]
    return [replace(held, source=cause.source, level=cause.level, data=cause.data) for cause in causes[:1]]


def _is_endless(piece: pieces.Condition, cause: Instance) -> bool:
    """The data of a condition that is caused only once count something; otherwise they say how it ends."""
    is_cast = cause.source.startswith("dnd5e:spell:")
    return cause.until is None and not is_cast and (piece.is_single or not cause.data)
