"""Reactions in the windows of an attack: when they are offered, what they do, what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from combatlog.testing import Drill, all_of, only
from ledger.events import (
    AttackResolved,
    ChainModified,
    CheckResolved,
    Damaged,
    Event,
    ReactionDeclined,
    ReactionUsed,
    ReactionWindowOpened,
    Rolled,
    SaveResolved,
)


def offered(events: Sequence[Event]) -> dict[str, list[str]]:
    """Which reactions were offered to whom."""
    offers = [offer for window in all_of(events, ReactionWindowOpened) for offer in window.offers]
    return {offer.reactor: [ref.rsplit(":", 1)[1] for ref in offer.reactions] for offer in offers}


def orc_against(
    sheet: str,
    *,
    at: tuple[int, int] = (1, 1),
    weapon: str = "greataxe",
    reactions: dict[str, str] | None = None,
    **more: Any,
) -> Drill:
    """An orc (+5 and 1d12+3, or 1d6+3 with a javelin) about to strike at somebody."""
    drill = Drill()
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"weapons": [weapon]})
    drill.join(sheet, "Mila", at, reactions=reactions, overrides=more)
    drill.start(dice=[20, 1])
    drill.do("ugh", "attack")
    return drill


# Shield


def test_shield_turns_18_against_14_into_a_miss() -> None:
    drill = orc_against("wizard", ac=14)
    drill.do("ugh", "strike", target="mila", dice=(13,))
    assert drill["waiting"] == "mila"
    events = drill.react("mila", "shield")
    resolved = only(events, AttackResolved)
    assert (resolved.total, resolved.against, resolved.hit) == (18, 19, False)
    late = only(events, ChainModified)
    assert (late.chain, late.source, late.change.amount) == ("armor_class", "dnd5e:spell:shield", 5)
    assert (drill["mila.reaction"], drill["mila.slot_1"], drill["mila.conditions"]) == (0, 3, ["shielded"])


def test_shield_that_is_declined_costs_nothing() -> None:
    drill = orc_against("wizard", ac=14)
    drill.do("ugh", "strike", target="mila", dice=(13,))
    events = drill.react("mila", None, dice=(1,))
    assert only(events, AttackResolved).hit is True
    assert (drill["mila.reaction"], drill["mila.slot_1"]) == (1, 4)


@pytest.mark.parametrize(
    ("dice", "hit"),
    [((14, 1), True), ((8,), False), ((20, 1, 1), True)],
    ids=["19 hits 19, too: ties hit", "13 misses 14 anyway", "a natural 20 hits anyway"],
)
def test_shield_is_not_offered_where_it_cannot_help(dice: Sequence[int], hit: bool) -> None:
    drill = orc_against("wizard", ac=14)
    events = drill.do("ugh", "strike", target="mila", dice=dice)
    assert offered(events) == {}
    assert only(events, AttackResolved).hit is hit


@pytest.mark.parametrize("spent", ["reaction", "slots"])
def test_shield_is_not_offered_without_reaction_or_slot(spent: str) -> None:
    drill = orc_against("wizard", ac=14, slots={} if spent == "slots" else {1: 1})
    if spent == "reaction":
        drill.do("gm", "rule", target="mila", options={"set": {"reaction": 0}, "reason": "spent"})
    assert offered(drill.do("ugh", "strike", target="mila", dice=(13, 1))) == {}


def test_shield_lasts_until_the_own_next_turn() -> None:
    drill = orc_against("wizard", ac=14, reactions={"shield": "when useful"})
    drill.do("gm", "rule", target="ugh", options={"set": {"attacks": 2}, "reason": "haste"})
    drill.do("ugh", "strike", target="mila", dice=(13,))
    events = drill.do("ugh", "strike", target="mila", dice=(13,))
    assert only(events, AttackResolved).against == 19
    drill.next_turn()
    assert drill["mila.conditions"] == []


def test_shield_stops_magic_missiles() -> None:
    drill = Drill()
    drill.join("wizard", "Evil", (5, 1), side="foes")
    drill.join("wizard", "Mila", (1, 1))
    drill.start(dice=[20, 1])
    events = drill.do("evil", "magic_missile", target="mila", dice=(4, 4, 4), replies={"mila": "shield"})
    assert [(d.amount, d.left) for d in all_of(events, Damaged)] == [(0, 32)]


# Protection


def protected(shield: bool = True, at: tuple[int, int] = (1, 2), weapon: str = "greataxe") -> Drill:
    drill = Drill()
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"weapons": [weapon]})
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("paladin", "Osric", at, overrides={"shield": shield})
    drill.start(dice=[20, 10, 5])
    drill.do("ugh", "attack")
    return drill


def test_protection_imposes_disadvantage_and_spends_the_reaction() -> None:
    drill = protected()
    events = drill.do("ugh", "strike", target="rurik", dice=(18, 3), replies={"osric": "protection"})
    assert (only(events, AttackResolved).roll, drill["osric.reaction"]) == (3, 0)


@pytest.mark.parametrize(
    ("case", "drill", "setting"),
    [
        ("without a shield", protected(shield=False), {}),
        ("more than 5 feet away", protected(at=(1, 4)), {}),
        ("a ranged attack", protected(weapon="longbow"), {}),
        ("the reaction is spent", protected(), {"set": {"reaction": 0}}),
        ("the protector cannot act", protected(), {"add": ["stunned"]}),
        ("the protector does not see the attacker", protected(), {"add": ["blinded"]}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_protection_is_not_offered(case: str, drill: Drill, setting: dict[str, Any]) -> None:
    if setting:
        drill.do("gm", "rule", target="osric", options={**setting, "reason": case})
    dice = (2, 2) if case == "a ranged attack" else (2,)  # a bow in close combat has disadvantage
    assert offered(drill.do("ugh", "strike", target="rurik", dice=dice)) == {}


# Uncanny Dodge, Deflect Missiles


def test_uncanny_dodge_halves_after_the_hit() -> None:
    drill = orc_against("rogue")
    events = drill.do("ugh", "strike", target="mila", dice=(10, 8), replies={"mila": "uncanny_dodge"})
    damaged = only(events, Damaged)
    assert [(part.source, part.amount) for part in damaged.parts] == [
        ("dnd5e:weapon:greataxe", 8),
        ("dnd5e:score:str", 3),
        ("dnd5e:feature:uncanny_dodge", -6),
    ]
    assert (damaged.amount, drill["mila.hp"], drill["mila.reaction"]) == (5, 33, 0)  # 11 halved, rounded down
    window = only(events, ReactionWindowOpened)
    assert only(events, AttackResolved).seq < window.seq < all_of(events, Rolled)[-1].seq


def test_uncanny_dodge_is_not_offered_on_a_miss_or_by_the_blind() -> None:
    drill = orc_against("rogue")
    assert offered(drill.do("ugh", "strike", target="mila", dice=(2,))) == {}
    drill = orc_against("rogue")
    drill.do("gm", "rule", target="mila", options={"add": ["blinded"], "reason": "sand"})
    assert offered(drill.do("ugh", "strike", target="mila", dice=(2, 10, 1))) == {}


def test_deflect_missiles_reduces_a_ranged_hit() -> None:
    drill = orc_against("monk", at=(8, 1), weapon="longbow")
    events = drill.do("ugh", "strike", target="mila", dice=(15, 3, 8), replies={"mila": "deflect_missiles"})
    # 3 and 4 for dexterity and 5 for the level are 12 off 8 and 1: nothing is left
    assert (only(events, Damaged).amount, drill["mila.reaction"]) == (0, 0)
    assert [part.amount for part in only(events, Damaged).parts] == [8, 1, -9]


def test_deflect_missiles_is_not_offered_in_melee() -> None:
    drill = orc_against("monk")
    assert offered(drill.do("ugh", "strike", target="mila", dice=(15, 1))) == {}


# Cutting Words, Lucky


def mocked(reactions: dict[str, str] | None = None) -> Drill:
    drill = Drill()
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"weapons": ["greataxe"]})
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("bard", "Fen", (5, 5), reactions=reactions, overrides={"features": ["cutting_words"]})
    drill.start(dice=[20, 10, 5])
    drill.do("ugh", "attack")
    return drill


def test_cutting_words_subtracts_a_die() -> None:
    drill = mocked()
    events = drill.do("ugh", "strike", target="rurik", dice=(13, 3), replies={"fen": "cutting_words"})
    resolved = only(events, AttackResolved)
    assert (resolved.total, resolved.against, resolved.hit) == (15, 16, False)  # 18 and 3 off
    assert (drill["fen.reaction"], drill["fen.bardic_inspiration"]) == (0, 2)
    (late,) = [e for e in all_of(events, ChainModified) if e.source == "dnd5e:feature:cutting_words"]
    assert (late.chain, late.change.amount, late.owner) == ("attack", -3, "fen")


def test_cutting_words_is_not_offered_against_the_deaf_or_a_miss() -> None:
    drill = mocked()
    assert offered(drill.do("ugh", "strike", target="rurik", dice=(3,))) == {}
    drill = mocked()
    drill.do("gm", "rule", target="ugh", options={"add": ["deafened"], "reason": "a bell"})
    assert offered(drill.do("ugh", "strike", target="rurik", dice=(13, 1))) == {}


def searching(immune: Sequence[str] = ()) -> Drill:
    """Ugh's turn, with Perception +0. Rurik is hidden with a passive Stealth of 10, and Fen stands by."""
    drill = Drill()
    told = {"abilities": EVEN, "skills": [], "condition_immunities": list(immune)}
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides=told)
    drill.join("fighter", "Rurik", (1, 1), overrides={"abilities": EVEN, "skills": []})
    drill.join("bard", "Fen", (5, 5), overrides={"features": ["cutting_words"]})
    drill.start(dice=[20, 10, 5])
    drill.do("gm", "rule", target="rurik", options={"add": ["hidden"], "reason": "a test"})
    return drill


