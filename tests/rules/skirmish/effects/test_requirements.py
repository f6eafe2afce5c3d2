"""What has to hold for a card to have any effect."""

from __future__ import annotations

from typing import Any

from tests.cases import each
from tests.rules.skirmish.arena import Case, of, ruled, run_property

HIT_2, HIT_3, NO_BLOCK = "0/2/0", "0/3/0", "0/0"
OTHER = ("Other", "empire", (6, 6), {"cost": 8})


def in_attack(holds: bool, required: dict[str, Any], **more: Any) -> Case:
    """A card that adds a hit to an attack of 2, if what it requires holds; if not, it is not even offered."""
    expect = {"foe.health": 7} if holds else {}
    return Case(
        expect, {"attackBonusHits": 1, **required}, how="attack", dice=[HIT_2, NO_BLOCK], is_offered=holds, **more
    )


CASES: dict[str, list[Case]] = {
    "onlyIfTrait": [
        in_attack(True, {"onlyIfTrait": ["SPY", "LEADER"]}, hero={"traits": ["Leader"]}),
        in_attack(False, {"onlyIfTrait": ["SPY"]}, hero={"traits": ["Leader"]}),
    ],
    "onlyIfTargetTrait": [
        in_attack(True, {"onlyIfTargetTrait": ["DROID"]}, foe={"traits": ["DROID"]}),
        in_attack(False, {"onlyIfTargetTrait": ["DROID"]}),
    ],
    "onlyIfTargetSmall": [
        in_attack(True, {"onlyIfTargetSmall": True}),
        in_attack(False, {"onlyIfTargetSmall": False}),
    ],
    "onlyIfTargetRanged": [
        in_attack(True, {"onlyIfTargetRanged": True}, foe={"ranged": True}),
        in_attack(False, {"onlyIfTargetRanged": True}),
    ],
    "onlyIfMelee": [
        in_attack(True, {"onlyIfMelee": True}),
        in_attack(False, {"onlyIfMelee": False}),
    ],
    "onlyIfTargetWithinSpaces": [
        in_attack(True, {"onlyIfTargetWithinSpaces": 2}, hero={"reach": True}, foe_at=(7, 5)),
        in_attack(False, {"onlyIfTargetWithinSpaces": 1}, hero={"reach": True}, foe_at=(7, 5)),
    ],
    "onlyIfTargetInSight": [
        in_attack(True, {"onlyIfTargetInSight": True}),
        in_attack(False, {"onlyIfTargetInSight": False}),
    ],
    "onlyIfTargetHasHighestCost": [
        in_attack(True, {"onlyIfTargetHasHighestCost": True}),
        in_attack(False, {"onlyIfTargetHasHighestCost": True}, others=[OTHER]),
    ],
    "onlyIfTargetUnique": [
        in_attack(True, {"onlyIfTargetUnique": True}, foe={"unique": True}),
        in_attack(False, {"onlyIfTargetUnique": True}),
    ],
    "onlyIfTargetDefeated": [
        Case(
            {"hero.health": 8},
            {"timing": "afterAttack", "recoverDamage": 3, "onlyIfTargetDefeated": True},
            how="attack",
            dice=[HIT_3, NO_BLOCK],
            others=[OTHER],
            before=ruled(hero={"set": {"health": 5}}, foe={"set": {"health": 3}}),
        ),
        Case(
            {},
            {"timing": "afterAttack", "recoverDamage": 3, "onlyIfTargetDefeated": True},
            how="attack",
            dice=[HIT_3, NO_BLOCK],
            others=[OTHER],
            before=ruled(hero={"set": {"health": 5}}, foe={"set": {"health": 4}}),
            is_offered=False,
        ),
    ],
    "onlyIfSufferedDamageGte": [
        in_attack(True, {"onlyIfSufferedDamageGte": 3}, before=ruled(hero={"set": {"health": 7}})),
        in_attack(False, {"onlyIfSufferedDamageGte": 3}, before=ruled(hero={"set": {"health": 8}})),
    ],
    "onlyIfHostileAdjacent": [
        in_attack(True, {"onlyIfHostileAdjacent": True}),
        in_attack(False, {"onlyIfHostileAdjacent": False}),
    ],
}


@each("case", of(CASES))
def test_property(case: Case) -> None:
    run_property(case)
