"""Stand-ins: somebody of whom only the looks are known, as advice for players takes it."""

from __future__ import annotations

from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.vitality import HP, TEMP_HP
from ledger.events import Data, Gauge
from projections.combatant import Combatant, Vital
from projections.economy import Economy
from projections.views import Health, Outline

HIT_POINTS = 40
_LEFT = {
    Health.UNHURT: HIT_POINTS,
    Health.HURT: 30,
    Health.BLOODIED: 15,
    Health.NEARLY_DOWN: 6,
    Health.DOWN: 0,
}
"""What is left to somebody who looks like that: about the middle of what the word covers."""


def stand_in(whole: Combatant, shown: Outline) -> Combatant:
    """An ordinary opponent of the same size in the same place. Nothing else of it shows."""
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
