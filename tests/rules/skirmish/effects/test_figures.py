"""What cards do for the figure they are played for: movement, actions, tokens, conditions, activations."""

from __future__ import annotations

from tests.cases import each
from tests.rules.skirmish.arena import Arena, Case, library, of, ruled, run_property

ALLY = ("Ally", "rebels", (5, 6), {})
HIT_2, HIT_3, NO_BLOCK = "0/2/0", "0/3/0", "0/0"
MEDIC = "dc_special:Field Medic:0"


def next_activation(arena: Arena) -> None:
    arena.end("hero")
    arena.do("foe", "activate")
    arena.end("foe")
    arena.do("foe", "activate")
    arena.end("foe")
    arena.do("hero", "activate")


def foe_attacks(arena: Arena) -> None:
    arena.end("hero")
    arena.do("foe", "activate")
    arena.do("foe", "attack", target="hero", dice=[HIT_3, NO_BLOCK])


def use_special_twice(arena: Arena) -> None:
    arena.do("hero", "special")
    arena.do("hero", "special")


def act_three_times(arena: Arena) -> None:
    """After the first action the figure is Stunned, so that it can only shake that off."""
    arena.do("hero", "attack", target="foe", dice=[HIT_2, NO_BLOCK])


def strike_from_afar(arena: Arena) -> None:
    arena.do("hero", "attack", target="foe", dice=[HIT_2, NO_BLOCK])


def hero_is_activated_again(arena: Arena) -> None:
    arena.do("foe", "activate")
    arena.end("foe")
    assert arena["round"] == 1
    arena.do("hero", "activate")


def ally_acted(arena: Arena) -> None:
    arena.do("ally", "activate")
    arena.end("ally")
    arena.do("foe", "activate")
    arena.end("foe")


def round_ends(arena: Arena) -> None:
    arena.do("foe", "activate")
    arena.end("foe")
    arena.do("hero", "activate")
    arena.end("hero")


def is_out_of_sight(arena: Arena) -> None:
    arena.do("foe", "activate")
    assert arena.refusal("foe", "attack", target="hero").code == "attack/no-target"
    arena.do("foe", "move", to=(8, 5))
    arena.do("foe", "attack", target="hero", dice=["5/1/0", NO_BLOCK])


FAR = {"ranged": True, "attack": ["blue"]}