def test_cutting_words_lower_a_check() -> None:
    drill = searching()
    events = drill.do("ugh", "search", dice=(12, 3), replies={"fen": "cutting_words"})
    resolved = only(events, CheckResolved)
    assert (resolved.total, resolved.against, drill["rurik.conditions"]) == (9, 11, ["hidden"])


def test_cutting_words_do_nothing_to_those_who_cannot_be_charmed() -> None:
    drill = searching(immune=["charmed"])
    assert offered(drill.do("ugh", "search", dice=(12,))) == {}
    assert drill["rurik.conditions"] == []


EVEN = {"str": 10, "dex": 10, "con": 10, "int": 10, "wis": 10, "cha": 10}


def test_cutting_words_is_useful_only_where_the_die_can_reach() -> None:
    drill = mocked(reactions={"*": "when useful"})
    events = drill.do("ugh", "strike", target="rurik", dice=(17, 1))  # 22 less 6 is 16: a tie hits
    assert only(events, ReactionDeclined).reactor == "fen"


def test_lucky_attacker_rolls_once_more_and_keeps_the_better() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1), overrides={"features": ["lucky"]})
    drill.join("orc", "Ugh", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    events = drill.do("rurik", "strike", target="ugh", dice=(4, 16, 5), replies={"rurik": "lucky"})
    resolved = only(events, AttackResolved)
    assert (resolved.roll, resolved.total, resolved.hit) == (16, 21, True)
    assert [(roll.purpose, roll.faces) for roll in all_of(events, Rolled)][:2] == [("attack", (4,)), ("lucky", (16,))]
    assert (drill["rurik.luck"], drill["rurik.reaction"]) == (2, 1)


def test_lucky_target_makes_the_lower_die_count() -> None:
    drill = orc_against("fighter", features=["lucky"])
    events = drill.do("ugh", "strike", target="mila", dice=(20, 7), replies={"mila": "lucky"})
    resolved = only(events, AttackResolved)
    assert (resolved.roll, resolved.total, resolved.hit, resolved.critical) == (7, 12, False, False)


def test_lucky_saver_rolls_once_more() -> None:
    drill = Drill()
    drill.join("cleric", "Evil", (5, 1), side="foes")
    drill.join("fighter", "Rurik", (1, 1), overrides={"features": ["lucky"]})
    drill.start(dice=[20, 1])
    # wisdom 12: 4 + 1 against 15, then 15 + 1
    events = drill.do("evil", "hold_person", target="rurik", dice=(4, 15), replies={"rurik": "lucky"})
    save = only(events, SaveResolved)
    assert (save.total, save.success, drill["rurik.luck"], drill["rurik.conditions"]) == (16, True, 2, [])
    (late,) = [e for e in all_of(events, ChainModified) if e.source == "dnd5e:feature:lucky"]
    assert (late.chain, late.change.amount, late.reason) == ("save", 11, "Lucky: 15 counts, out of 4 and 15")


def test_lucky_is_not_offered_where_the_roll_is_good_enough() -> None:
    drill = orc_against("fighter", features=["lucky"])
    assert offered(drill.do("ugh", "strike", target="mila", dice=(2,))) == {}


# Sentinel


def guarded(**more: Any) -> Drill:
    drill = Drill()
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"weapons": ["greataxe"]})
    drill.join("wizard", "Mila", (1, 1))
    drill.join("fighter", "Rurik", (2, 2), overrides={"features": ["sentinel"], **more})
    drill.start(dice=[20, 5, 10])
    drill.do("ugh", "attack")
    return drill


