"""An attack: the defender's answer, the rolls, damage to the pending pools, wounds, manoeuvres."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.testing import Drill, all_of, only
from ledger.errors import Problem
from ledger.events import (
    AttackResolved,
    ChainModified,
    CheckResolved,
    ManualResolutionNeeded,
    Moved,
    ReactionDeclined,
    ReactionUsed,
    ReactionWindowOpened,
    Rolled,
)
from tests.rules.action_points.support import ZERO, attack, changes, duel, next_round, pass_turns, rule


def faced_by_guard() -> Drill:
    """A duelist whom a guard answers with a shield: shield AS 13 + 1, dodge AS 9, passive 8; AP 3, FAT 16."""
    drill = Drill(ruleset="action_points")
    drill.join("duelist", "Ana", (5, 5))
    drill.join("guard", "Gil", (6, 5), side="foes")
    drill.start()
    return drill


# Explosions


def test_an_exploding_roll_sums_right_and_has_all_twelve_faces_on_record() -> None:
    faces = (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, -1)  # +4, +4, then two pluses
    events = attack(duel(), (*faces, 4))
    roll = all_of(events, Rolled)[0]
    assert (roll.notation, roll.faces) == ("4dF+", faces)
    assert sum(map(int, roll.kept)) == 10
    assert roll.total == 25  # swords 15
    assert only(events, AttackResolved).roll == 10


def test_an_explosion_downwards_adds_only_minuses() -> None:
    events = attack(duel(), (-1, -1, -1, -1, -1, 1, 1, 0, 2))
    assert only(events, CheckResolved).total == 10


# The window


def test_the_defender_is_asked_and_the_attack_waits() -> None:
    drill = faced_by_guard()
    events = drill.do("ana", "attack", target="gil", dice=())
    window = only(events, ReactionWindowOpened)
    (offer,) = window.offers
    assert [ref.rsplit(":", 1)[1] for ref in offer.reactions] == ["parry", "shield_block", "dodge", "passive"]
    assert drill["waiting"] == "gil"
    assert (drill["ana.ap"], drill["ana.fat"]) == (3, 15)  # paid already
    drill.react("gil", "passive", dice=(-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0))
    assert drill["waiting"] is None


def test_letting_the_window_pass_is_the_passive_defence() -> None:
    drill = faced_by_guard()
    drill.do("ana", "attack", target="gil", dice=())
    events = drill.react("gil", None, dice=(-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0))
    assert all_of(events, ReactionDeclined)
    assert changes(events, "defence") == {"dex": 10, "dodge": 4, "ability_score": -5, "passive": -1}
    assert only(events, AttackResolved).against == 8


def test_a_defender_without_ap_is_not_asked() -> None:
    drill = faced_by_guard()
    rule(drill, "gil", ap=0)
    events = drill.do("ana", "attack", target="gil", dice=(-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0))
    assert all_of(events, ReactionWindowOpened) == []


# Dodge


def test_a_dodge_is_an_action_with_its_cost_and_sets_the_target_value() -> None:
    drill = duel()
    events = attack(drill, (1, 1, 1, 0, *ZERO, 4), answer="dodge")
    assert (drill["bor.ap"], drill["bor.fat"], drill["bor.actions_taken"]) == (1, 13, 1)
    assert only(events, AttackResolved).against == 11
    assert only(events, ReactionUsed).reaction == "action_points:reaction:dodge"


def test_a_dodge_is_paid_for_as_the_defender_chooses_and_can_be_boosted() -> None:
    drill = duel()
    how = {"pay": "fatigue-free", "boost_fat": 2}
    events = attack(drill, (*ZERO, *ZERO, 6), answer="dodge", how=how)
    assert (drill["bor.ap"], drill["bor.fat"]) == (0, 12)
    assert only(events, AttackResolved).against == 10


def test_a_second_dodge_in_the_round_has_minus_one() -> None:
    drill = duel()
    attack(drill, (*ZERO, *ZERO, 1, 1), answer="dodge")
    events = attack(drill, (*ZERO, *ZERO, 1, 1), answer="dodge")
    assert changes(events, "defence")["later_action"] == -1
    assert only(events, AttackResolved).against == 7


@pytest.mark.parametrize(
    ("answer", "how", "code"),
    [
        ("dodge", {"boost_ap": 2}, "economy/no-ap-left"),
        ("dodge", {"boost": 2}, "declaration/unknown-option"),
        ("passive", {"boost_ap": 1}, "declaration/unknown-option"),
        ("shield_block", {}, "reaction/not-offered"),
    ],
)
def test_an_answer_that_is_not_possible_is_refused(answer: str, how: dict[str, int], code: str) -> None:
    drill = duel()
    before = list(drill.fight.events)
    with pytest.raises(Problem) as refused:
        attack(drill, (*ZERO, 1, 1), answer=answer, how=how)
    assert refused.value.code == code
    assert drill.fight.events == before


def test_a_dodge_that_focus_does_not_hold_for_becomes_passive_and_costs_nothing() -> None:
    drill = duel()
    rule(drill, "bor", fat=2)
    events = attack(drill, (*ZERO, -1, -1, -1, 0, 5), answer="dodge")  # focus 5 against 7; 12 against passive 7
    assert (drill["bor.ap"], drill["bor.fat"]) == (2, 2)
    assert all_of(events, ReactionUsed) == []
    assert only(events, AttackResolved).against == 7


# Parry


def parrying() -> Drill:
    drill = duel()
    drill.do("ana", "defend")
    pass_turns(drill)
    return drill


def test_a_parry_is_free_in_parry_mode() -> None:
    drill = parrying()
    events = attack(drill, (*ZERO, *ZERO), by="bor", at="ana", answer="parry")  # 13 against swords 15
    assert (drill["ana.ap"], drill["ana.fat"], drill["ana.actions_taken"]) == (3, 15, 1)
    assert (only(events, AttackResolved).hit, only(events, AttackResolved).against) == (False, 15)
    assert drill["ana.conditions"] == ["parrying"]


def test_any_other_action_ends_parry_mode() -> None:
    drill = parrying()
    attack(drill, (*ZERO, *ZERO, 1), by="bor", at="ana", answer="dodge")  # dodge 14 - 1 = 13
    assert drill["ana.conditions"] == []


def test_parry_mode_lasts_into_the_next_round_and_a_step_does_not_end_it() -> None:
    drill = parrying()
    next_round(drill)
    drill.do("ana", "step", to=(5, 6))
    assert drill["ana.conditions"] == ["parrying"]
    assert drill.refusal("ana", "defend").code == "defend/already"


def test_shots_cannot_be_parried() -> None:
    drill = Drill(ruleset="action_points")
    drill.join("guard", "Gil", (0, 0))
    drill.join("archer", "Ada", (0, 9), side="foes")
    drill.start()
    pass_turns(drill)
    drill.do("gil", "defend")
    pass_turns(drill)
    (window,) = all_of(drill.do("ada", "attack", target="gil", dice=()), ReactionWindowOpened)
    assert "action_points:reaction:parry" not in window.offers[0].reactions


def test_a_parry_needs_ap_available() -> None:
    drill = parrying()
    rule(drill, "ana", ap=0)
    events = attack(drill, (0, 0, 0, -1), by="bor", at="ana")
    assert all_of(events, ReactionWindowOpened) == []


# Shield block


@pytest.mark.parametrize(
    ("block", "damage", "left"), [(ZERO, (4,), 16), ((-1,) * 6 + (0, 0), (4,), 16), ((-1,) * 8 + ZERO, (1, 3), 20)]
)
def test_a_shield_that_is_raised_absorbs_4(block: tuple[int, ...], damage: tuple[int, ...], left: int) -> None:
    """Shield AS is 14: 14 and 8 block, 6 does not. 15 against 8 is SV 7; 3 of it come through and roll 1d8."""
    drill = faced_by_guard()
    drill.do("ana", "attack", target="gil", dice=())
    events = drill.react("gil", "shield_block", dice=(*block, *ZERO, *damage))
    assert (all_of(events, CheckResolved)[0].check, only(events, AttackResolved).hit) == ("shield", True)
    assert (drill["gil.pending_fat_damage"], drill["gil.shield"]) == (4, left)
    assert (drill["gil.ap"], drill["gil.fat"]) == (2, 15)


def test_a_shield_stops_a_manoeuvre_if_nothing_of_it_is_left() -> None:
    drill = faced_by_guard()
    drill.do("ana", "disarm", target="gil", dice=())
    drill.react("gil", "shield_block", dice=(*ZERO, -1, -1, -1, -1, 0, 0, 0, 0))  # 11 against 8: SV 3
    assert (drill["gil.conditions"], drill["gil.shield"]) == ([], 17)


# Damage


def test_damage_waits_in_the_pending_pools_and_a_wound_is_there_at_once() -> None:
    drill = duel()
    events = attack(drill, (*ZERO, 3, 4))  # SV 8 rolls 2d10 = 7: FAT 7, VIT 4, a wound
    assert (drill["bor.fat"], drill["bor.vit"]) == (14, 19)
    assert (drill["bor.pending_fat_damage"], drill["bor.pending_vit_damage"]) == (7, 4)
    assert drill["bor.conditions"] == ["wounded"]
    dice = [event.change.dice for event in all_of(events, ChainModified) if event.chain == "damage"]
    assert dice == ["2d10"]


def test_wounds_add_up_and_each_takes_two_from_every_skill() -> None:
    drill = duel()
    attack(drill, (*ZERO, 3, 4))
    events = attack(drill, (1, 0, 0, 0, 3, 3, 4))  # 14 + 1 against 7 - 2: SV 10 rolls 3d10 = 10, two wounds
    assert changes(events, "defence")["wounded"] == -2
    assert drill.fight.battle.combatants["bor"].conditions["action_points:condition:wounded"].level == 3


def test_above_14_the_damage_is_of_the_next_class() -> None:
    drill = duel()
    events = attack(drill, (1, 1, 1, 1, 1, 1, 1, 0, 2))  # 22 against 7: SV 15 rolls 1d6 = 2, which counts as 20
    assert only(events, CheckResolved).margin == 15
    assert (drill["bor.pending_fat_damage"], drill["bor.pending_vit_damage"]) == (20, 20)


def test_causes_run_from_the_declaration_through_the_check_to_the_pools() -> None:
    drill = duel()
    events = attack(drill, (*ZERO, 1, 4))
    resolved, damage_roll = only(events, CheckResolved), all_of(events, Rolled)[1]
    assert (only(events, AttackResolved).cause, damage_roll.cause) == (resolved.seq, resolved.seq)
    assert events[-1].cause == damage_roll.seq


# Whom and with what


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"target": "ana"}, "target/self"),
        ({"target": ()}, "target/one"),
        ({"target": "zed"}, "declaration/unknown-combatant"),
        ({"target": "bor", "weapon": "shortbow"}, "weapon/not-in-hand"),
    ],
)
def test_attacks_that_are_refused(said: dict[str, Any], code: str) -> None:
    assert duel().refusal("ana", "attack", **said).code == code


def test_a_weapon_reaches_as_far_as_it_does() -> None:
    drill = Drill(ruleset="action_points")
    drill.join("duelist", "Ana", (0, 0))
    drill.join("brigand", "Bor", (0, 3), side="foes", reactions={"*": "never"})
    drill.start()
    assert drill.refusal("ana", "attack", target="bor").code == "target/out-of-reach"
    drill.do("ana", "step", to=(0, 1))
    assert only(attack(drill, (*ZERO, 1, 1)), AttackResolved).hit


def test_everybody_has_fists() -> None:
    events = attack(duel(), ZERO, weapon="fists")  # untrained: 9 + 0 - 5
    assert (only(events, AttackResolved).total, only(events, AttackResolved).hit) == (4, False)


# Manoeuvres


@pytest.mark.parametrize(
    ("dice", "place"),
    [
        ((-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0), (7, 5)),  # 15 - 8 = 7 against 7: marginal, 1 m
        ((-1, -1, -1, -1, -1, -1, 0, 0), (8, 5)),  # SV 2: standard, 2 m
        ((-1, -1, -1, -1, 0, 0, 0, 0), (9, 5)),  # SV 4: good, 3 m
        ((-1, -1, 0, 0), (10, 5)),  # SV 6: excellent, 4 m
        (ZERO, (11, 5)),  # SV 8: outstanding, 5 m
    ],
)
def test_a_knockback_pushes_farther_the_better_it_goes(dice: tuple[int, ...], place: tuple[int, int]) -> None:
    drill = duel()
    events = attack(drill, dice, action="knockback")
    assert drill["bor.position"] == place
    assert all(step.forced for step in all_of(events, Moved))
    assert drill["bor.pending_fat_damage"] == 0


def test_a_knockback_stops_at_a_wall() -> None:
    drill = Drill(ruleset="action_points", map="....#")
    drill.join("duelist", "Ana", (1, 0))
    drill.join("brigand", "Bor", (2, 0), side="foes", reactions={"*": "never"})
    drill.start()
    attack(drill, ZERO, action="knockback")
    assert drill["bor.position"] == (3, 0)


def test_a_knockback_without_a_map_is_for_the_gm_to_place() -> None:
    drill = Drill(ruleset="action_points")
    drill.join("duelist", "Ana")
    drill.join("brigand", "Bor", side="foes", reactions={"*": "never"})
    drill.start()
    assert "5 m" in only(attack(drill, ZERO, action="knockback"), ManualResolutionNeeded).effect


def test_a_disarmed_combatant_has_its_fists_until_it_takes_its_weapon_up_again() -> None:
    drill = duel()
    attack(drill, ZERO, action="disarm")
    assert drill["bor.conditions"] == ["disarmed"]
    assert drill.refusal("ana", "disarm", target="bor").code == "disarm/unarmed"
    pass_turns(drill)
    assert drill.refusal("bor", "attack", target="ana", weapon="battleaxe").code == "weapon/not-in-hand"
    assert drill.refusal("bor", "defend").code == "defend/no-weapon"
    drill.do("bor", "rearm")
    assert (drill["bor.conditions"], drill["bor.ap"], drill["bor.fat"]) == ([], 1, 13)
    assert drill.refusal("bor", "rearm").code == "rearm/armed"


def test_a_disarm_that_misses_does_nothing() -> None:
    drill = duel()
    attack(drill, (*ZERO, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0), action="disarm", answer="dodge")  # 7 against 8
    assert drill["bor.conditions"] == []


def test_shots_do_not_disarm() -> None:
    drill = Drill(ruleset="action_points")
    drill.join("archer", "Ada", (0, 0))
    drill.join("brigand", "Bor", (0, 5), side="foes")
    drill.start()
    assert drill.refusal("ada", "disarm", target="bor", weapon="shortbow").code == "weapon/not-in-hand"
