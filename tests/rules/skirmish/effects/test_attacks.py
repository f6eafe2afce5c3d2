"""What cards do to dice, to the rules of an attack, and after it."""

from __future__ import annotations

import pytest

from combatlog.rules.skirmish.vocabulary import slug
from tests.cases import each
from tests.rules.skirmish.arena import Arena, Case, library, of, ruled, run_property

HIT_1, HIT_2, HIT_3, HIT_2_SURGE = "0/1/0", "0/2/0", "0/3/0", "0/2/1"
NO_BLOCK, BLOCK_1, BLOCK_2, BLOCK_3 = "0/0", "1/0", "2/0", "3/0"
OTHER = ("Other", "empire", (6, 6), {})
SURGE_DAMAGE = {"surges": ["damage 1"]}


def attack_again(arena: Arena) -> None:
    arena.do("hero", "attack", target="foe", dice=[HIT_2, NO_BLOCK])


def foe_attacks(arena: Arena) -> None:
    arena.end("hero")
    arena.do("foe", "activate")
    arena.do("foe", "attack", target="hero", dice=[HIT_3, "1/1"])


def hero_attacks_next(arena: Arena) -> None:
    """With one more reroll than the figure has by itself: 2 hits instead of 1."""
    arena.do("foe", "activate")
    arena.end("foe")
    arena.do("hero", "activate")
    replies = {"rebels": ["attack_1_red"]}
    arena.do("hero", "attack", target="foe", dice=[HIT_1, NO_BLOCK, HIT_2], replies=replies)