def test_sentinel_strikes_at_an_enemy_that_attacks_somebody_else() -> None:
    drill = guarded()
    events = drill.do("ugh", "strike", target="mila", dice=(15, 5, 2), replies={"rurik": "sentinel"})
    first, second = all_of(events, AttackResolved)
    assert (first.attacker, first.target, second.attacker) == ("rurik", "ugh", "ugh")
    assert (drill["ugh.hp"], drill["rurik.reaction"]) == (7, 0)  # 5 and 3 off 15


def test_sentinel_that_drops_the_attacker_ends_the_attack() -> None:
    drill = guarded()
    drill.do("gm", "rule", target="ugh", options={"set": {"hp": 3}, "reason": "hurt"})
    events = drill.do("ugh", "strike", target="mila", dice=(15, 5), replies={"rurik": "sentinel"})
    assert only(events, AttackResolved).attacker == "rurik"
    assert drill["ugh.conditions"] == ["dead"]


def test_sentinel_is_not_offered_when_attacked_itself() -> None:
    drill = guarded()
    assert offered(drill.do("ugh", "strike", target="rurik", dice=(2,))) == {}


# Hellish Rebuke


def test_hellish_rebuke_comes_after_the_damage() -> None:
    drill = orc_against("warlock", slots={1: 1})
    events = drill.do("ugh", "strike", target="mila", dice=(15, 5, 9, 6, 7), replies={"mila": "hellish_rebuke"})
    blow, flames = all_of(events, Damaged)
    assert (blow.target, blow.amount, flames.target, flames.amount) == ("mila", 8, "ugh", 13)
    save = only(events, SaveResolved)
    assert (save.save, save.total, save.against, save.success) == ("dex", 10, 13, False)  # 8 + 2 + 3
    assert blow.seq < only(events, ReactionUsed).seq < save.seq < flames.seq
    assert (drill["mila.reaction"], drill["mila.slot_1"]) == (0, 0)


