"""Cards that let figures move or attack at once."""

from __future__ import annotations

from tests.cases import each
from tests.rules.skirmish.arena import Arena, Case, of, run_property

HIT_2, HIT_3 = "0/2/0", "0/3/0"
NO_BLOCK, BLOCK_2 = "0/0", "2/0"
OTHER_FOE = ("Other", "empire", (7, 6), {})
DROID = ("Droid", "rebels", (6, 6), {"traits": ["DROID"]})
SCOUT = ("Scout", "rebels", (5, 4), {})


def stunned(arena: Arena) -> None:
    arena.rule("hero", add=["stunned"])


CASES: dict[str, list[Case]] = {
    "interrupt": [
        Case(  # the foe that activates is attacked before it does anything
            {"foe.health": 8, "turn": "foe", "foe.actions": 2, "hero.activations": 1},
            {"interrupt": {"attack": True, "target": "other"}},
            how="foe activates",
            dice=[HIT_2, NO_BLOCK],
            then=["foe"],
        ),
        Case(  # 2 movement points: two steps, and no points are left behind
            {"hero.position": [7, 4], "hero.mp": 0, "foe.health": 10},
            {"interrupt": {"move": 2}},
            how="foe activates",
            then=["7_4"],
        ),
        Case(  # the player need not move or attack
            {"hero.position": [5, 5], "foe.health": 10},
            {"interrupt": {"move": 2, "attack": True}},
            how="foe activates",
        ),
        Case(  # only the droid among the friends near may attack
            {"foe.health": 7, "scout.health": 10},
            {"interrupt": {"attack": True, "friendlyWithin": 3, "traits": ["DROID"], "upTo": 2}},
            how="foe activates",
            others=[DROID, SCOUT],
            dice=[HIT_3, NO_BLOCK],
            then=["foe"],
        ),
        Case(  # two of two friends: each attacks
            {"foe.health": 5},
            {"interrupt": {"attack": True, "friendlyWithin": 3, "upTo": 2}},
            how="foe activates",
            others=[DROID, ("Scout", "rebels", (6, 4), {})],
            dice=[HIT_3, NO_BLOCK, HIT_2, NO_BLOCK],
            then=["foe", "foe"],
        ),
        Case(  # whoever is stunned neither moves nor attacks
            {"hero.position": [5, 5], "foe.health": 10},
            {"interrupt": {"move": 2, "attack": True}},
            how="foe activates",
            before=stunned,
        ),
    ],
    "whileInterrupting": [
        Case(  # Pierce 2 goes through the block
            {"foe.health": 8},
            {"interrupt": {"attack": True}, "whileInterrupting": {"attackBonusPierce": 2}},
            how="foe activates",
            dice=[HIT_2, BLOCK_2],
            then=["foe"],
        )
    ],
    "setsStillFaster": [
        Case(  # from 5,5 to 6,6: next to both, but only the one that does not activate can be attacked
            {"hero.position": [6, 6], "foe.health": 10, "other.health": 8},
            {"setsStillFaster": True},
            how="foe activates",
            others=[OTHER_FOE],
            dice=[HIT_2, NO_BLOCK],
            then=["6_6", "other"],
        )
    ],
    "pounceRange": [
        Case(  # over the foe to 8,5, which is 3 spaces away
            {"hero.position": [8, 5], "foe.health": 10, "other.health": 8, "hero.actions": 1, "hero.attacks": 1},
            {"pounceRange": 3},
            how="roll",
            others=[OTHER_FOE],
            dice=[HIT_2, NO_BLOCK],
            then=["8_5", "other"],
        )
    ],
}


@each("case", of(CASES))
def test_property(case: Case) -> None:
    run_property(case)
