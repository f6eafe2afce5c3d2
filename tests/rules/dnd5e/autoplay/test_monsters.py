"""Monsters played automatically use what their sheets give them."""

from __future__ import annotations

from typing import Any

from combatlog.testing import Drill, all_of
from ledger.events import AttackResolved
from rules.autoplay.auto import Limits, play
from rules.engine.verify import check_declarations
from tests.rules.dnd5e.autoplay.support import duel, option

BITE = {
    "name": "bite",
    "damage": "2d10+6",
    "damage_type": "piercing",
    "reach": 10,
    "to_hit": 10,
    "extra": [{"damage": "1d6", "damage_type": "fire"}],
}
CLAW = {"name": "claw", "damage": "2d6+6", "damage_type": "slashing", "to_hit": 10}
MULTIATTACK = {"weapons": [BITE, CLAW], "multiattack": [{"bite": 1, "claw": 2}]}


def fought(monster: dict[str, Any], *, seed: int = 1, hero: dict[str, Any] | None = None) -> Drill:
    """A monster against a fighter who can take much, both played automatically for three rounds."""
    drill = Drill(dice=f"seed:{seed}")
    drill.join("ogre", "Beast", (5, 5), side="foes", overrides={"hp": 300, **monster})
    drill.join("fighter", "Rurik", (7, 5), controller="gm", overrides={"hp": 900, **(hero or {})})
    drill.do("gm", "start")
    list(play(drill.fight, Limits(rounds=3)))
    assert list(check_declarations(drill.fight.events)) == []
    return drill


def test_a_multiattack_is_worth_all_of_its_attacks() -> None:
    bite = option(duel("ogre", **MULTIATTACK), "melee_attack", "bite")
    assert round(bite.average_damage(), 6) == 17 + 3.5 + 2 * 13


def test_a_multiattack_is_made_with_each_of_its_weapons() -> None:
    attacks = all_of(fought(MULTIATTACK).fight.events, AttackResolved)
    for number in {attack.round for attack in attacks}:
        made = [a.weapon for a in attacks if (a.round, a.turn, a.attacker) == (number, "beast", "beast")]
        assert sorted(made) in (["bite", "claw", "claw"], [])
    assert any(attack.weapon == "claw" for attack in attacks)
