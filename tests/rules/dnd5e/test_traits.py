"""Traits made from data: what each contributes to which chain, and when, with numbers from the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from combatlog.rules.dnd5e.battlemap.movement import speed_of
from combatlog.rules.dnd5e.hit_points import maximum_hp
from combatlog.testing import Drill, all_of, only
from ledger.events import AttackResolved, CheckResolved, Damaged, Healed, Rolled, SaveResolved
from tests.cases import each


def trait(*contributes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "own", "archetype": "trait", "contributes": list(contributes), **more}


def fight(own: dict[str, Any], **overrides: Any) -> Drill:
    """Rurik the fighter (+5 and 1d8+3 with the longsword, AC 16) has the trait; it is his turn, then Ugh's (AC 13)."""
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1), overrides={"features": [own], "hp": 40, **overrides})
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 1])
    return drill


@each(
    ("contribution", "dice", "total", "damage"),
    [
        ({"to": "attack", "bonus": 3}, (10, 5), 18, 8),
        ({"to": "attack", "bonus": -2}, (10, 5), 13, 8),
        ({"to": "attack", "dice": "1d4"}, (10, 2, 5), 17, 8),
        ({"to": "attack", "minus_dice": "1d4"}, (10, 2, 5), 13, 8),
        ({"to": "attack", "advantage": True}, (3, 12, 5), 17, 8),
        ({"to": "attack", "disadvantage": True}, (12, 18, 5), 17, 8),
        ({"to": "attack", "critical_from": 18}, (18, 5, 6), 23, 14),
        ({"to": "damage", "bonus": 2}, (10, 5), 15, 10),
        ({"to": "damage", "dice": "1d6", "damage_type": "fire"}, (10, 5, 4), 15, 12),
        ({"to": "attack", "bonus": 3, "when": {"by": "ranged"}}, (10, 5), 15, 8),
        ({"to": "attack", "bonus": 3, "when": {"by": "melee", "weapon": "longsword"}}, (10, 5), 18, 8),
        ({"to": "attack", "bonus": 3, "when": {"weapon_property": "versatile"}}, (10, 5), 18, 8),
        ({"to": "attack", "bonus": 3, "when": {"weapon_property": "finesse"}}, (10, 5), 15, 8),
        ({"to": "attack", "bonus": 3, "when": {"ability": "dex"}}, (10, 5), 15, 8),
        ({"to": "attack", "bonus": 3, "when": {"target": ["humanoid"]}}, (10, 5), 18, 8),
        ({"to": "attack", "bonus": 3, "when": {"target": ["dragon"]}}, (10, 5), 15, 8),
        ({"to": "attack", "bonus": 3, "when": {"armored": False}}, (10, 5), 15, 8),
        ({"to": "attack", "bonus": 3, "when": {"bloodied": False}}, (10, 5), 18, 8),
        ({"to": "attack", "bonus": 3, "when": {"bloodied": True}}, (10, 5), 15, 8),
    ],
    ids=str,
)
def test_the_owners_attack(contribution: dict[str, Any], dice: Sequence[int], total: int, damage: int) -> None:
    events = fight(trait(contribution)).do("rurik", "melee_attack", target="ugh", dice=dice)
    assert (only(events, AttackResolved).total, only(events, Damaged).amount) == (total, damage)


@pytest.mark.parametrize(("hp", "total"), [(21, 15), (20, 18)])
def test_bloodied_is_half_of_the_hit_points_or_fewer(hp: int, total: int) -> None:
    drill = fight(trait({"to": "attack", "bonus": 3, "when": {"bloodied": True}}))
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": hp}, "reason": "hurt"})
    assert only(drill.do("rurik", "melee_attack", target="ugh", dice=(10, 5)), AttackResolved).total == total


