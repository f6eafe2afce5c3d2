"""Skills, spells, items and movement."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.action_points.equipment import ITEMS, SPELLS
from combatlog.rules.action_points.pieces import PIECES, ActionPointsCondition
from combatlog.testing import Drill, all_of, only
from ledger.events import CheckResolved, ConditionApplied, Moved, ReactionWindowOpened, Rolled
from tests.cases import each
from tests.rules.action_points.support import ZERO, attack, changes, duel, next_round, pass_turns, rule

# Skills


@pytest.mark.parametrize(("tv", "against"), [("trivial", 2), ("very hard", 14), ("extreme", 16), (9, 9), ("9", 9)])
def test_a_fixed_target_value_by_name_or_number(tv: Any, against: int) -> None:
    events = duel().do("ana", "use_skill", options={"skill": "athletics", "tv": tv}, dice=ZERO)
    check = only(events, CheckResolved)
    assert (check.total, check.against, check.margin) == (10, against, 10 - against)


def test_what_the_target_cannot_oppose_is_refused_before_the_focus_check() -> None:
    riddle = {"name": "riddle", "skill": "magery", "range": 10, "tv": {"against": "riddles"}}
    drill = duel(spells=[riddle])
    rule(drill, "ana", fat=1)
    refused = drill.refusal("ana", "cast", target="bor", options={"spell": "riddle"})  # no dice: none is rolled
    assert (refused.code, refused.facts["who"]) == ("skill/unknown", "bor")


def test_an_opposed_target_value_is_what_the_opponent_rolls() -> None:
    drill = duel()
    said = {"skill": "stealth", "against": "perception"}  # ana: 12 + 0 - 5; bor: 9 + 0 - 5
    events = drill.do("ana", "use_skill", target="bor", options=said, dice=(1, 1, 0, 0, *ZERO))
    check = only(events, CheckResolved)
    assert (check.total, check.against, check.success) == (7, 6, True)
    assert (drill["bor.ap"], drill["bor.fat"]) == (2, 14)


def test_a_passive_target_value_is_one_less_without_a_roll() -> None:
    said = {"skill": "stealth", "against": "perception", "passive": True}
    events = duel().do("ana", "use_skill", target="bor", options=said, dice=ZERO)
    assert only(events, CheckResolved).against == 3
    assert [roll.roller for roll in all_of(events, Rolled)] == ["ana"]


@pytest.mark.parametrize(
    ("options", "target", "code"),
    [
        ({"skill": "athletics"}, (), "declaration/invalid-option"),
        ({"skill": "athletics", "tv": "heroic"}, (), "declaration/invalid-option"),
        ({"skill": "athletics", "tv": 4, "against": "focus"}, "bor", "declaration/invalid-option"),
        ({"skill": "athletics", "against": "focus"}, (), "target/one"),
        ({"skill": "juggling", "tv": 4}, (), "skill/unknown"),
        ({"skill": "athletics", "against": "juggling"}, "bor", "skill/unknown"),
    ],
)
def test_uses_of_a_skill_that_are_refused(options: dict[str, Any], target: Any, code: str) -> None:
    assert duel().refusal("ana", "use_skill", options=options, target=target).code == code


# Spells


def mage() -> Drill:
    """Mia: AP 3, FAT 15; magery 13 + 9 - 5 = 17. Bor 9 m away: focus 5, passive 7."""
    drill = Drill(ruleset="action_points")
    drill.join("hedge_mage", "Mia", (0, 0), reactions={"*": "never"})
    drill.join("brigand", "Bor", (0, 9), side="foes", reactions={"*": "never"})
    drill.start()
    return drill


def cast(drill: Drill, spell: str, dice: tuple[int, ...], target: Any = (), **options: Any) -> list[Any]:
    return drill.do("mia", "cast", target=target, options={"spell": spell, **options}, dice=dice)


def test_an_attack_spell_is_answered_like_an_attack_but_not_parried() -> None:
    drill = mage()
    events = cast(drill, "firebolt", (*ZERO, 1, 1, 2), "bor")  # 17 against 7: SV 10 rolls 3d10
    (window,) = all_of(events, ReactionWindowOpened)
    assert [ref.rsplit(":", 1)[1] for ref in window.offers[0].reactions] == ["dodge", "passive"]
    assert (drill["bor.pending_fat_damage"], drill["mia.ap"], drill["mia.fat"]) == (4, 2, 14)


def test_a_healing_spell_fills_the_pending_pools() -> None:
    drill = mage()
    cast(drill, "mend", ZERO)
    assert (drill["mia.pending_fat_healing"], drill["mia.pending_vit_healing"]) == (4, 2)


def test_a_casting_that_fails_does_nothing() -> None:
    drill = mage()
    cast(drill, "bless", (-1,) * 8 + (-1, -1, 0, 0))  # 17 - 10 against 8
    assert drill["mia.conditions"] == []


def test_a_blessing_helps_every_skill_for_three_rounds() -> None:
    drill = mage()
    applied = only(cast(drill, "bless", ZERO), ConditionApplied)
    assert (applied.until.round if applied.until else None, applied.level) == (3, 1)
    next_round(drill)
    assert changes(cast(drill, "mend", ZERO), "cast")["blessed"] == 1
    next_round(drill)
    assert drill["mia.conditions"] == ["blessed"]
    next_round(drill)
    assert drill["mia.conditions"] == []


def test_a_spell_against_somebodys_focus_is_opposed() -> None:
    drill = mage()
    cast(drill, "hamper", (*ZERO, *ZERO), "bor")  # 17 against 5
    assert drill["bor.conditions"] == ["hampered"]
    pass_turns(drill)
    events = drill.do("bor", "use_skill", options={"skill": "axes", "tv": 4}, dice=ZERO)
    assert only(events, CheckResolved).total == 11


@pytest.mark.parametrize(
    ("spell", "target", "code"),
    [
        ("fireball", "bor", "cast/unknown-spell"),
        ("envenom", "bor", "cast/unknown-spell"),
        ("firebolt", "mia", "target/self"),
        ("mend", "bor", "target/out-of-reach"),
    ],
)
def test_castings_that_are_refused(spell: str, target: str, code: str) -> None:
    assert mage().refusal("mia", "cast", target=target, options={"spell": spell}).code == code


def test_those_without_spells_do_not_cast() -> None:
    assert duel().refusal("ana", "cast", options={"spell": "mend"}).code == "cast/no-spells"


@each("name", [*SPELLS, *ITEMS])
def test_shipped_effects_name_conditions_that_there_are(name: str) -> None:
    effects = (SPELLS | ITEMS)[name].effects
    named = [effect.condition for effect in effects if effect.does != "heal"]
    assert all(condition in PIECES.of(ActionPointsCondition) for condition in named)


# Items


def test_an_item_is_used_up() -> None:
    drill = duel()
    drill.do("ana", "use_item", options={"item": "vigour draught", "pay": "fatigue-free"})
    assert (drill["ana.vigour draught"], drill["ana.pending_fat_healing"], drill["ana.ap"]) == (0, 6, 2)
    assert drill.refusal("ana", "use_item", options={"item": "vigour draught"}).code == "item/none"


def test_an_item_can_be_used_on_somebody_near() -> None:
    drill = mage()
    drill.do("mia", "use_item", target="bor", options={"item": "scroll of blessing"})
    assert drill["bor.conditions"] == ["blessed"]
    assert (
        drill.refusal("mia", "use_item", target="bor", options={"item": "healing salve"}).code == "target/out-of-reach"
    )
    assert drill.refusal("mia", "use_item", options={"item": "antidote"}).code == "item/not-left"


def test_an_antidote_ends_a_poison() -> None:
    drill = duel(items={"antidote": 1})
    drill.do("gm", "rule", target="ana", options={"add": ["poisoned"], "reason": "a bad oyster"})
    drill.do("ana", "use_item", options={"item": "antidote"})
    assert drill["ana.conditions"] == []


# Movement


def runner() -> Drill:
    drill = Drill(ruleset="action_points")
    drill.join("duelist", "Ana", (0, 0))
    drill.join("brigand", "Bor", (0, 29), side="foes")
    drill.start()
    return drill


def test_four_metres_a_round_are_free() -> None:
    drill = runner()
    drill.do("ana", "step", to=(0, 3))
    assert drill.refusal("ana", "step", to=(0, 5)).code == "move/too-far"
    drill.do("ana", "step", to=(1, 4))
    assert (drill["ana.ap"], drill["ana.fat"], drill["ana.free_metres"]) == (4, 16, 0)
    assert drill.refusal("ana", "step", to=(1, 5)).code == "move/no-metres-left"
    next_round(drill)
    assert drill["ana.free_metres"] == 4


def test_a_sprint_of_nine_metres_is_an_action() -> None:
    drill = runner()
    assert drill.refusal("ana", "move", to=(0, 10)).code == "move/too-far"
    events = drill.do("ana", "move", to=(0, 9))
    assert [step.to for step in all_of(events, Moved)] == [(0, y) for y in range(1, 10)]
    assert (drill["ana.ap"], drill["ana.fat"], drill["ana.actions_taken"]) == (3, 15, 1)


def test_a_full_sprint_is_25_metres_and_nothing_else() -> None:
    drill = runner()
    assert drill.refusal("ana", "full_sprint", to=(0, 26)).code == "move/too-far"
    drill.do("ana", "full_sprint", to=(0, 25))
    assert (drill["ana.position"], drill["ana.ap"], drill["ana.fat"]) == ((0, 25), 3, 15)
    assert drill.refusal("ana", "step", to=(0, 26)).code == "move/sprinting"
    assert drill.refusal("ana", "move", to=(0, 26)).code == "move/sprinting"
    next_round(drill)
    drill.do("ana", "step", to=(0, 26))


def test_a_full_sprint_takes_the_whole_round() -> None:
    drill = runner()
    drill.do("ana", "move", to=(0, 9))
    assert drill.refusal("ana", "full_sprint", to=(0, 20)).code == "move/already-acted"


def test_who_sprints_all_round_can_only_be_passive() -> None:
    drill = runner()
    drill.do("ana", "full_sprint", to=(0, 25))
    drill.do("gm", "rule", target="bor", options={"to": (0, 26), "reason": "he was waiting"})
    pass_turns(drill)
    assert all_of(attack(drill, (0, 0, 0, -1), by="bor", at="ana"), ReactionWindowOpened) == []


def test_difficult_ground_counts_twice() -> None:
    drill = Drill(ruleset="action_points", map=".~~~.")
    drill.join("duelist", "Ana", (0, 0))
    drill.start()
    assert drill.refusal("ana", "step", to=(3, 0)).code == "move/too-far"
    drill.do("ana", "step", to=(2, 0))
    assert drill["ana.free_metres"] == 0


@pytest.mark.parametrize(
    ("to", "code"),
    [
        (None, "move/no-destination"),
        ((0, 0), "move/already-there"),
        ((1, 0), "move/occupied"),
        ((2, 0), "move/not-open"),
        ((9, 9), "move/not-open"),
        ((3, 0), "move/no-way"),
    ],
)
def test_places_one_cannot_go_to(to: tuple[int, int] | None, code: str) -> None:
    drill = Drill(ruleset="action_points", map="..#.")
    drill.join("duelist", "Ana", (0, 0))
    drill.join("brigand", "Bor", (1, 0), side="foes")
    drill.start()
    assert drill.refusal("ana", "move", to=to).code == code


def test_moving_needs_a_place_to_move_from() -> None:
    drill = Drill(ruleset="action_points")
    drill.join("duelist", "Ana")
    drill.start()
    assert drill.refusal("ana", "move", to=(1, 1)).code == "move/no-place"
    rule(drill, "ana", ap=1)
    assert drill.refusal("ana", "move", to=(1, 1), options={"pay": "fatigue-free"}).code == "move/no-place"


def test_whoever_is_disarmed_by_a_ruling_has_only_fists() -> None:
    drill = duel()
    drill.do("gm", "rule", target="bor", options={"add": ["disarmed"], "reason": "the axe slips"})
    assert drill.refusal("ana", "disarm", target="bor").code == "disarm/unarmed"
    assert drill.ruleset.weapons(drill.battle.combatants["bor"]) == ["fists"]
