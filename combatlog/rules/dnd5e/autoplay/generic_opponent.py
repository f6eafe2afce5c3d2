"""A generic opponent: a substitute for a combatant of which a player sees only the outside."""

from __future__ import annotations

from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.hit_points import HP, TEMP_HP
from ledger.events import Data, Gauge
from projections.battle.combatant import Combatant, Economy, Vital
from projections.views import ApparentHealth, CombatantOutline

HIT_POINTS = 40
_LEFT = {
    ApparentHealth.UNHURT: HIT_POINTS,
    ApparentHealth.HURT: 30,
    ApparentHealth.BLOODIED: 15,
    ApparentHealth.NEARLY_DOWN: 6,
    ApparentHealth.DOWN: 0,
}
"""Assumed hit points by apparent health: about the middle of the range of each word."""


def generic_opponent(whole: Combatant, shown: CombatantOutline) -> Combatant:
    """An ordinary opponent of the same size in the same place, without any hidden information."""
    left = _LEFT[shown.health] if shown.health is not None else HIT_POINTS
    return Combatant(
        id=shown.id,
        name=shown.name,
        side=shown.side,
        controller=shown.controller,
        position=shown.position,
        sheet=_sheet(shown.name, sheet_of(whole).size.value),
        vitals={HP: Vital(left, HIT_POINTS), TEMP_HP: Vital(0)},
        economy=Economy.of(_RESOURCES),
        policies={},
        conditions=shown.conditions,
        present=shown.present,
    )


_RESOURCES = {"action": Gauge(current=1, maximum=1), "reaction": Gauge(current=1, maximum=1)}


def _sheet(name: str, size: str) -> Data:
    return {
        "name": name,
        "nature": "monster",
        "size": size,
        "ac": 13,
        "hp": HIT_POINTS,
        "abilities": dict.fromkeys(("str", "dex", "con", "int", "wis", "cha"), 10),
        "weapons": ["club"],
    }