@pytest.mark.parametrize(
    ("contribution", "dice", "against", "mode"),
    [
        ({"to": "armor_class", "bonus": 2}, (10,), 18, "normal"),
        ({"to": "armor_class", "bonus": 2, "when": {"by": "ranged"}}, (10,), 16, "normal"),
        ({"to": "attacks_on", "disadvantage": True}, (10, 3), 16, "disadvantage"),
        ({"to": "attacks_on", "advantage": True, "when": {"by": "melee"}}, (3, 10), 16, "advantage"),
    ],
    ids=str,
)
def test_attacks_on_the_owner(contribution: dict[str, Any], dice: Sequence[int], against: int, mode: str) -> None:
    drill = fight(trait(contribution))
    drill.next_turn()
    events = drill.do("ugh", "melee_attack", target="rurik", dice=dice)  # 10 and 5 is 15
    assert (only(events, AttackResolved).against, all_of(events, Rolled)[0].mode) == (against, mode)


@pytest.mark.parametrize(
    ("contribution", "dice", "total"),
    [
        ({"to": "save", "bonus": 2}, (10,), 14),  # dexterity 14: +2
        ({"to": "save", "dice": "1d4"}, (10, 3), 15),
        ({"to": "save", "advantage": True}, (4, 10), 12),
        ({"to": "save", "bonus": 2, "when": {"ability": "dex"}}, (10,), 14),
        ({"to": "save", "bonus": 2, "when": {"ability": "wis"}}, (10,), 12),
    ],
    ids=str,
)
def test_saves(contribution: dict[str, Any], dice: Sequence[int], total: int) -> None:
    drill = Drill()
    drill.join("wizard", "Mila", (9, 1))
    drill.join("fighter", "Rurik", (1, 1), overrides={"features": [trait(contribution)], "hp": 80})
    drill.start(dice=[20, 1])
    events = drill.do("mila", "fireball", to=(1, 1), dice=(1,) * 8 + tuple(dice))
    assert only(events, SaveResolved).total == total


def test_checks() -> None:
    drill = Drill(map="....\n.##.\n....")
    drill.join(
        "fighter",
        "Rurik",
        (0, 0),
        overrides={"features": [trait({"to": "check", "bonus": 5, "when": {"ability": "dex"}})]},
    )
    drill.start(dice=[10])
    assert only(drill.do("rurik", "hide", dice=(8,)), CheckResolved).total == 15  # dexterity 14: +2


def test_speed_attacks_and_hit_points() -> None:
    own = trait({"to": "speed", "bonus": 10}, {"to": "attacks", "bonus": 1}, {"to": "maximum_hp", "bonus": 5})
    drill = fight(own)
    assert (speed_of(drill.fight.battle.combatants["rurik"]), drill["rurik.movement"]) == (40, 40)
    drill.do("rurik", "attack")
    assert drill["rurik.attacks"] == 2
    healing = {"name": "breathe", "archetype": "healing", "healing": "1d10", "uses": 1}
    tough = Drill()
    tough.join("fighter", "Rurik", (1, 1), overrides={"features": [own], "actions": [healing]})
    tough.start(dice=[10])
    assert only(tough.do("rurik", "breathe", dice=(10,)), Healed).amount == 5  # from 12 of 12 to 17


def test_what_is_taken_off_leaves_nothing_less_than_nothing() -> None:
    off = [{"to": chain, "bonus": -50} for chain in ("speed", "attacks", "maximum_hp")]
    drill = fight(trait(*off))
    assert drill["rurik.movement"] == 0
    drill.do("rurik", "attack")
    assert (drill["rurik.attacks"], maximum_hp(drill.fight.battle.combatants["rurik"])) == (0, 1)


@pytest.mark.parametrize(
    ("more", "amount"), [({"resists": ["slashing"]}, 4), ({"immune_to": ["slashing"]}, 0), ({"resists": ["fire"]}, 9)]
)
def test_resistance_and_immunity(more: dict[str, Any], amount: int) -> None:
    drill = fight(trait(**more))
    drill.next_turn()
    events = drill.do("ugh", "melee_attack", target="rurik", dice=(12, 6))  # greataxe: 6 and 3
    assert only(events, Damaged).amount == amount


def test_the_reason_is_told() -> None:
    drill = fight(trait({"to": "attack", "bonus": 1}, reason="Blessed by the river"))
    events = drill.do("rurik", "melee_attack", target="ugh", dice=(1,))
    assert "Blessed by the river" in [getattr(event, "reason", None) for event in events]
