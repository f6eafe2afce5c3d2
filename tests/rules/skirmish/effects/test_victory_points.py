"""Victory points that cards bring."""

from __future__ import annotations

from tests.cases import each
from tests.rules.skirmish.arena import Arena, Case, of, ruled, run_property

HIT_3, NO_BLOCK = "0/3/0", "0/0"
WEAK_FOE = ruled(foe={"set": {"health": 1}})
WEAK_HERO = ruled(hero={"set": {"health": 1}})
ALLY = ("Ally", "rebels", (9, 9), {})
OTHER = ("Other", "empire", (9, 9), {})


def foe_is_defeated(arena: Arena) -> None:
    """In the hero's next attack. The empire's other figure is not part of the group."""
    arena.rule("foe", set={"health": 1})
    arena.do("hero", "attack", target="foe", dice=[HIT_3, NO_BLOCK])


def hero_is_defeated(arena: Arena) -> None:
    arena.end("hero")
    arena.rule("hero", set={"health": 1})
    arena.do("third", "activate")
    arena.do("third", "attack", target="hero", dice=[HIT_3, NO_BLOCK])


CASES: dict[str, list[Case]] = {
    "vpGainSelf": [Case({"rebels.vp": 3}, {"vpGainSelf": 3}, how="start of round")],
    "vpGainOpponent": [
        Case({"rebels.vp": 3, "empire.vp": 2}, {"vpGainSelf": 3, "vpGainOpponent": 2}, how="start of round")
    ],
    "celebrationVp": [
        Case(  # 3 for the foe and 4 for the card
            {"rebels.vp": 7},
            {"celebrationVp": 4},
            how="attack",
            dice=[HIT_3, NO_BLOCK],
            others=[OTHER],
            before=WEAK_FOE,
        )
    ],
    "increaseArmyCostBy": [
        Case(  # 5 for the hero and 2 for the card
            {"rebels.vp": 7, "empire.vp": 7},
            {"celebrationVp": 4, "increaseArmyCostBy": 2},
            how="attack",
            dice=[HIT_3, NO_BLOCK],
            others=[("Third", "empire", (5, 4), {}), ALLY],
            before=WEAK_FOE,
            then=["hero"],
            after=hero_is_defeated,
        )
    ],
    "nextDefeatedFriendlyVpReduction": [
        Case(  # 5 less 4
            {"empire.vp": 1},
            {"nextDefeatedFriendlyVpReduction": 4},
            how="defend",
            dice=[HIT_3, NO_BLOCK],
            others=[ALLY],
            before=WEAK_HERO,
        ),
        Case(  # at least 0
            {"empire.vp": 0},
            {"nextDefeatedFriendlyVpReduction": 9},
            how="defend",
            dice=[HIT_3, NO_BLOCK],
            others=[ALLY],
            before=WEAK_HERO,
        ),
    ],
    "rebelGraffitiVp": [
        Case({"rebels.vp": 2}, {"rebelGraffitiVp": 2}, how="end of activation", foe_at=(8, 5)),
        Case({"rebels.vp": 0}, {"rebelGraffitiVp": 2}, how="end of activation"),
    ],
    "pickpocketVpByAccuracy": [
        Case(  # a green die shows 3 accuracy; the opponent has only 2 points to lose
            {"rebels.vp": 3, "empire.vp": 0},
            {"pickpocketVpByAccuracy": True},
            how="roll",
            dice=["3/2/0"],
            before=ruled(empire={"set": {"vp": 2}}),
        ),
        Case({"rebels.vp": 0}, {"pickpocketVpByAccuracy": True}, foe_at=(8, 5)),
    ],
    "setsBounty": [
        Case({"rebels.vp": 7}, {"setsBounty": True}, others=[OTHER], then=["foe"], after=foe_is_defeated),
        Case(  # the group goes on
            {"rebels.vp": 3},
            {"setsBounty": True},
            foe={"group": "Foes"},
            others=[("Other", "empire", (9, 9), {"group": "Foes"})],
            then=["foe"],
            after=foe_is_defeated,
        ),
    ],
}


@each("case", of(CASES))
def test_property(case: Case) -> None:
    run_property(case)