CASES: dict[str, list[Case]] = {
    "freeMoveBonus": [Case({"hero.mp": 2}, {"freeMoveBonus": 2})],
    "mpBonusToAdjacentIfTrait": [
        Case(
            {"ally.mp": 1, "second.mp": 0},
            {"mpBonusToAdjacent": 1, "mpBonusToAdjacentIfTrait": ["TROOPER"]},
            others=[("Ally", "rebels", (5, 6), {"traits": ["Trooper"]}), ("Second", "rebels", (4, 5), {})],
        )
    ],
    "nextActivationMpBonus": [Case({"hero.mp": 3}, {"nextActivationMpBonus": 3}, after=next_activation)],
    "mpCost": [
        Case(
            {"hero.mp": 1, "hero.conditions": ["focused"]},
            {"mpCost": 3, "applyFocus": True},
            how="move, then play",
        )
    ],
    "pushFriendlyWithin3Spaces": [
        Case(
            {"ally.position": [5, 9], "ally.mp": 0},
            {"pushFriendlyWithin3Spaces": 3},
            others=[ALLY],
            then=["space:5_9"],
        ),
        Case({"ally.position": [5, 6]}, {"pushFriendlyWithin3Spaces": 3}, others=[ALLY]),
    ],
    "hitTokenGain": [Case({"hero.hit_token": 1}, {"hitTokenGain": 1})],
    "surgeTokenGain": [Case({"hero.surge_token": 2}, {"surgeTokenGain": 2})],
    "blockTokenGain": [Case({"hero.block_token": 1}, {"blockTokenGain": 1})],
    "evadeTokenGain": [Case({"hero.evade_token": 1}, {"evadeTokenGain": 1})],
    "powerTokenGainToGroup": [
        Case(
            {"hero.hit_token": 1, "ally.hit_token": 2},
            {"powerTokenGainToGroup": 3},
            hero={"group": "Heroes"},
            others=[("Ally", "rebels", (9, 9), {"group": "Heroes"})],
            then=["ally", "hero", "ally"],
        )
    ],
    "whenDefeatHostileWithin3GainBlockTokens": [
        Case(
            {"hero.block_token": 2},
            {"whenDefeatHostileWithin3GainBlockTokens": 2},
            how="attack",
            dice=[HIT_2, NO_BLOCK],
            others=[("Other", "empire", (9, 9), {})],
            before=ruled(foe={"set": {"health": 1}}),
        )
    ],
    "readyOwnDeploymentCard": [
        Case({"turn": "hero"}, {"readyOwnDeploymentCard": True}, how="end of activation", after=hero_is_activated_again)
    ],
    "readyAdjacentFriendlyDeploymentCard": [
        Case(
            {"ally.activations": 1},
            {"readyAdjacentFriendlyDeploymentCard": True},
            others=[ALLY],
            before=ally_acted,
        )
    ],
    "exhaustOneDeploymentCard": [
        Case(
            {"hero.activations": 0, "ally.activations": 1, "order": ["rebels", "empire"]},
            {"timing": "startOfRound", "claimInitiative": True, "exhaustOneDeploymentCard": True},
            how="start of round",
            others=[ALLY],
            then=["hero"],
        )
    ],
    "endOfRoundSelfDamage": [
        Case(
            {"hero.health": 7, "round": 2, "hero.conditions": []},
            {"readyOwnDeploymentCard": True, "endOfRoundSelfDamage": 3},
            how="end of activation",
            after=round_ends,
        )
    ],
    "recoverSelf": [Case({"hero.health": 7}, {"recoverSelf": 2}, before=ruled(hero={"set": {"health": 5}}))],
    "activationDoubleSpecialAction": [
        Case(
            {"ally.health": 9, "hero.actions": 0},
            {"activationDoubleSpecialAction": True},
            hero={"abilities": [MEDIC]},
            others=[ALLY],
            before=ruled(ally={"set": {"health": 5}}),
            after=use_special_twice,
        )
    ],
    "extraAction": [Case({"hero.actions": 3}, {"extraAction": 1})],
    "activationExtraActionThenStun": [
        Case(
            {"hero.actions": 2, "hero.conditions": ["stunned"], "foe.health": 8},
            {"activationExtraActionThenStun": True},
            after=act_three_times,
        )
    ],
    "activationReach": [Case({"foe.health": 8}, {"activationReach": True}, foe_at=(7, 5), after=strike_from_afar)],
    "vanishImmunityUntilNextActivation": [
        Case(
            {"hero.health": 10, "hero.conditions": ["vanished"]},
            {"vanishImmunityUntilNextActivation": True},
            after=foe_attacks,
        ),
        Case({"hero.conditions": []}, {"vanishImmunityUntilNextActivation": True}, after=next_activation),
    ],
    "applySelfCondition": [
        Case({"hero.conditions": ["hidden"]}, {"applySelfCondition": "Hide"}),
        Case(  # the price of an added die
            {"hero.conditions": ["stunned"], "foe.health": 5},
            {"attackBonusDice": 1, "attackBonusDiceColor": "red", "applySelfCondition": "Stun"},
            how="attack",
            dice=[HIT_2, HIT_3, NO_BLOCK],
        ),
    ],
    "onNextDefeat": [
        Case(  # 3 for the foe and 2 for the card
            {"rebels.vp": 5, "hero.health": 6, "hero.conditions": []},
            {"onNextDefeat": {"vp": 2, "recover": 1, "within": 2}},
            how="play, then attack",
            dice=[HIT_2, NO_BLOCK],
            others=[("Other", "empire", (9, 9), {})],
            before=ruled(foe={"set": {"health": 1}}, hero={"set": {"health": 5}}),
        )
    ],
    "selfStrain": [Case({"hero.health": 8}, {"selfStrain": 2})],
    "selfDamage": [Case({"hero.health": 7, "hero.mp": 1}, {"selfDamage": 3, "mpBonus": 1})],
    "roundDefenderCannotBeTargetedUnlessWithinSpaces": [
        Case(
            {"hero.health": 9},
            {"roundDefenderCannotBeTargetedUnlessWithinSpaces": 3},
            how="start of round",
            foe=FAR,
            foe_at=(9, 5),
            after=is_out_of_sight,
        )
    ],
    "roundInTheShadowsPlayerNum": [
        Case(
            {"hero.health": 9},
            {"roundInTheShadowsPlayerNum": True},
            how="start of round",
            foe=FAR,
            foe_at=(9, 5),
            after=is_out_of_sight,
        )
    ],
    "chooseOne": [
        Case(
            {"hero.mp": 2, "hero.conditions": []},
            {"chooseOne": [{"label": "Focus", "applyFocus": True}, {"label": "Gain 2 MP", "mpBonus": 2}]},
            then=["choice:Gain 2 MP"],
        ),
        Case(  # passing takes the first that changes something: the figure is not hurt
            {"hero.conditions": ["focused"]},
            {"chooseOne": [{"label": "Recover 2", "recoverDamage": 2}, {"label": "Focus", "applyFocus": True}]},
        ),
        Case(  # what the chosen part leaves to people is asked, and nothing else
            {"hero.mp": 0},
            {"chooseOne": [{"label": "Dance (manually)"}, {"label": "Gain 2 MP", "mpBonus": 2}]},
            then=["choice:Dance (manually)"],
            questions=1,
        ),
        Case(  # in defense, with the timing of what can be chosen
            {"hero.health": 9},
            {
                "chooseOne": [
                    {"label": "+1 Block", "applyDefenseBonusBlock": 1},
                    {"label": "+1 Evade", "applyDefenseBonusEvade": 1},
                ]
            },
            how="defend",
            dice=[HIT_2, NO_BLOCK],
            then=["choice:+1 Block"],
        ),
    ],
}


@each("case", of(CASES))
def test_property(case: Case) -> None:
    run_property(case)


def test_movement_points_are_needed_to_pay_with_them() -> None:
    arena = Arena(hand=["Tested"], library=library({"mpCost": 3, "applyFocus": True}))
    arena.do("hero", "activate")
    assert arena.refusal("hero", "play", options={"card": "Tested"}).code == "economy/no-mp-left"