CASES: dict[str, list[Case]] = {
    "attackBonusCleave": [
        Case(
            {"foe.health": 8, "other.health": 8},
            {"attackBonusCleave": 2},
            how="attack",
            dice=[HIT_2, NO_BLOCK],
            others=[OTHER],
        )
    ],
    "attackBonusHitsIfTargetRanged": [
        Case(
            {"foe.health": 5},
            {"attackBonusHits": 1, "attackBonusHitsIfTargetRanged": 3},
            how="attack",
            dice=[HIT_2, NO_BLOCK],
            foe={"ranged": True},
        )
    ],
    "dodgeReduction": [
        Case({"foe.health": 8}, {"dodgeReduction": 1}, how="attack", dice=[HIT_2, "dodge"], foe={"defense": ["white"]})
    ],
    "evadeReduction": [
        Case(
            {"foe.health": 7},
            {"evadeReduction": 1},
            how="attack",
            dice=[HIT_2_SURGE, "0/1"],
            hero=SURGE_DAMAGE,
            then=["damage 1"],
        )
    ],
    "onlyCardInAttack": [
        Case({"foe.health": 5}, {"attackBonusHits": 3, "onlyCardInAttack": True}, how="attack", dice=[HIT_2, NO_BLOCK])
    ],
    "nextAttacksOnlyAgainstSmall": [
        Case(
            {"foe.health": 8},
            {"nextAttacksBonusHits": {"count": 1, "bonus": 2}, "nextAttacksOnlyAgainstSmall": True},
            how="play, then attack",
            dice=[HIT_2, NO_BLOCK],
            foe={"size": "2x2"},
        )
    ],
    "attackBonusRecover": [
        Case(
            {"hero.health": 7},
            {"attackBonusRecover": 2},
            how="attack",
            dice=[HIT_2, NO_BLOCK],
            before=ruled(hero={"set": {"health": 5}}),
        )
    ],
    "attackBonusConditions": [
        Case(
            {"foe.conditions": ["bleeding"], "hero.conditions": ["hidden"]},
            {"attackBonusConditions": ["bleed", "hide"]},
            how="attack",
            dice=[HIT_2, NO_BLOCK],
        ),
        Case(  # no damage, no conditions
            {"foe.conditions": []},
            {"attackBonusConditions": ["bleed"]},
            how="attack",
            dice=[HIT_2, BLOCK_2],
        ),
    ],
    "attackResultReplaceWithStun": [
        Case(
            {"foe.health": 10, "foe.conditions": ["stunned"], "hero.actions": 1},
            {"attackResultReplaceWithStun": True},
            dice=[HIT_2, BLOCK_1],
        ),
        Case(  # all blocked: it would suffer nothing
            {"foe.health": 10, "foe.conditions": []}, {"attackResultReplaceWithStun": True}, dice=[HIT_2, BLOCK_2]
        ),
    ],
    "attackPoolAddYellowUntilTotal": [
        Case(  # red 2 and three yellow dice with 1, 2 and 1
            {"foe.health": 4},
            {"attackPoolAddYellowUntilTotal": 4},
            dice=[HIT_2, "2/1/0", "1/2/0", "1/1/1", NO_BLOCK],
        )
    ],
    "superchargeStrainAfterAttack": [
        Case(  # one die added, one strain
            {"foe.health": 7, "hero.health": 9},
            {"attackPoolAddYellowUntilTotal": 2, "superchargeStrainAfterAttack": True},
            dice=[HIT_2, "2/1/0", NO_BLOCK],
        )
    ],
    "pummelTwoAttacksThisActivation": [
        Case(
            {"foe.health": 6, "hero.actions": 0},
            {"pummelTwoAttacksThisActivation": True},
            how="play, then attack",
            dice=[HIT_2, NO_BLOCK],
            after=attack_again,
        ),
        Case({"hero.attacks": 1}, {"pummelTwoAttacksThisActivation": True}, hero={"ranged": True}),
    ],
    "maxDamageFromAttack": [
        Case({"hero.health": 9}, {"maxDamageFromAttack": 1}, how="defend", dice=[HIT_3, NO_BLOCK]),
        Case({"hero.health": 10}, {"maxDamageFromAttack": 0}, how="defend", dice=[HIT_3, NO_BLOCK]),
        Case({"hero.health": 8}, {"maxDamageFromAttack": 3}, how="defend", dice=[HIT_3, BLOCK_1]),
    ],
    "defenderIgnorePierce": [
        Case(
            {"hero.health": 9},
            {"defenderIgnorePierce": True},
            how="defend",
            dice=[HIT_2, BLOCK_1],
            foe={"innate": {"pierce": 1}},
        )
    ],
    "ignoreDefenseResultsNotOnDice": [
        Case(  # 3 hits less the 1 block of the die; the innate 2 block does not count
            {"foe.health": 8},
            {"ignoreDefenseResultsNotOnDice": True},
            how="attack",
            dice=[HIT_3, BLOCK_1],
            foe={"innate": {"block": 2}},
        )
    ],
    "bonusDamagePerDefenseDie": [
        Case(  # two defense dice
            {"foe.health": 6},
            {"bonusDamagePerDefenseDie": 1},
            how="attack",
            dice=[HIT_2, NO_BLOCK, NO_BLOCK],
            foe={"defense": ["black", "black"]},
        )
    ],
    "bonusSurgePerDefenseDie": [
        Case(
            {"foe.health": 7},
            {"bonusSurgePerDefenseDie": 1},
            how="attack",
            dice=[HIT_2, NO_BLOCK],
            hero=SURGE_DAMAGE,
            then=["damage 1"],
        )
    ],
    "defenderStrain": [
        Case({"foe.health": 6}, {"defenderStrain": 2}, how="attack", dice=[HIT_2, NO_BLOCK]),
        Case(
            {"foe.health": 10}, {"defenderStrain": 2}, how="attack", dice=[HIT_2, "dodge"], foe={"defense": ["white"]}
        ),
    ],
    "rerollOneAttackDie": [
        Case(  # played after the roll
            {"foe.health": 7},
            {"rerollOneAttackDie": True},
            how="attack",
            dice=[HIT_1, NO_BLOCK, HIT_3],
            then=["attack_1_red"],
        )
    ],
    "rerollDefenseDice": [
        Case(
            {"hero.health": 9},
            {"rerollDefenseDice": 1},
            how="defend",
            dice=[HIT_2, NO_BLOCK, BLOCK_1],
            then=["defense_1_white"],
        )
    ],
    "defenderRerollDiceMax": [
        Case(  # both the attacker's 3 hits and the defender's blank
            {"hero.health": 10},
            {"defenderRerollDiceMax": 2},
            how="defend",
            dice=[HIT_3, NO_BLOCK, HIT_1, BLOCK_1],
            then=["attack_1_red", "defense_1_white"],
        )
    ],
    "roundAttackRerollDice": [
        Case({"foe.health": 8, "round": 2}, {"roundAttackRerollDice": 1}, how="start of round", after=hero_attacks_next)
    ],
    "attackPoolRemoveMax": [
        Case(
            {"hero.health": 9},
            {"attackPoolRemoveMax": 1},
            how="defend",
            dice=["2/1/0", NO_BLOCK],
            foe={"attack": ["red", "blue"]},
            then=["die:red"],
        )
    ],
    "attackPoolKeepMax": [
        Case(  # the attacker keeps the red one
            {"hero.health": 8},
            {"attackPoolKeepMax": 1},
            how="defend",
            dice=[HIT_2, NO_BLOCK],
            foe={"attack": ["red", "blue", "yellow"]},
            foe_then=["die:blue", "die:yellow"],
        )
    ],
    "roundAttackSurgeBonus": [
        Case(
            {"foe.health": 7},
            {"roundAttackSurgeBonus": 1},
            how="play, then attack",
            dice=[HIT_2, NO_BLOCK],
            hero=SURGE_DAMAGE,
            then=["damage 1"],
        )
    ],
    "roundAttackBonusHits": [
        Case({"foe.health": 7}, {"roundAttackBonusHits": 1}, how="play, then attack", dice=[HIT_2, NO_BLOCK])
    ],
    "roundDefenderBonusBlockPerEvade": [
        Case(  # 3 hits, less 1 block of the die and 2 for its evade
            {"hero.health": 10}, {"roundDefenderBonusBlockPerEvade": 2}, after=foe_attacks
        )
    ],
}


@each("case", of(CASES))
def test_property(case: Case) -> None:
    run_property(case)


def test_a_die_is_rerolled_once_whoever_allows_it() -> None:
    arena = Arena(hand=["Tested"], hero={"attack_rerolls": 1}, library=library({"rerollOneAttackDie": True}))
    arena.do("hero", "activate")
    replies = {"rebels": ["attack_1_red", "Tested", "attack_1_red"]}
    problem = arena.refusal("hero", "attack", target="foe", dice=[HIT_1, NO_BLOCK, HIT_2], replies=replies)
    assert problem.code == "reaction/not-offered"


@pytest.mark.parametrize(("first", "second"), [("Assassinate", "Positioning Advantage"), ("Blitz", "Assassinate")])
def test_the_only_card_in_an_attack_is_the_first_and_the_last(first: str, second: str) -> None:
    arena = Arena(hand=["Assassinate", "Positioning Advantage", "Blitz"], hero=SURGE_DAMAGE)
    arena.do("hero", "activate")
    replies = {"rebels": [first, second]}
    problem = arena.refusal("hero", "attack", target="foe", dice=[HIT_2, NO_BLOCK], replies=replies)
    assert (problem.code, problem.facts["name"]) == ("reaction/not-offered", f"skirmish:card:{slug(second)}")
