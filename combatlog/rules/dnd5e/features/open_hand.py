from __future__ import annotations

from enum import StrEnum

from combatlog.rules.dnd5e.durations import until_end_of_next_turn
from combatlog.rules.dnd5e.movement import push
from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.dnd5e.saves import resolve_save
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.state import afflict, is_dead
from combatlog.rules.dnd5e.vitality import PRONE
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant

SHOVED = 15
STAGGERED = "dnd5e:condition:staggered"


class Technique(StrEnum):
    """What a hit of a flurry does besides."""

    PRONE = "prone"
    PUSH = "push"
    STAGGER = "stagger"
    NONE = "none"


@piece
class OpenHand(Feature):
    """Each hit of a flurry knocks down, pushes 15 feet, or takes reactions away."""

    name = "open_hand"


def use_technique(table: Table, monk: Combatant, target: Combatant, technique: Technique, source: str) -> None:
    """Carry it out after a hit. A dexterity save prevents the fall, and a strength save the push."""
    if technique is Technique.NONE or is_dead(target):
        return
    if technique is Technique.STAGGER:
        until = until_end_of_next_turn(table.battle, monk)
        afflict(table, target, STAGGERED, source=source, owner=monk.id, until=until)
        return
    ability = AbilityScore.DEX if technique is Technique.PRONE else AbilityScore.STR
    sheet = sheet_of(monk)
    against = 8 + sheet.proficiency_bonus + sheet.modifier(AbilityScore.WIS)
    if resolve_save(table, target, ability, against, source, f"{ability} save against open hand"):
        return
    if technique is Technique.PRONE:
        afflict(table, target, PRONE, source=source, owner=monk.id)
    elif monk.position is not None:
        push(table, target, monk, SHOVED)
