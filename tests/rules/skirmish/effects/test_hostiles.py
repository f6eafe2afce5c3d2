"""What cards do to hostile figures outside attacks."""

from __future__ import annotations

from tests.cases import each
from tests.rules.skirmish.arena import Arena, Case, library, of, run_property

OTHER = ("Other", "empire", (6, 6), {})
HIT_2, NO_BLOCK, BLOCK_2 = "0/2/0", "0/0", "2/0"


def foe_cannot_leave(arena: Arena) -> None:
    arena.end("hero")
    arena.do("foe", "activate")
    assert arena.refusal("foe", "move", to=(8, 5)).code == "figure/held"


def foe_has_no_surges(arena: Arena) -> None:
    """It has a surge and an ability for it, but is not asked."""
    arena.end("hero")
    arena.do("foe", "activate")
    how = {"target": "hero", "dice": ["0/2/1", "0/0"]}
    assert arena.refusal("foe", "attack", replies={"empire": ["damage 1"]}, **how).code == "reaction/not-offered"
    assert arena.refusal("foe", "special").code == "figure/disabled"


def foe_attacks_with_one_die(arena: Arena) -> None:
    """Of blue and red it gives up blue, which does less damage."""
    arena.do("foe", "attack", target="hero", dice=["0/2/0", "0/0"])


def foe_needs_to_come_near(arena: Arena) -> None:
    assert arena.refusal("foe", "attack", target="hero").code == "attack/no-target"


CASES: dict[str, list[Case]] = {
    "chooseAdjacentHostileThen": [
        Case({"foe.health": 7}, {"chooseAdjacentHostileThen": {"damage": 2, "strain": 1}}),
        Case({"foe.conditions": ["weakened"]}, {"chooseAdjacentHostileThen": {"conditions": ["Weaken"]}}),
        Case(  # two are adjacent: the player says who
            {"foe.health": 10, "other.health": 9},
            {"chooseAdjacentHostileThen": {"damage": 1}},
            others=[OTHER],
            then=["other"],
        ),
        Case(  # nobody is adjacent
            {"foe.health": 10}, {"chooseAdjacentHostileThen": {"damage": 1}}, foe_at=(8, 5), questions=1
        ),
        Case(  # an answer to somebody who comes near: that figure, though another is adjacent
            {"foe.health": 8, "other.health": 10},
            {"timing": "hostileEntersAdjacent", "chooseAdjacentHostileThen": {"damage": 2}},
            how="foe comes near",
            foe_at=(8, 5),
            others=[OTHER],
        ),
        Case(  # counterattack: 2 suffered, 2 returned
            {"foe.health": 8, "hero.health": 8},
            {"timing": "afterDefending", "chooseAdjacentHostileThen": {"damage": 2}},
            how="defend",
            dice=[HIT_2, NO_BLOCK],
        ),
    ],
    "chooseHostileWithinThen": [
        Case({"foe.health": 8}, {"chooseHostileWithinThen": {"spaces": 3, "damage": 2}}, foe_at=(8, 5)),
        Case({"foe.health": 10}, {"chooseHostileWithinThen": {"spaces": 2, "damage": 2}}, foe_at=(8, 5), questions=1),
    ],
    "eachHostileWithinThen": [
        Case(  # 2 of the attack and 1 after it
            {"foe.health": 7, "other.health": 9},
            {"attackBonusPierce": 1, "eachHostileWithinThen": {"spaces": 2, "damage": 1}},
            how="attack",
            dice=[HIT_2, NO_BLOCK],
            others=[OTHER, ("Third", "empire", (8, 5), {})],
        ),
        Case(
            {"foe.conditions": ["stunned"], "third.conditions": []},
            {"eachHostileWithinThen": {"spaces": 2, "conditions": ["stun"]}},
            others=[("Third", "empire", (8, 5), {})],
        ),
    ],
    "applyStunToUpToNAdjacentHostiles": [
        Case(
            {"foe.conditions": ["stunned"], "other.conditions": ["stunned"], "hero.actions": 1},
            {"applyStunToUpToNAdjacentHostiles": 3},
            others=[OTHER],
        ),
        Case(
            {"foe.conditions": [], "other.conditions": ["stunned"]},
            {"applyStunToUpToNAdjacentHostiles": 1},
            others=[OTHER],
            then=["other"],
        ),
    ],
    "cripplesFigure": [Case({"foe.conditions": ["crippled"]}, {"cripplesFigure": True}, after=foe_cannot_leave)],
    "setsHoldGround": [
        Case({"hero.conditions": ["holds_ground"]}, {"setsHoldGround": True}, after=foe_cannot_leave),
    ],
    "disablesFigure": [
        Case(
            {"foe.conditions": ["disabled"]},
            {"disablesFigure": True},
            foe={"surges": ["damage 1"], "abilities": ["dc_special:Field Medic:0"]},
            after=foe_has_no_surges,
        )
    ],
    "nextAttackBonusPierce": [
        Case(  # all of the block is pierced, and it is used up
            {"foe.health": 8, "foe.conditions": []},
            {"nextAttackBonusPierce": 2},
            how="play, then attack",
            dice=[HIT_2, BLOCK_2],
        )
    ],
    "roundDebuffNextHostileActivation": [
        Case(
            {"hero.health": 8},
            {"roundDebuffNextHostileActivation": {"melee": True, "removeAttackDie": 1}},
            how="foe activates",
            foe={"ranged": True, "attack": ["blue", "red"]},
            after=foe_attacks_with_one_die,
        ),
        Case(
            {"foe.conditions": ["melee_only"]},
            {"roundDebuffNextHostileActivation": {"melee": True}},
            how="foe activates",
            foe={"ranged": True},
            foe_at=(8, 5),
            after=foe_needs_to_come_near,
        ),
    ],
}


@each("case", of(CASES))
def test_property(case: Case) -> None:
    run_property(case)


def test_a_figure_that_is_stopped_on_its_way_stays_where_it_was_stopped() -> None:
    entry = {"timing": "hostileEntersAdjacent", "chooseAdjacentHostileThen": {"conditions": ["stun"]}}
    arena = Arena(hand=["Tested"], foe_at=(6, 8), first="empire", library=library(entry))
    arena.do("foe", "activate")
    arena.do("foe", "move", to=(6, 4), replies={"rebels": ["Tested"]})
    assert (arena["foe.position"], arena["foe.conditions"]) == ((6, 6), ["stunned"])
    assert arena["foe.mp"] == 2  # of 4, it has walked 2 steps


def test_what_holds_until_the_round_ends_is_gone_in_the_next() -> None:
    arena = run_property(Case({}, {"cripplesFigure": True}))
    arena.end("hero")
    arena.do("foe", "activate")
    arena.end("foe")
    assert (arena["round"], arena["foe.conditions"]) == (2, [])
