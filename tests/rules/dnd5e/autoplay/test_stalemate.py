"""Fights that nobody can win end, and say so."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.autoplay.player import STALEMATE, sides_left
from combatlog.testing import Drill, only
from ledger.events import EncounterClosed
from tests.rules.dnd5e.test_creature_powers import ROOM, beast

GHOSTLY = {"nonmagical_immunities": ["bludgeoning", "piercing", "slashing"]}
MENDING = {"features": [{"name": "mend", "archetype": "regeneration", "amount": 30}]}


@pytest.mark.parametrize("hardy", [GHOSTLY, MENDING], ids=["nothing hurts it", "it heals faster"])
def test_a_fight_that_nobody_can_win_ends(hardy: dict[str, Any]) -> None:
    drill = Drill(map=ROOM, dice="seed:3")
    for name, place in (("One", (2, 2)), ("Two", (8, 4))):
        drill.join(beast(**hardy), name, place, side=name)
    drill.start()
    *_, last = drill.auto(to_end=True)
    assert last.why == f"no side won: no side got the better of another in {STALEMATE} rounds"
    assert len(sides_left(drill.battle)) == 2
    assert only(drill.fight.events, EncounterClosed).why == last.why
    assert drill["round"] < 3 * STALEMATE
