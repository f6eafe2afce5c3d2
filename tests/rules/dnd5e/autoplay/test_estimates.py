"""Expected values are worked out by hand beside each test."""

from __future__ import annotations

import pytest

from combatlog.rules.autoplay.option import OptionAim
from combatlog.rules.dnd5e.autoplay.attacks_and_reach import attack_with
from combatlog.rules.dnd5e.autoplay.odds_and_estimates import at_least, hit_chances, mean, naturals, save_chance, throw
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.enums import AbilityScore
from combatlog.testing import Drill
from ledger.events import RollMode
from tests.rules.dnd5e.autoplay.support import duel, measured, option


@pytest.mark.parametrize(
    ("notation", "rerolled", "average"),
    [
        ("1d8", False, 4.5),
        ("2d6+3", False, 10.0),
        ("3d4+3", False, 10.5),
        ("1", False, 1.0),
        ("2d20kh1", False, 13.825),
        ("1d6", True, 25 / 6),  # 1 and 2 count as 3.5: (3.5 + 3.5 + 3 + 4 + 5 + 6) / 6
        ("2d6", True, 25 / 3),
        ("200d1000", False, 100_100.0),  # too many to add up one by one: 200 times 500.5
    ],
)
def test_the_average_of_dice(notation: str, rerolled: bool, average: float) -> None:
    assert mean(throw(notation, rerolled=rerolled)) == pytest.approx(average)


@pytest.mark.parametrize(
    ("mode", "at_least_11"), [(RollMode.NORMAL, 0.5), (RollMode.ADVANTAGE, 0.75), (RollMode.DISADVANTAGE, 0.25)]
)
def test_the_chance_of_11_and_more(mode: RollMode, at_least_11: float) -> None:
    assert sum(naturals(mode)[10:]) == pytest.approx(at_least_11)


def chances(drill: Drill, attacker: str = "hero", target: str = "foe") -> tuple[float, float]:
    battle = drill.fight.battle
    one, other = battle.combatants[attacker], battle.combatants[target]
    found = hit_chances(attack_with(battle, sheet_of(one).weapons[0], one, other))
    return found.hit, found.critical


def test_5_to_hit_against_15_hits_with_10_and_more() -> None:
    assert chances(duel()) == pytest.approx((11 / 20, 1 / 20))


def test_dodging_squares_the_chance() -> None:
    drill = duel()
    drill.do("gm", "rule", target="foe", options={"add": ["dodging"], "reason": "test"})
    assert chances(drill) == pytest.approx(((11 / 20) ** 2, 1 / 400))


def test_a_blessing_adds_a_d4_to_the_chance() -> None:
    drill = duel()
    drill.do("gm", "rule", target="hero", options={"add": ["blessed"], "reason": "test"})
    # 9, 8, 7 and 6 hit with a chance of 4/4, 3/4, 2/4 and 1/4 of reaching 15 with the die: on average 2.5 faces more
    assert chances(drill) == pytest.approx(((11 + 2.5) / 20, 1 / 20))


def test_a_paralyzed_enemy_is_hit_critically() -> None:
    drill = duel()
    drill.do("gm", "rule", target="foe", options={"add": ["paralyzed"], "reason": "test"})
    hit = 1 - (9 / 20) ** 2
    assert chances(drill) == pytest.approx((hit, hit))


def test_expected_damage_and_kills_of_a_longsword_against_a_goblin() -> None:
    drill, aim = duel(), OptionAim(("foe",))
    # In both hands: 1d10+3 against 7 hit points counts 4, 5, 6 and seven times 7: 64/10. A critical 2d10+3 counts 5
    # once, 6 twice and 7 for the other 97 of 100.
    assert measured(drill, "melee_attack", aim, "expected_damage") == pytest.approx(0.5 * 64 / 10 + 0.05 * 696 / 100)
    assert measured(drill, "melee_attack", aim, "kills") == pytest.approx(0.5 * 7 / 10 + 0.05 * 97 / 100)


def test_vulnerability_doubles_what_is_expected() -> None:
    drill = duel("cleric", "skeleton")
    odds = option(drill, "melee_attack", "mace").outcome(OptionAim(("foe",))).harm["foe"]
    # 1d6+2 bludgeoning, doubled: from 6 to 16, only even numbers; 2d6+2 for a critical hit, from 8 to 28
    assert sorted(amount for amount in odds if amount) == list(range(6, 29, 2))
    assert mean(odds) == pytest.approx(12 / 20 * 11 + 1 / 20 * 18)


def test_resistance_halves_each_number_and_rounds_down() -> None:
    drill = duel()
    drill.do("gm", "rule", target="foe", options={"add": ["raging"], "reason": "test"})
    odds = option(drill, "melee_attack").outcome(OptionAim(("foe",))).harm["foe"]
    # 4 to 13, halved: 2 2 3 3 4 4 5 5 6 6
    assert at_least(odds, 5) == pytest.approx(0.5 * 4 / 10 + 0.05 * at_least(throw("2d10"), 7))


def test_extra_attack_makes_two_blows_of_one_action() -> None:
    drill = duel("barbarian", "ogre")
    odds = option(drill, "melee_attack", "greataxe").outcome(OptionAim(("foe",))).harm["foe"]
    # +7 against 11: 4 and more hit. 1d12+4 is 10.5, a critical 2d12+4 is 17.
    assert mean(odds) == pytest.approx(2 * (16 / 20 * 10.5 + 1 / 20 * 17))


def test_a_save_of_plus_2_against_15_succeeds_with_13_and_more() -> None:
    drill = duel()
    battle = drill.fight.battle
    assert save_chance(battle, battle.combatants["foe"], AbilityScore.DEX, 15, "test") == pytest.approx(8 / 20)


def test_the_helpless_fail_dexterity_saves() -> None:
    drill = duel()
    drill.do("gm", "rule", target="foe", options={"add": ["paralyzed"], "reason": "test"})
    battle = drill.fight.battle
    assert save_chance(battle, battle.combatants["foe"], AbilityScore.DEX, 15, "test") == 0.0


def test_an_estimate_is_what_many_real_strikes_come_to() -> None:
    """The real resolution, every natural roll once, hits exactly as often as is estimated."""
    hits = 0
    for natural in range(1, 21):
        drill = duel()
        dice = [natural, 1, 1] if natural == 20 else [natural, 1]
        needed = dice if natural >= 10 else [natural]
        drill.do("hero", "melee_attack", target="foe", dice=needed)
        hits += drill["foe.hp"] < 7
    assert hits / 20 == pytest.approx(chances(duel())[0])
