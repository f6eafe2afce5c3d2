"""Cards that change single dice after the roll."""

from __future__ import annotations

import pytest

from tests.rules.skirmish.arena import Case, of, run_property

JEDI = {"traits": ["REBEL", "FORCE USER"]}
HIT_1, HIT_2, NO_BLOCK = "0/1/0", "0/2/0", "0/0"


CASES: dict[str, list[Case]] = {
    "setsToughLuck": [
        Case(  # the foe rerolls its die from 1 hit to 2, and it does not count at all
            {"hero.health": 10},
            {"setsToughLuck": True},
            how="defend and reroll",
            foe={"attack_rerolls": 1},
            dice=[HIT_1, NO_BLOCK, HIT_2],
            foe_then=["die:attack_1_red"],
        )
    ],
    "setsTherIsNoTry": [
        Case(  # the red die from 1 hit to 3
            {"foe.health": 7},
            {"setsTherIsNoTry": True},
            how="attack",
            hero=JEDI,
            dice=[HIT_1, NO_BLOCK],
            then=["face:0/3/0"],
        ),
        Case(  # of two dice, the second one
            {"foe.health": 6},
            {"setsTherIsNoTry": True},
            how="attack",
            hero={**JEDI, "attack": ["red", "green"]},
            dice=[HIT_2, "1/0/1", NO_BLOCK],
            then=["die:attack_2_green", "face:3/2/0"],
        ),
        Case(  # a dodge is 2 block instead
            {"hero.health": 10},
            {"setsTherIsNoTry": True, "timing": "defending"},
            how="defend",
            hero=JEDI,
            dice=[HIT_2, NO_BLOCK],
            then=["face:dodge"],
        ),
        Case({}, {"setsTherIsNoTry": True}, how="attack", dice=[HIT_1, NO_BLOCK], is_offered=False),  # no FORCE USER
    ],
}


@pytest.mark.parametrize("case", of(CASES))
def test_property(case: Case) -> None:
    run_property(case)