def test_hellish_rebuke_is_halved_by_the_save_and_grows_with_the_slot() -> None:
    drill = orc_against("warlock")  # its slots are of level 2: 3d10
    events = drill.do("ugh", "strike", target="mila", dice=(15, 5, 12, 6, 7, 2), replies={"mila": "hellish_rebuke"})
    assert [part.amount for part in all_of(events, Damaged)[1].parts] == [15, -8]
    assert drill["ugh.hp"] == 8


def test_hellish_rebuke_is_not_offered_to_the_fallen() -> None:
    drill = orc_against("warlock", hp=5)
    events = drill.do("ugh", "strike", target="mila", dice=(15, 5))
    assert offered(events) == {}
    assert drill["mila.hp"] == 0


# People and policies


def test_everybody_eligible_is_asked_in_initiative_order() -> None:
    drill = Drill()
    drill.join("orc", "Ugh", (2, 1), side="foes")
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("paladin", "Osric", (1, 2))
    drill.join("paladin", "Bertha", (1, 0))
    drill.start(dice=[20, 1, 5, 15])
    drill.do("ugh", "attack")
    drill.do("ugh", "strike", target="rurik")
    assert drill["waiting"] == "bertha"
    drill.react("bertha", None)
    assert drill["waiting"] == "osric"
    events = drill.react("osric", "protection", dice=(3, 4))
    assert only(events, AttackResolved).hit is False
    assert (drill["bertha.reaction"], drill["osric.reaction"]) == (1, 0)


