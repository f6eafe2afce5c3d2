"""Cards that change the map, or count with it; and figures that are quicker for a round."""

from __future__ import annotations

import pytest

from tests.rules.skirmish.arena import Arena, Case, of, run_property

HIT_2, HIT_2_SURGE, NO_BLOCK, EVADE = "0/2/0", "0/2/1", "0/0", "0/1"
HARSH = {"setsHarshEnvironment": True}


def hit(arena: Arena) -> None:
    """2 hits and a surge for 1 damage, against a die that shows an evade."""
    arena.do("foe", "activate")
    arena.do("foe", "attack", target="hero", dice=[HIT_2_SURGE, EVADE], replies={"empire": ["surge:damage 1"]})


def hit_inside(arena: Arena) -> None:
    arena.do("foe", "activate")
    arena.do("foe", "attack", target="hero", dice=[HIT_2, NO_BLOCK])


def jawas_attack(arena: Arena) -> None:
    arena.do("foe", "activate")
    arena.end("foe")
    arena.do("hero", "activate")
    arena.do("hero", "move")
    assert arena["hero.mp"] == 4 + 1
    arena.do("hero", "attack", target="foe", dice=["2/0/1", NO_BLOCK], replies={"rebels": ["surge:vp 1"]})


def walk_over_rubble(arena: Arena) -> None:
    """From 5,5, next to the target at 6,5, to 5,7: over the rubble at 5,6, and then out of it."""
    arena.do("hero", "move", to=(5, 7))


CASES: dict[str, list[Case]] = {
    "placeRubbleOnTargetAndAdjacent": [
        Case(
            {"hero.mp": 4 - (2 + 1)},
            {"placeRubbleOnTargetAndAdjacent": True},
            how="attack",
            dice=[HIT_2, NO_BLOCK],
            options={"walls": ["4,6|4,7"], "impassable": ["4,6", "4,5", "4,4"]},
            after=walk_over_rubble,
        ),
        Case(  # the attack is dodged
            {},
            {"placeRubbleOnTargetAndAdjacent": True},
            how="attack",
            foe={"defense": ["white"]},
            dice=[HIT_2, "dodge"],
            is_offered=False,
        ),
    ],
    "setsHarshEnvironment": [
        Case(  # outside the evade does not count, so the surge does
            {"hero.health": 10 - 3},
            HARSH,
            how="start of round",
            foe={"surges": ["damage 1"]},
            options={"exterior": ["5,5"]},
            after=hit,
        ),
        Case({"hero.health": 9}, HARSH, how="start of round", options={"exterior": ["9,9"]}, after=hit_inside),
        Case({"rebels.conditions": []}, HARSH, how="start of round", questions=1),  # nobody has said what is outside
    ],
    "roundUtinniJawaBuffs": [
        Case(  # accuracy 2 and 1 for a target 3 spaces away; the surge is worth a point
            {"rebels.vp": 1},
            {"roundUtinniJawaBuffs": True},
            how="start of round",
            hero={"name": "Jawa Scavenger", "ranged": True, "attack": ["blue"]},
            foe_at=(8, 5),
            after=jawas_attack,
        )
    ],
}


@pytest.mark.parametrize("case", of(CASES))
def test_property(case: Case) -> None:
    run_property(case)
