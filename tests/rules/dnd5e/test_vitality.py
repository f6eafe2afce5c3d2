"""Hit points: resistance and its kin, temporary hit points, falling, dying and instant death."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from combatlog.rules.dnd5e.attack.damage import TAKEN_STAGES, reductions
from combatlog.rules.dnd5e.modifiers import bonus, halved, multiplied
from combatlog.rules.engine.resolution.chain import ModifierChain
from combatlog.testing import Drill, all_of, only
from ledger.events import ChainModified, Damaged, DamagePart, SaveResolved


def struck(dice: Sequence[int] = (15, 5), **more: Any) -> tuple[Drill, Damaged]:
    """A fighter's longsword (1d8+3 slashing) hits an ogre of AC 11."""
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("ogre", "Grub", (2, 1), side="foes", overrides=more)
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    events = drill.do("rurik", "strike", target="grub", dice=dice)
    return drill, all_of(events, Damaged)[-1]


@pytest.mark.parametrize(
    ("nature", "amount", "last_part"),
    [
        ({"resistances": ["slashing"]}, 4, -4),
        ({"resistances": ["fire"]}, 8, 3),
        ({"vulnerabilities": ["slashing"]}, 16, 8),
        ({"immunities": ["slashing"]}, 0, -8),
        ({"resistances": ["slashing"], "vulnerabilities": ["slashing"]}, 8, 4),
    ],
    ids=["resistance halves", "to another type", "vulnerability doubles", "immunity", "both: halved, then doubled"],
)
def test_nature_changes_damage(nature: dict[str, Any], amount: int, last_part: int) -> None:
    _, damaged = struck(**nature)
    assert (damaged.amount, damaged.parts[-1].amount) == (amount, last_part)
    assert sum(part.amount for part in damaged.parts) == damaged.amount + damaged.overkill


def test_resistance_rounds_down() -> None:
    _, damaged = struck((15, 4), resistances=["slashing"])
    assert damaged.amount == 3  # 7 halved


def test_several_resistances_to_one_type_count_as_one() -> None:
    drill, damaged = struck(resistances=["slashing"])
    drill.do("gm", "rule", target="grub", options={"add": ["raging"], "reason": "angry"})
    drill.do("gm", "rule", target="rurik", options={"set": {"attacks": 1}, "reason": "again"})
    events = drill.do("rurik", "strike", target="grub", dice=(15, 5))
    assert only(events, Damaged).amount == damaged.amount == 4
    assert len([e for e in all_of(events, ChainModified) if e.chain == "damage_taken"]) == 2


def test_reduction_comes_before_halving_before_resistance() -> None:
    chain = ModifierChain("damage_taken", TAKEN_STAGES)
    chain.add(halved("resistance", "a:b:resistance", "x", "", "fire"), halved("halving", "a:b:dodge", "x", ""))
    chain.add(bonus("reduction", "a:b:deflect", "x", "", -3))
    parts = [DamagePart(source="a:b:sword", amount=10, damage_type="cold")]
    parts.append(DamagePart(source="a:b:flame", amount=9, damage_type="fire"))
    taken = [(part.source, part.damage_type, part.amount) for part in reductions(chain, parts)]
    assert taken == [
        ("a:b:deflect", "cold", -3),
        ("a:b:dodge", "cold", -4),
        ("a:b:dodge", "fire", -5),
        ("a:b:resistance", "fire", -2),
    ]


def test_reduction_that_is_larger_goes_on_to_the_next_type_and_never_below_nothing() -> None:
    chain = ModifierChain("damage_taken", TAKEN_STAGES, [bonus("reduction", "a:b:deflect", "x", "", -8)])
    chain.add(multiplied("vulnerability", "a:b:weak", "x", "", 2, "fire"))
    parts = [DamagePart(source="s", amount=5, damage_type="cold"), DamagePart(source="s", amount=4, damage_type="fire")]
    assert [part.amount for part in reductions(chain, parts)] == [-5, -3, 1]


def test_every_point_is_traced_to_a_contribution() -> None:
    drill = Drill()
    drill.join("barbarian", "Korg", (1, 1), overrides={"features": ["rage", "great_weapon_fighting"]})
    drill.join("skeleton", "Bones", (2, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 1])
    drill.do("korg", "rage")
    events = drill.do("korg", "melee_attack", target="bones", dice=(15, 2, 9))
    sources = {event.source for event in all_of(events, ChainModified)}
    assert all(part.source in sources for part in only(events, Damaged).parts)
    assert only(events, Damaged).amount == 9 + 4 + 2


def test_temporary_hit_points_go_first() -> None:
    drill, damaged = struck(temp_hp=5)
    assert (drill["grub.temp_hp"], drill["grub.hp"], damaged.amount) == (0, 56, 3)
    assert [part.amount for part in damaged.parts] == [5, 3, -5]


def test_temporary_hit_points_that_are_enough_take_it_all() -> None:
    drill, damaged = struck(temp_hp=20)
    assert (drill["grub.temp_hp"], drill["grub.hp"]) == (12, 59)
    assert (damaged.pool, [part.amount for part in damaged.parts]) == ("temp_hp", [5, 3])


def test_a_monster_dies_at_0() -> None:
    drill, damaged = struck(hp=8)
    assert (drill["grub.hp"], drill["grub.conditions"], damaged.overkill) == (0, ["dead"], 0)


@pytest.mark.parametrize(
    ("hp", "conditions"),
    [(8, ["dying", "prone", "unconscious"]), (4, ["dead"]), (5, ["dying", "prone", "unconscious"])],
    ids=["falls", "a full maximum below", "less than that"],
)
def test_a_character_falls_or_dies_at_once(hp: int, conditions: list[str]) -> None:
    drill, _ = struck(hp=hp, nature="character")  # 8 damage
    assert drill["grub.conditions"] == conditions


@pytest.mark.parametrize(
    ("die", "hp", "conditions", "tally"),
    [
        (10, 0, ["dying", "prone", "unconscious"], {"successes": 1, "failures": 0}),
        (9, 0, ["dying", "prone", "unconscious"], {"successes": 0, "failures": 1}),
        (1, 0, ["dying", "prone", "unconscious"], {"successes": 0, "failures": 2}),
        (20, 1, ["prone"], None),
    ],
)
def test_death_saves(die: int, hp: int, conditions: list[str], tally: dict[str, int] | None) -> None:
    drill, _ = struck(hp=8, nature="character")
    events = drill.next_turn(dice=(die,))
    assert only(events, SaveResolved).save == "death"
    assert (drill["grub.hp"], drill["grub.conditions"]) == (hp, conditions)
    dying = drill.fight.battle.combatants["grub"].conditions.get("dnd5e:condition:dying")
    assert (dying.data if dying else None) == tally


def test_a_failed_strength_is_no_help_a_weak_blow_deals_nothing_rather_than_healing() -> None:
    drill = Drill()
    drill.join(
        "fighter",
        "Rurik",
        (1, 1),
        overrides={"abilities": {"str": 1, "dex": 1, "con": 10, "int": 10, "wis": 10, "cha": 10}},
    )
    drill.join("ogre", "Grub", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    damaged = only(drill.do("rurik", "strike", target="grub", dice=(20, 1, 1)), Damaged)  # 2 and 5 off
    assert (damaged.amount, drill["grub.hp"]) == (0, 59)
    assert sum(part.amount for part in damaged.parts) == 0