def test_a_policy_answers_without_asking() -> None:
    drill = orc_against("rogue", reactions={"uncanny_dodge": "always"})
    drill.do("ugh", "strike", target="mila", dice=(10, 8))
    assert (drill["mila.reaction"], drill["waiting"]) == (0, None)


# Spells in the same turn as one with a bonus action


def stepping_away() -> Drill:
    """Mila's turn; she knows Misty Step and Shield. Ugh stands beside her: +5 to hit against AC 14."""
    drill = Drill(map=["." * 12] * 8)
    told = {"ac": 14, "spells": ["misty_step", "shield"], "slots": {1: 2, 2: 2}}
    drill.join("wizard", "Mila", (2, 2), overrides=told)
    drill.join("orc", "Ugh", (3, 2), side="foes", reactions={"*": "always"}, overrides={"hp": 60})
    drill.start(dice=[20, 1])
    return drill


def test_no_spell_is_cast_as_a_reaction_after_one_with_the_bonus_action() -> None:
    drill = stepping_away()
    drill.do("mila", "misty_step", to=(4, 2))
    events = drill.do("mila", "move", to=(5, 2), dice=(13, 1))  # 13 + 5 would miss 19
    assert ("mila" in offered(events), only(events, AttackResolved).hit) == (False, True)


def test_no_spell_is_cast_with_the_bonus_action_after_one_as_a_reaction() -> None:
    drill = stepping_away()
    drill.do("mila", "move", to=(1, 2), dice=(13,), replies={"mila": "shield"})
    assert drill.refusal("mila", "misty_step", to=(4, 6)).code == "spell/one-a-turn"


def test_a_reaction_spell_in_the_turn_of_another_is_not_concerned() -> None:
    drill = stepping_away()
    drill.do("mila", "misty_step", to=(4, 2))
    drill.next_turn()
    drill.do("ugh", "attack")
    events = drill.do("ugh", "strike", target="mila", dice=(13,), replies={"mila": "shield"})
    assert only(events, AttackResolved).hit is False


def test_shield_is_not_cast_while_raging() -> None:
    drill = orc_against("wizard", ac=14)
    drill.do("gm", "rule", target="mila", options={"add": ["raging"], "reason": "a test"})
    assert offered(drill.do("ugh", "strike", target="mila", dice=(13, 1))) == {}
