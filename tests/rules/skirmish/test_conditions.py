"""Focused, Hidden, Weakened, Stunned and Bleeding."""

from __future__ import annotations

import pytest

from combatlog.testing import all_of, only
from ledger.events import CardsMoved, ConditionApplied, Damaged
from tests.rules.skirmish.arena import Arena

ATTACK = {"target": "foe", "dice": ["0/2/0", "0/0"]}


def test_focused_adds_a_green_die_to_the_next_attack_and_is_gone() -> None:
    arena = Arena()
    arena.rule("hero", add=["focused"])
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/2/0", "2/2/0", "0/0"])
    assert (arena["foe.health"], arena["hero.conditions"]) == (6, [])


def test_hidden_adds_a_surge_and_ends_with_the_own_attack() -> None:
    arena = Arena(hero={"surges": ["damage 1"]})
    arena.rule("hero", add=["hidden"])
    arena.do("hero", "activate")
    arena.do("hero", "attack", **ATTACK, replies={"rebels": "damage 1"})
    assert (arena["foe.health"], arena["hero.conditions"]) == (7, [])


@pytest.mark.parametrize(("face", "health"), [("2/1/0", 10), ("3/2/0", 8)])
def test_hidden_takes_accuracy_from_attacks_against_it(face: str, health: int) -> None:
    arena = Arena(hero={"ranged": True, "attack": ["blue"]})
    arena.rule("foe", add=["hidden"])
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=[face, "0/0"])
    assert (arena["foe.health"], arena["foe.conditions"]) == (health, ["hidden"])


def test_weakened_takes_damage_from_the_attacker_until_its_activation_ends() -> None:
    arena = Arena()
    arena.rule("hero", add=["weakened"])
    arena.do("hero", "activate")
    arena.do("hero", "attack", **ATTACK)
    assert (arena["foe.health"], arena["hero.conditions"]) == (9, ["weakened"])
    arena.end("hero")
    assert arena["hero.conditions"] == []


def test_weakened_takes_block_from_the_defender() -> None:
    arena = Arena()
    arena.rule("foe", add=["weakened"])
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/3/0", "2/0"])
    assert arena["foe.health"] == 8


def test_stunned_can_neither_attack_nor_leave_until_an_action_removes_it() -> None:
    arena = Arena()
    arena.rule("hero", add=["stunned"])
    arena.do("hero", "activate")
    assert arena.refusal("hero", "attack", target="foe").code == "figure/stunned"
    assert arena.refusal("hero", "move").code == "figure/stunned"
    arena.do("hero", "shake_off")
    assert (arena["hero.conditions"], arena["hero.actions"]) == ([], 1)
    arena.do("hero", "attack", **ATTACK)


def test_bleeding_costs_a_strain_after_each_action_until_an_action_removes_it() -> None:
    arena = Arena()
    arena.rule("hero", add=["bleeding"])
    arena.do("hero", "activate")
    damaged = only(arena.do("hero", "move"), Damaged)
    assert (damaged.amount, damaged.parts[0].damage_type) == (1, "strain")
    arena.do("hero", "walk", to=(4, 5))  # no action, no strain
    arena.do("hero", "shake_off")
    assert (arena["hero.health"], arena["hero.conditions"]) == (9, [])


def test_strain_is_prevented_by_discarding_the_top_command_card() -> None:
    arena = Arena(hand=["Blitz"], pile=["Focus", "Rally"])
    arena.rule("hero", add=["bleeding"])
    arena.do("hero", "activate")
    events = arena.do("hero", "move", replies={"rebels": "discard_top_card"})
    assert only(events, CardsMoved).cards == ("Focus",)
    assert (arena["hero.health"], arena["rebels.pile.discard"], arena["rebels.pile.deck"]) == (
        10,
        ("Focus",),
        ("Rally",),
    )


def test_one_must_say_which_of_two_conditions_is_shaken_off() -> None:
    arena = Arena()
    arena.rule("hero", add=["stunned", "bleeding"])
    arena.do("hero", "activate")
    assert arena.refusal("hero", "shake_off").code == "shake-off/which"
    arena.do("hero", "shake_off", options={"condition": "bleeding"})
    assert arena["hero.conditions"] == ["stunned"]


def test_there_must_be_something_to_shake_off() -> None:
    arena = Arena()
    arena.do("hero", "activate")
    assert arena.refusal("hero", "shake_off").code == "shake-off/nothing"


def test_a_condition_is_held_once() -> None:
    arena = Arena(hero={"surges": ["stun"]})
    arena.rule("foe", add=["stunned"])
    arena.do("hero", "activate")
    events = arena.do("hero", "attack", target="foe", dice=["0/2/1", "0/0"], replies={"rebels": "stun"})
    assert all_of(events, ConditionApplied) == []
    assert arena["foe.conditions"] == ["stunned"]


def test_a_figure_that_bleeds_to_defeat_ends_its_activation() -> None:
    arena = Arena(others=[("Ally", "rebels", (1, 1), {})])
    arena.rule("hero", add=["bleeding"], set={"health": 1})
    arena.do("hero", "activate")
    arena.do("hero", "move")
    assert (arena["turn"], arena["empire.vp"], arena["empire.granted"]) == (None, 5, ["activate"])
