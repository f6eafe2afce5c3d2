"""Hypothetical battles: copies of only what differs, so that the battle itself never changes."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from ledger.events import Data, Position
from projections.battle import Battle
from projections.combatant import Combatant, Condition
from rules.dnd5e.paths import is_tight, usual_gait
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.space import SQUEEZING, full_width


def with_combatants(battle: Battle, *changed: Combatant) -> Battle:
    """The battle with some combatants replaced."""
    other = copy(battle)
    other.combatants = {**battle.combatants, **{combatant.id: combatant for combatant in changed}}
    return other


def standing_at(battle: Battle, combatant: Combatant, place: Position | None) -> Battle:
    there = replace(combatant, position=place)
    if place is not None and _begins_to_squeeze(battle, combatant, place):
        held = Condition(SQUEEZING, "dnd5e:choosing:what_if", combatant.id, battle.seq, None, None, {})
        there.conditions = {**combatant.conditions, SQUEEZING: held}
    return with_combatants(battle, there)


def _begins_to_squeeze(battle: Battle, combatant: Combatant, place: Position) -> bool:
    """Whoever squeezes now is taken to do so elsewhere: estimates for all places rest on its conditions."""
    if full_width(combatant) == 1 or SQUEEZING in combatant.conditions:
        return False
    return is_tight(battle, combatant, place, usual_gait(battle, combatant))


def without_places(battle: Battle) -> Battle:
    """The battle as if everybody were within everybody's reach."""
    read_sheets(battle)
    return with_combatants(battle, *[replace(combatant, position=None) for combatant in battle.combatants.values()])


def with_condition(battle: Battle, target: str, ref: str, owner: str, data: Data | None = None) -> Battle:
    held = Condition(ref, "dnd5e:choosing:what_if", owner, battle.seq, None, None, data or {})
    was = battle.combatants[target]
    return with_combatants(battle, replace(was, conditions={**was.conditions, ref: held}))


def without_condition(battle: Battle, target: str, ref: str) -> Battle:
    was = battle.combatants[target]
    left = {name: held for name, held in was.conditions.items() if name != ref}
    return with_combatants(battle, replace(was, conditions=left))


def read_sheets(battle: Battle) -> None:
    """Read every sheet before its combatant is copied, or each copy would read it again."""
    for combatant in battle.combatants.values():
        sheet_of(combatant)
