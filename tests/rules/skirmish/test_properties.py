"""Every property of the ability library, alone and in combinations, with fixed dice and the exact outcome."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest

from combatlog.rules.skirmish.pieces import PROPERTIES
from combatlog.rules.skirmish.vocabulary import Timing
from tests.cases import each
from tests.rules.skirmish import effects
from tests.rules.skirmish.arena import Arena, Case, of, ruled, run_property
from tests.rules.skirmish.property_page import PAGE, page

ALLY = ("Ally", "rebels", (5, 6), {})
SECOND_ALLY = ("Second", "rebels", (4, 5), {})
THIRD_ALLY = ("Third", "rebels", (4, 4), {})
OTHER_FOE = ("Other", "empire", (6, 6), {})
HIT_2, HIT_3, HIT_2_SURGE = "0/2/0", "0/3/0", "0/2/1"
NO_BLOCK, BLOCK_1, BLOCK_2, BLOCK_3 = "0/0", "1/0", "2/0", "3/0"
PILE = ["Blitz", "Focus", "Bladestorm"]
SURGE_DAMAGE = {"surges": ["damage 1"]}
FAR = {"ranged": True, "attack": ["blue"]}


def hurt(**health: int) -> object:
    return ruled(**{who: {"set": {"health": left}} for who, left in health.items()})


def foe_discarded(arena: Arena) -> None:
    arena.do("foe", "activate")
    arena.play("foe", "Force Rush")
    arena.end("foe")


PROPERTY_CASES: dict[str, list[Case]] = {
    "draw": [Case({"rebels.pile.hand": PILE, "rebels.pile.deck": []}, {"draw": 3}, pile=PILE)],
    "drawIfTrait": [
        Case({"rebels.pile.hand": []}, {"draw": 1, "drawIfTrait": "SPY"}, pile=PILE),
        Case({"rebels.pile.hand": ["Blitz"]}, {"draw": 1, "drawIfTrait": "SPY"}, pile=PILE, hero={"traits": ["SPY"]}),
    ],
    "discardIfNotTrait": [Case({"rebels.pile.hand": ["Blitz"]}, {"draw": 2, "discardIfNotTrait": "LEADER"}, pile=PILE)],
    "discardFromDrawn": [
        Case(
            {"rebels.pile.hand": ["Blitz"], "rebels.pile.discard": ["Tested", "Bladestorm", "Focus"]},
            {"draw": 3, "discardIfNotTrait": "LEADER", "discardFromDrawn": 2},
            pile=PILE,
        ),
        Case(  # more than were drawn: all of them
            {"rebels.pile.hand": []}, {"draw": 1, "discardIfNotTrait": "LEADER", "discardFromDrawn": 2}, pile=PILE
        ),
    ],
    "drawThenDiscardOneGainVp": [
        Case(  # Bladestorm costs 2
            {"rebels.vp": 2, "rebels.pile.hand": ["Blitz", "Focus"]},
            {"draw": 3, "drawThenDiscardOneGainVp": True},
            pile=PILE,
        ),
        Case({"rebels.vp": 0}, {"draw": 2, "drawThenDiscardOneGainVp": True}),  # nothing to draw
    ],
    "clearOpponentDiscard": [
        Case(
            {"empire.pile.discard": [], "empire.pile.hand": []},
            {"clearOpponentDiscard": True},
            foe_hand=["Force Rush"],
            first="empire",
            before=foe_discarded,
        )
    ],
    "mpBonus": [Case({"hero.mp": 3}, {"mpBonus": 3})],
    "mpBonusToAdjacent": [Case({"hero.mp": 0, "ally.mp": 3, "foe.mp": 0}, {"mpBonusToAdjacent": 3}, others=[ALLY])],
    "mpBonusFromSpeed": [Case({"hero.mp": 5}, {"mpBonusFromSpeed": 1})],
    "mpAfterAttack": [
        Case({"hero.mp": 2, "foe.health": 9, "hero.actions": 1}, {"mpAfterAttack": 2}, dice=[HIT_2, BLOCK_1])
    ],
    "applyFocus": [
        Case({"hero.conditions": ["focused"]}, {"applyFocus": True}),
        Case(  # all figures of the deployment card
            {"hero.conditions": ["focused"], "ally.conditions": ["focused"]},
            {"applyFocus": True},
            hero={"group": "Heroes"},
            others=[("Ally", "rebels", (9, 9), {"group": "Heroes"})],
        ),
    ],
    "applyHide": [Case({"hero.conditions": ["hidden"]}, {"applyHide": True})],
    "applyHideWhenDefending": [
        Case(
            {"hero.conditions": ["hidden"], "hero.health": 10},  # accuracy 2 less 2, and 1 is needed
            {"applyHideWhenDefending": True},
            how="defend",
            dice=["2/1/0", NO_BLOCK],
            foe=FAR,
        )
    ],
    "powerTokenGain": [Case({"hero.wild_token": 2}, {"powerTokenGain": 2})],
    "powerTokenGainIfDamagedGte": [
        Case(
            {"hero.wild_token": 1}, {"powerTokenGain": 1, "powerTokenGainIfDamagedGte": {"4": 2}}, before=hurt(hero=7)
        ),
        Case(
            {"hero.wild_token": 2}, {"powerTokenGain": 1, "powerTokenGainIfDamagedGte": {"4": 2}}, before=hurt(hero=6)
        ),
    ],
    "focusGainToUpToNFigures": [
        Case(
            {"hero.conditions": ["focused"], "ally.conditions": ["focused"]},
            {"focusGainToUpToNFigures": 2},
            how="end of round",
            others=[ALLY],
        ),
        Case(  # more figures than that: the player says which
            {"hero.conditions": [], "ally.conditions": ["focused"]},
            {"focusGainToUpToNFigures": 1},
            how="end of round",
            others=[ALLY],
            then=["ally"],
        ),
    ],
    "vpCondition": [
        Case(
            {"hero.conditions": ["focused"]},
            {"focusGainToUpToNFigures": 1, "vpCondition": {"opponentHasAtLeastMore": 3}},
            how="end of round",
            before=ruled(empire={"set": {"vp": 5}}, rebels={"set": {"vp": 2}}),
        ),
        Case(
            {},
            {"focusGainToUpToNFigures": 1, "vpCondition": {"opponentHasAtLeastMore": 3}},
            how="end of round",
            before=ruled(empire={"set": {"vp": 5}}, rebels={"set": {"vp": 3}}),
            is_offered=False,
        ),
    ],
    "focusGainToAdjacentUpToN": [
        Case(
            {"ally.conditions": ["focused"], "second.conditions": ["focused"], "foe.conditions": []},
            {"focusGainToAdjacentUpToN": 2},
            others=[ALLY, SECOND_ALLY],
        ),
        Case(
            {"ally.conditions": ["focused"], "second.conditions": [], "third.conditions": ["focused"]},
            {"focusGainToAdjacentUpToN": 2},
            others=[ALLY, SECOND_ALLY, THIRD_ALLY],
            then=["third", "ally"],
        ),
    ],
    "discardHarmfulConditions": [
        Case(
            {"hero.conditions": ["hidden"]},
            {"discardHarmfulConditions": True},
            before=ruled(hero={"add": ["stunned", "weakened", "bleeding", "hidden"]}),
        )
    ],
    "discardHarmfulFromAdjacentFigures": [
        Case(
            {"ally.conditions": [], "foe.conditions": ["stunned"]},
            {"discardHarmfulFromAdjacentFigures": True},
            others=[ALLY],
            before=ruled(ally={"add": ["weakened"]}, foe={"add": ["stunned"]}),
        )
    ],
    "discardUpToNHarmful": [
        Case({"hero.conditions": []}, {"discardUpToNHarmful": 2}, before=ruled(hero={"add": ["stunned", "bleeding"]})),
        Case(
            {"hero.conditions": ["bleeding"]},
            {"discardUpToNHarmful": 1},
            before=ruled(hero={"add": ["stunned", "bleeding"]}),
            then=["stunned"],
        ),
    ],
    "recoverDamage": [
        Case({"hero.health": 9}, {"recoverDamage": 3}, before=hurt(hero=6)),
        Case({"hero.health": 10}, {"recoverDamage": 3}, before=hurt(hero=9)),
    ],
    "recoverDamageFromRound": [Case({"hero.health": 7}, {"recoverDamageFromRound": True}, before=hurt(hero=6))],
    "recoverDamageToAdjacent": [
        Case({"ally.health": 6}, {"recoverDamageToAdjacent": 1}, others=[ALLY], before=hurt(ally=5)),
        Case({}, {"recoverDamageToAdjacent": 1}, before=hurt(hero=5), questions=1),  # nobody is adjacent
        Case(
            {"ally.health": 5, "second.health": 6},
            {"recoverDamageToAdjacent": 1},
            others=[ALLY, SECOND_ALLY],
            before=hurt(ally=5, second=5),
            then=["second"],
        ),
    ],
    "recoverDamageToAdjacentIfTrait": [
        Case(
            {"ally.health": 9},
            {"recoverDamageToAdjacent": 1, "recoverDamageToAdjacentIfTrait": {"SPY": 4, "LEADER": 2}},
            hero={"traits": ["SPY", "LEADER"]},
            others=[ALLY],
            before=hurt(ally=5),
        ),
        Case(
            {"ally.health": 6},
            {"recoverDamageToAdjacent": 1, "recoverDamageToAdjacentIfTrait": {"SPY": 4}},
            others=[ALLY],
            before=hurt(ally=5),
        ),
    ],
    "nextAttacksBonusHits": [
        Case(
            {"foe.health": 5},
            {"nextAttacksBonusHits": {"count": 1, "bonus": 3}},
            how="play, then attack",
            dice=[HIT_2, NO_BLOCK],
        )
    ],
    "nextAttacksBonusConditions": [
        Case(
            {"foe.health": 8, "foe.conditions": ["bleeding", "stunned"]},
            {"nextAttacksBonusConditions": {"count": 1, "conditions": ["Stun", "Bleed"]}},
            how="play, then attack",
            dice=[HIT_2, NO_BLOCK],
        ),
        Case(  # no damage, no conditions
            {"foe.health": 10, "foe.conditions": []},
            {"nextAttacksBonusConditions": {"count": 1, "conditions": ["Stun"]}},
            how="play, then attack",
            dice=[HIT_2, BLOCK_2],
        ),
    ],
    "nextAttackBonusSurgeAbilities": [
        Case(
            {"foe.health": 6},
            {"nextAttackBonusSurgeAbilities": ["damage 2"], "timing": "duringActivation"},
            how="play, then attack",
            dice=[HIT_2_SURGE, NO_BLOCK],
            then=["damage 2"],
        )
    ],
    "attackSurgeBonus": [
        Case(
            {"foe.health": 6},
            {"attackSurgeBonus": 2},
            how="attack",
            dice=[HIT_2, NO_BLOCK],
            hero={"surges": ["damage 1", "+1 hit, stun"]},
            then=["damage 1", "+1 hit, stun"],
        )
    ],
    "attackBonusHits": [Case({"foe.health": 6}, {"attackBonusHits": 2}, how="attack", dice=[HIT_2, NO_BLOCK])],
    "attackAccuracyBonus": [
        Case(
            {"foe.health": 9},
            {"attackAccuracyBonus": 3},
            how="attack",
            dice=["2/1/0", NO_BLOCK],
            hero=FAR,
            foe_at=(10, 5),
        ),
        Case(
            {"foe.health": 10},
            {"attackAccuracyBonus": 2},
            how="attack",
            dice=["2/1/0", NO_BLOCK],
            hero=FAR,
            foe_at=(10, 5),
        ),
    ],
    "attackBonusPierce": [Case({"foe.health": 9}, {"attackBonusPierce": 2}, how="attack", dice=[HIT_2, BLOCK_3])],
    "attackBonusBlast": [
        Case(
            {"foe.health": 8, "other.health": 8, "hero.health": 8},
            {"attackBonusBlast": 2},
            how="attack",
            dice=[HIT_2, NO_BLOCK],
            others=[OTHER_FOE],
        )
    ],
    "attackBonusHitsFromDefeatedFriendly": [
        Case(
            {"foe.health": 4},
            {"attackBonusHitsFromDefeatedFriendly": 2},
            how="attack",
            dice=[HIT_2, NO_BLOCK],
            others=[ALLY, SECOND_ALLY],
            before=ruled(ally={"add": ["defeated"]}, second={"add": ["defeated"]}),
        ),
        Case({"foe.health": 8}, {"attackBonusHitsFromDefeatedFriendly": 2}, how="attack", dice=[HIT_2, NO_BLOCK]),
    ],
    "attackBonusHitsFromDefeatedMax": [
        Case(
            {"foe.health": 5},
            {"attackBonusHitsFromDefeatedFriendly": 2, "attackBonusHitsFromDefeatedMax": 3},
            how="attack",
            dice=[HIT_2, NO_BLOCK],
            others=[ALLY, SECOND_ALLY],
            before=ruled(ally={"add": ["defeated"]}, second={"add": ["defeated"]}),
        )
    ],
    "attackBonusDice": [
        Case({"foe.health": 3}, {"attackBonusDice": 2}, how="attack", dice=[HIT_2, HIT_2, HIT_3, NO_BLOCK])
    ],
    "attackBonusDiceColor": [
        Case(
            {"foe.health": 6},
            {"attackBonusDice": 1, "attackBonusDiceColor": "green"},
            how="attack",
            dice=[HIT_2, "3/2/0", NO_BLOCK],
        )
    ],
    "defenseBonusDiceFromAttacker": [
        Case({"foe.health": 9}, {"defenseBonusDiceFromAttacker": 1}, how="attack", dice=[HIT_3, BLOCK_1, "1/1"])
    ],
    "defenseBonusDiceFromAttackerColor": [
        Case(
            {"foe.health": 10},
            {"defenseBonusDiceFromAttacker": 1, "defenseBonusDiceFromAttackerColor": "black"},
            how="attack",
            dice=[HIT_3, NO_BLOCK, BLOCK_3],
        )
    ],
    "defensePoolRemoveMax": [
        Case({"foe.health": 8}, {"defensePoolRemoveMax": 3}, how="attack", dice=[HIT_2], then=["black"]),
        Case({"foe.health": 9}, {"defensePoolRemoveMax": 3}, how="attack", dice=[HIT_2, BLOCK_1]),  # up to 3 may be 0
        Case(
            {"foe.health": 9},
            {"defensePoolRemoveMax": 1},
            how="attack",
            dice=[HIT_2, BLOCK_1],
            foe={"defense": ["white", "black"]},
            then=["white"],
        ),
    ],
    "defensePoolRemoveAll": [
        Case(
            {"foe.health": 8},
            {"defensePoolRemoveAll": True},
            how="attack",
            dice=[HIT_2],
            foe={"defense": ["black", "white"]},
        )
    ],
    "defensePoolRemoveOnlyWhenNotAttackerActivation": [
        Case(
            {},
            {"defensePoolRemoveAll": True, "defensePoolRemoveOnlyWhenNotAttackerActivation": True},
            how="attack",
            dice=[HIT_2, BLOCK_1],
            is_offered=False,
        ),
        Case(
            {"foe.health": 8},
            {"defensePoolRemoveAll": True, "defensePoolRemoveOnlyWhenNotAttackerActivation": True},
            how="interrupt",
            dice=[HIT_2],
        ),
    ],
    "attackBonusSurgeAbilities": [
        Case(
            {"foe.health": 5},
            {"attackBonusSurgeAbilities": ["damage 3"]},
            how="attack",
            dice=[HIT_2_SURGE, NO_BLOCK],
            then=["damage 3"],
        )
    ],
    "applyDefenseBonusBlock": [
        Case({"hero.health": 9}, {"applyDefenseBonusBlock": 1}, how="defend", dice=[HIT_2, NO_BLOCK])
    ],
    "applyDefenseBonusEvade": [
        Case(
            {"hero.health": 8},  # the surge is cancelled
            {"applyDefenseBonusEvade": 1},
            how="defend",
            dice=[HIT_2_SURGE, NO_BLOCK],
            foe={**SURGE_DAMAGE},
        )
    ],
    "defenseBonusOnlyWhenNotAttackerActivation": [
        Case(
            {},
            {"applyDefenseBonusBlock": 2, "defenseBonusOnlyWhenNotAttackerActivation": True},
            how="defend",
            dice=[HIT_2, NO_BLOCK],
            is_offered=False,
        ),
        Case(
            {"hero.health": 10},
            {"applyDefenseBonusBlock": 2, "defenseBonusOnlyWhenNotAttackerActivation": True},
            how="be interrupted",
            dice=[HIT_2, NO_BLOCK],
        ),
    ],
    "defenseBonusDice": [
        Case({"hero.health": 10}, {"defenseBonusDice": 2}, how="defend", dice=[HIT_3, NO_BLOCK, BLOCK_1, BLOCK_2])
    ],
    "defenseBonusDiceColor": [
        Case(
            {"hero.health": 10},  # dodged
            {"defenseBonusDice": 1, "defenseBonusDiceColor": "white"},
            how="defend",
            dice=[HIT_3, NO_BLOCK, "dodge"],
        )
    ],
    "roundDefenseBonusBlock": [
        Case({"hero.health": 10}, {"roundDefenseBonusBlock": 2}, how="play, then defend", dice=[HIT_2, NO_BLOCK])
    ],
    "roundDefenseBonusEvade": [
        Case(
            {"hero.health": 8},
            {"roundDefenseBonusEvade": 1},
            how="play, then defend",
            dice=[HIT_2_SURGE, NO_BLOCK],
            foe=SURGE_DAMAGE,
        )
    ],
    "claimInitiative": [
        Case(
            {"order": ["rebels", "empire"], "rebels.granted": ["activate"]},
            {"claimInitiative": True},
            how="end of round",
        )
    ],
    "logMessage": [Case({}, {"logMessage": "Move the crate."}, questions=1)],
    "informational": [Case({}, {"informational": True}, questions=1)],
}


COMBINATIONS = [
    Case(
        {"hero.conditions": ["bleeding"], "hero.health": 8, "hero.mp": 2, "rebels.pile.hand": ["Blitz"]},
        {"discardUpToNHarmful": 1, "recoverDamage": 3, "mpBonus": 2, "draw": 1},
        before=ruled(hero={"set": {"health": 5}, "add": ["stunned", "bleeding"]}),
        pile=PILE,
        then=["stunned"],
    ),
    Case(  # red 2, green 1 from Focus, hits 1, the surges of green and of the card
        {"foe.health": 4, "foe.conditions": ["stunned"], "hero.conditions": []},
        {"applyFocus": True, "attackBonusHits": 1, "attackSurgeBonus": 1, "attackBonusSurgeAbilities": ["stun"]},
        how="attack",
        dice=[HIT_2, "1/1/1", NO_BLOCK],
        hero={"surges": ["damage 2"]},
        then=["damage 2", "stun"],
    ),
    Case(  # what the engine does not know is left to people, the rest is done
        {"hero.mp": 1},
        {"mpBonus": 1, "teleport": 3, "logMessage": "Then smile."},
        questions=2,
    ),
    Case({}, {}, questions=1),  # an entry without any property
]


@each("case", of(PROPERTY_CASES))
def test_property(case: Case) -> None:
    run_property(case)


@pytest.mark.parametrize("case", COMBINATIONS)
def test_combination(case: Case) -> None:
    run_property(case)


def test_every_property_has_a_card_that_is_played() -> None:
    cases = dict(PROPERTY_CASES)
    for module in pkgutil.iter_modules(effects.__path__):
        cases |= importlib.import_module(f"{effects.__name__}.{module.name}").CASES
    played = [
        name for name, found in cases.items() if any(case.is_offered and _has(case.entry, name) for case in found)
    ]
    assert sorted(played) == sorted(PROPERTIES)


def _has(entry: Any, name: str) -> bool:
    """Whether an entry has a property, be it within another one."""
    inner = entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ()
    return (isinstance(entry, dict) and name in entry) or any(_has(one, name) for one in inner)


def test_the_page_lists_every_property() -> None:
    assert PAGE.read_text("utf-8") == page(PAGE.read_text("utf-8")), "run python -m tests.rules.skirmish.property_page"


@each("timing", Timing)
def test_the_page_lists_every_timing(timing: Timing) -> None:
    assert f"`{timing}`" in PAGE.read_text("utf-8")
