"""The arithmetic of an attack as a table, and its steps."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.testing import all_of, only
from ledger.events import AttackResolved, ChainModified, Damaged, ReactionWindowOpened, Rolled
from tests.cases import each
from tests.rules.skirmish.arena import Arena, ruled

RANGED = {"ranged": True, "attack": ["blue"]}


@pytest.mark.parametrize(
    ("spaces", "face", "hits"),
    [
        (1, "2/1/0", True),
        (2, "2/1/0", True),  # as much as there are spaces is enough
        (3, "2/1/0", False),
        (5, "5/1/0", True),
        (6, "5/1/0", False),
    ],
)
def test_a_ranged_attack_needs_accuracy_for_the_distance(spaces: int, face: str, hits: bool) -> None:
    arena = Arena(hero=RANGED, foe_at=(5 + spaces, 5))
    arena.do("hero", "activate")
    resolved = only(arena.do("hero", "attack", target="foe", dice=[face, "0/0"]), AttackResolved)
    assert (resolved.hit, resolved.against) == (hits, spaces)
    assert arena["foe.health"] == (9 if hits else 10)


def test_an_adjacent_ranged_attack_needs_an_accuracy_of_one() -> None:
    arena = Arena(hero={"ranged": True})  # a red die has no accuracy
    arena.do("hero", "activate")
    resolved = only(arena.do("hero", "attack", target="foe", dice=["0/3/0", "0/0"]), AttackResolved)
    assert (resolved.hit, resolved.total, resolved.against) == (False, 0, 1)


def test_a_melee_attack_needs_no_accuracy() -> None:
    arena = Arena()
    arena.do("hero", "activate")
    assert only(arena.do("hero", "attack", target="foe", dice=["0/3/0", "0/0"]), AttackResolved).hit


@each(
    ("hero", "foe", "dice", "surges", "damage"),
    [
        # hits less block
        ({}, {}, ["0/3/0", "2/0"], [], 1),
        # more block than hits is not below 0
        ({}, {}, ["0/1/0", "3/0"], [], 0),
        # pierce takes from block
        ({"innate": {"pierce": 1}}, {}, ["0/2/0", "2/0"], [], 1),
        # pierce beyond block adds nothing
        ({"innate": {"pierce": 4}}, {}, ["0/2/0", "1/0"], [], 2),
        # a dodge misses, whatever was rolled
        ({}, {"defense": ["white"]}, ["0/3/0", "dodge"], [], 0),
        # a surge is spent on damage
        ({"surges": ["damage 1"]}, {}, ["0/2/1", "0/0"], ["damage 1"], 3),
        # an evade cancels it
        ({"surges": ["damage 1"]}, {}, ["0/2/1", "0/1"], [], 2),
        # one evade of two surges
        ({"attack": ["yellow"], "surges": ["damage 1"]}, {}, ["1/1/2", "0/1"], ["damage 1"], 2),
        # more evade than surges takes nothing else
        ({}, {"defense": ["white", "white"]}, ["0/2/0", "0/1", "0/1"], [], 2),
        # block on the deployment card
        ({}, {"innate": {"block": 1}}, ["0/2/0", "0/0"], [], 1),
        # a surge ability at the cost of two
        ({"attack": ["yellow"], "surges": ["damage 4"]}, {}, ["1/1/2", "0/0"], ["damage 4"], 5),
        # several parts: a surge that brings another one
        (
            {"surges": ["accuracy 2, surge 1", "damage 1"]},
            {},
            ["0/2/1", "0/0"],
            ["accuracy 2, surge 1", "damage 1"],
            3,
        ),
    ],
)
def test_damage(hero: Any, foe: Any, dice: list[str], surges: list[str], damage: int) -> None:
    arena = Arena(hero=hero, foe=foe)
    arena.do("hero", "activate")
    events = arena.do("hero", "attack", target="foe", dice=dice, replies={"rebels": list(surges)})
    assert 10 - arena["foe.health"] == damage
    for damaged in all_of(events, Damaged):
        assert sum(part.amount for part in damaged.parts) == damage


def test_conditions_come_first_and_no_result_is_ever_below_zero() -> None:
    """Weakened takes 1 from the 0 hits on the die, which stay 0; the card then adds its 1."""
    arena = Arena(hand=["Positioning Advantage"], hero={"attack": ["blue"]})
    arena.rule("hero", add=["weakened"])
    arena.do("hero", "activate")
    events = arena.do(
        "hero", "attack", target="foe", dice=["2/0/1", "0/0"], replies={"rebels": "Positioning Advantage"}
    )
    assert arena["foe.health"] == 9
    assert [part.amount for part in only(events, Damaged).parts] == [-1, 1, 1]  # weakened, the card, never below 0
    stages = [event.stage for event in all_of(events, ChainModified)]
    assert stages == ["conditions", "cards"]


def test_a_block_below_zero_adds_no_damage() -> None:
    arena = Arena()
    arena.rule("foe", add=["weakened"])
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"])
    assert arena["foe.health"] == 8


@pytest.mark.parametrize("surge", ["blast 2", "cleave 2", "stun"])
def test_blast_cleave_and_conditions_need_damage(surge: str) -> None:
    arena = Arena(hero={"surges": [surge]}, others=[("Other", "empire", (6, 6), {})])
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/2/1", "2/0"], replies={"rebels": surge})
    assert (arena["foe.health"], arena["other.health"], arena["foe.conditions"]) == (10, 10, [])


def test_blast_is_not_blocked_and_spares_nobody_next_to_the_target() -> None:
    others = [("Other", "empire", (7, 6), {}), ("Ally", "rebels", (6, 4), {}), ("Away", "empire", (8, 8), {})]
    arena = Arena(hero={"surges": ["blast 1"]}, others=others)
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/2/1", "1/0"], replies={"rebels": "blast 1"})
    health = {name: arena[f"{name}.health"] for name in ("hero", "foe", "other", "ally", "away")}
    assert health == {"hero": 9, "foe": 9, "other": 9, "ally": 9, "away": 10}


def test_cleave_is_for_another_figure_that_could_have_been_targeted() -> None:
    others = [("Near", "empire", (5, 4), {}), ("Other", "empire", (4, 5), {}), ("Away", "empire", (8, 5), {})]
    arena = Arena(hero={"surges": ["cleave 2"]}, others=others)
    arena.do("hero", "activate")
    events = arena.do("hero", "attack", target="foe", dice=["0/2/1", "0/0"], replies={"rebels": ["cleave 2", "other"]})
    offered = all_of(events, ReactionWindowOpened)[-1].offers[0].reactions
    assert offered == ("skirmish:figure:near", "skirmish:figure:other")
    assert (arena["foe.health"], arena["near.health"], arena["other.health"]) == (8, 10, 8)


@pytest.mark.parametrize(("defense", "health"), [("0/0", 10), ("dodge", 10)])
def test_recover_works_whether_the_attack_hits_or_not(defense: str, health: int) -> None:
    arena = Arena(hero={"surges": ["recover 2"]}, foe={"defense": ["white"]})
    arena.rule("hero", set={"health": 8})
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/2/1", defense], replies={"rebels": "recover 2"})
    assert arena["hero.health"] == health


def test_each_surge_ability_is_used_once() -> None:
    arena = Arena(hero={"attack": ["yellow"], "surges": ["damage 1"]})
    arena.do("hero", "activate")
    events = arena.do("hero", "attack", target="foe", dice=["1/1/2", "0/0"], replies={"rebels": "damage 1"})
    windows = [event for event in all_of(events, ReactionWindowOpened) if event.moment == "attack.surge"]
    assert len(windows) == 1  # a surge is left, but nothing to spend it on
    assert arena["foe.health"] == 8


def test_a_die_is_rerolled_at_most_once() -> None:
    arena = Arena(hero={"attack": ["red", "blue"], "attack_rerolls": 2}, foe={"defense_rerolls": 1})
    arena.do("hero", "activate")
    events = arena.do(
        "hero",
        "attack",
        target="foe",
        dice=["0/1/0", "2/0/1", "3/0", "0/3/0", "0/0"],
        replies={"rebels": ["attack_1_red", None], "empire": ["defense_1_black"]},
    )
    offers = [event.offers[0].reactions for event in all_of(events, ReactionWindowOpened)]
    assert offers[:2] == [("skirmish:die:attack_1_red", "skirmish:die:attack_2_blue"), ("skirmish:die:attack_2_blue",)]
    assert [roll.purpose for roll in all_of(events, Rolled)] == ["attack", "defense", "attack reroll", "defense reroll"]
    assert arena["foe.health"] == 7  # 3 on the new face, and the block is gone


def test_both_pools_are_rolled_before_any_modifier_counts() -> None:
    arena = Arena(hand=["Blitz"], hero={"surges": ["damage 1"]})
    arena.do("hero", "activate")
    events = arena.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"], replies={"rebels": ["Blitz", "damage 1"]})
    rolls, modifiers = all_of(events, Rolled), all_of(events, ChainModified)
    assert [roll.notation for roll in rolls] == ["red", "black"]
    assert max(roll.seq for roll in rolls) < min(modifier.seq for modifier in modifiers)
    parts = only(events, Damaged).parts
    assert [(part.source, part.amount) for part in parts] == [("skirmish:die:red", 2), ("skirmish:surge:damage_1", 1)]


def test_a_card_may_wait_for_the_roll_unless_it_changes_the_pools() -> None:
    arena = Arena(hand=["Positioning Advantage", "Tools for the Job"])
    arena.do("hero", "activate")
    events = arena.do(
        "hero", "attack", target="foe", dice=["0/2/0", "0/0"], replies={"rebels": [None, "positioning advantage"]}
    )
    offers = [event.offers[0].reactions for event in all_of(events, ReactionWindowOpened)]
    advantage, tools = "skirmish:card:positioning_advantage", "skirmish:card:tools_for_the_job"
    assert offers == [(advantage, tools), (advantage,)]
    assert arena["foe.health"] == 7


@pytest.mark.parametrize(
    ("hero", "foe_at", "code"),
    [
        ({}, (7, 5), "attack/no-target"),  # melee, two spaces away
        ({"reach": True}, (8, 5), "attack/no-target"),
        (RANGED, (12, 5), "attack/no-target"),  # behind the wall
    ],
)
def test_who_cannot_be_targeted(hero: Any, foe_at: tuple[int, int], code: str) -> None:
    rows = ["." * 14 for _ in range(10)]
    rows[5] = "..........#..."
    arena = Arena(hero=hero, foe_at=foe_at, map="\n".join(rows))
    arena.do("hero", "activate")
    assert arena.refusal("hero", "attack", target="foe").code == code


def test_reach_attacks_within_two_spaces() -> None:
    arena = Arena(hero={"reach": True}, foe_at=(7, 5))
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"])
    assert arena["foe.health"] == 8


@pytest.mark.parametrize(
    ("target", "code"),
    [((), "attack/one-target"), ("ally", "attack/target"), ("nobody", "declaration/unknown-combatant")],
)
def test_an_attack_needs_one_hostile_target(target: Any, code: str) -> None:
    arena = Arena(others=[("Ally", "rebels", (5, 6), {})])
    arena.do("hero", "activate")
    assert arena.refusal("hero", "attack", target=target).code == code


def test_a_passive_ability_takes_part_in_every_attack() -> None:
    arena = Arena(foe={"abilities": ["dc_passive:Bulwark:0"]})  # 1 block
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"])
    assert arena["foe.health"] == 9


def test_only_the_gm_has_a_figure_interrupt() -> None:
    arena = Arena()
    arena.do("hero", "activate")
    assert arena.refusal("foe", "interrupt", target="hero").code == "attack/not-allowed"
    arena.interrupt("foe", "hero", ["0/2/0", "0/0"], {})
    assert (arena["hero.health"], arena["foe.actions"]) == (8, 0)


def test_a_word_that_no_surge_knows_is_left_to_people() -> None:
    arena = Arena(hero={"surges": ["damage 1, push 2"]})
    ruled(foe={"set": {"health": 9}})(arena)
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/2/1", "0/0"], replies={"rebels": "damage 1, push 2"})
    assert arena["foe.health"] == 6
    assert [question.effect for question in arena.fight.battle.questions.values()] == ["damage 1, push 2 (push 2)"]
