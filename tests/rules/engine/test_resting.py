"""Rests between fights: what comes back, in each ruleset."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog import Redo, Undo, carry_over
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of, only
from ledger.errors import Problem
from ledger.events import Healed, ResourceChanged, Rolled
from tests.cases import each
from tests.rules.action_points.support import duel, rule
from tests.rules.skirmish.arena import Arena


def verified(drill: Drill) -> bool:
    return list(check_declarations(drill.fight.events)) == []


def after_a_fight(sheet: str = "fighter", *, over: bool = True, **overrides: Any) -> Drill:
    """Rurik and a goblin. A fighter has 12 hit points, constitution 14 (+2), d10 as hit dice; here he is of level 3."""
    drill = Drill()
    drill.join(sheet, "Rurik", (1, 1), overrides={"level": 3, **overrides})
    drill.join("goblin", "Snig", (5, 1), side="foes")
    drill.start(dice=[20, 5])
    if over:
        drill.conclude()
    return drill


def setting(drill: Drill, **values: int) -> Drill:
    """Set values before the fight is over."""
    drill.rule("rurik", set=values, reason="the test says so")
    drill.conclude()
    return drill


def test_hit_dice_restore_what_they_show_and_constitution() -> None:
    """2 hit points, and two hit dice of 3 and 4, each + 2: 2 + 5 + 6 = 13, but 12 is his maximum."""
    drill = setting(after_a_fight(over=False), hp=2)
    events = drill.rest("short", "rurik", hit_dice=2, dice=[3, 4])
    assert [(roll.notation, roll.total) for roll in all_of(events, Rolled)] == [("1d10", 5), ("1d10", 6)]
    assert only(events, Healed).amount == 10
    assert (drill["rurik.hp"], drill["rurik.hit_dice_spent"]) == (12, 2)
    assert verified(drill)


def test_a_hit_die_never_takes_hit_points_away() -> None:
    """Constitution 6 is -2: a 1 and a 5 give 0 + 3."""
    scores = {"str": 16, "dex": 14, "con": 6, "int": 10, "wis": 12, "cha": 8}
    drill = setting(after_a_fight(over=False, abilities=scores), hp=2)
    drill.rest("short", "rurik", hit_dice={"Rurik": 2}, dice=[1, 5])
    assert drill["rurik.hp"] == 5


def test_there_is_one_hit_die_for_each_level() -> None:
    drill = setting(after_a_fight(over=False), hp=2)
    drill.rest("short", "rurik", hit_dice=2, dice=[1, 1])
    with pytest.raises(Problem) as refused:
        drill.rest("short", "rurik", hit_dice=2, dice=[1, 1])
    assert (refused.value.code, refused.value.facts["available"]) == ("rest/hit-dice", 1)


@pytest.mark.parametrize(("level", "spent", "left"), [(1, 1, 0), (3, 3, 2), (5, 5, 3), (5, 1, 0)])
def test_a_long_rest_restores_half_of_the_hit_dice(level: int, spent: int, left: int) -> None:
    """Half of the level, rounded down, but at least one: 1 of 1, 1 of 3, 2 of 5."""
    drill = setting(after_a_fight(over=False, level=level), hp=1)
    drill.rest("short", "rurik", hit_dice=spent, dice=[1] * spent)
    drill.rest("long", "rurik")
    assert (drill["rurik.hp"], drill["rurik.hit_dice_spent"]) == (12, left)
    assert verified(drill)


@each(
    ("sheet", "pool", "full", "short"),
    [
        ("fighter", "second_wind", 1, 1),
        ("dual_wielder", "action_surge", 1, 1),
        ("monk", "ki", 5, 5),
        ("bard", "bardic_inspiration", 3, 0),
        ("bard", "luck", 3, 0),
        ("barbarian", "rage", 3, 0),
        ("wizard", "slot_1", 4, 0),
        ("warlock", "slot_2", 2, 2),
    ],
)
def test_which_uses_come_back(sheet: str, pool: str, full: int, short: int) -> None:
    """A bard has charisma 16 (+3), a barbarian of level 5 rages three times, a monk of level 5 has 5 ki."""
    level = 3 if sheet == "bard" else 5
    for kind, expected in (("short", short), ("long", full)):
        drill = setting(after_a_fight(sheet, over=False, level=level), **{pool: 0})
        drill.rest(kind, "rurik")
        assert drill[f"rurik.{pool}"] == expected
        assert verified(drill)


def test_a_potion_does_not_come_back() -> None:
    drill = setting(after_a_fight(over=False, features=["potion_of_healing"]), potion_of_healing=0)
    drill.rest("long", "rurik")
    assert drill["rurik.potion_of_healing"] == 0


def test_inspiration_comes_back_after_a_short_rest_from_level_5_on() -> None:
    drill = setting(after_a_fight("bard", over=False, level=5), bardic_inspiration=0)
    drill.rest("short", "rurik")
    assert drill["rurik.bardic_inspiration"] == 3


def test_a_long_rest_takes_a_level_of_exhaustion_and_temporary_hit_points() -> None:
    """At level 4 of exhaustion the maximum is half of 12; at level 3 it is 12 again."""
    drill = after_a_fight(over=False, temp_hp=4)
    for _ in range(4):
        drill.rule("rurik", add=["exhaustion"], reason="no sleep")
    setting(drill, hp=3)
    drill.rest("long")  # everybody whom a player controls
    assert drill.battle.combatants["rurik"].conditions["dnd5e:condition:exhaustion"].level == 3
    assert (drill["rurik.hp"], drill["rurik.temp_hp"]) == (12, 0)
    for _ in range(3):
        drill.rest("long", "rurik")
    assert drill["rurik.conditions"] == []
    assert verified(drill)


def test_a_rest_is_taken_back_and_restored() -> None:
    drill = setting(after_a_fight(over=False), hp=2)
    drill.rest("long", "rurik")
    drill.apply(drill.plan(Undo()))
    assert (drill["rurik.hp"], drill.battle.clock.closed) == (2, True)
    drill.apply(drill.plan(Redo()))
    assert drill["rurik.hp"] == 12


def test_the_rested_come_along() -> None:
    """2 of 12 hit points, and a hit die of 3 + 2; in the next fight two of his three hit dice are left."""
    before = setting(after_a_fight(over=False), hp=2, second_wind=0)
    before.rest("short", "rurik", hit_dice=1, dice=[3])
    after = Drill()
    carry_over(before, after, "rurik")
    assert (after["rurik.hp"], after["rurik.second_wind"], after["rurik.hit_dice_spent"]) == (7, 1, 1)
    after.rest("short", "rurik", hit_dice=2, dice=[1, 1])  # before the next fight starts
    assert after["rurik.hp"] == 12  # 7 + 3 + 3 = 13
    with pytest.raises(Problem) as refused:
        after.rest("short", "rurik", hit_dice=1, dice=[1])
    assert refused.value.code == "rest/hit-dice"


def test_nothing_is_recorded_for_what_is_full() -> None:
    drill = after_a_fight()
    assert len(drill.rest("long", "rurik")) == 1
    assert all_of(drill.rest("short", "rurik"), ResourceChanged) == []


def _dying(drill: Drill) -> None:
    drill.hurt("rurik", 12)


def _stable(drill: Drill) -> None:
    drill.hurt("rurik", 12)
    drill.rule("rurik", add=["stable"], remove=["dying"], reason="bandaged")


def _dead(drill: Drill) -> None:
    drill.hurt("rurik", 24)


def _unhurt(drill: Drill) -> None: ...


@pytest.mark.parametrize(
    ("happens", "said", "code"),
    [
        (_dying, ("short", "rurik"), "rest/no-hit-points"),
        (_stable, ("long", "rurik"), "rest/no-hit-points"),
        (_dead, ("long", "rurik"), "rest/dead"),
        (_dead, ("long",), "target/nobody"),
        (_unhurt, ("long", "nobody"), "declaration/unknown-combatant"),
        (_unhurt, ("nap", "rurik"), "message/invalid"),
    ],
)
def test_refusals(happens: Any, said: tuple[str, ...], code: str) -> None:
    drill = after_a_fight(over=False)
    happens(drill)
    drill.conclude()
    with pytest.raises(Problem) as refused:
        drill.rest(*said)
    assert refused.value.code == code


def test_nobody_rests_in_the_middle_of_a_fight() -> None:
    drill = after_a_fight(over=False)
    with pytest.raises(Problem) as refused:
        drill.rest("short", "rurik")
    assert refused.value.code == "rest/fighting"


@pytest.mark.parametrize(
    ("kind", "hit_dice", "code"),
    [("long", 1, "rest/no-need"), ("short", {"snig": 1}, "rest/not-resting"), ("short", -1, "message/invalid")],
)
def test_refused_hit_dice(kind: str, hit_dice: Any, code: str) -> None:
    with pytest.raises(Problem) as refused:
        after_a_fight().rest(kind, "rurik", hit_dice=hit_dice, dice=[1])
    assert refused.value.code == code


def test_the_stable_wake_up_with_hit_dice() -> None:
    drill = after_a_fight(over=False)
    _stable(drill)
    drill.conclude()
    drill.rest("short", "rurik", hit_dice=1, dice=[4])
    assert (drill["rurik.hp"], drill["rurik.conditions"]) == (6, ["prone"])


@pytest.mark.parametrize(("harm", "fat", "vit"), [(6, 14, 17), (7, 14, 15), (10, 4, 9)])
def test_action_points_recovers_what_wounds_allow(harm: int, fat: int, vit: int) -> None:
    """Bor has FAT 14 and VIT 19. 6 damage cost 6 FAT and 2 VIT; 7 cost 7 and 4, and leave a wound, which costs less FAT
    than comes back; 10 cost 10 and 10 and leave two wounds, which cost as much as comes back."""
    drill = duel()
    drill.hurt("bor", harm)
    drill.conclude()
    drill.rest("short", "bor")
    assert (drill["bor.fat"], drill["bor.vit"]) == (fat, vit)
    assert (drill["bor.pending_fat_damage"], drill["bor.pending_vit_damage"]) == (0, 0)
    assert verified(drill)


def test_action_points_wakes_whoever_has_passed_out() -> None:
    """14 FAT damage leave FAT 0, which costs 2 VIT, and Bor passes out: VIT 19 - 2."""
    drill = duel()
    rule(drill, "bor", pending_fat_damage=14)
    drill.conclude()
    drill.rest("long", "bor")
    assert (drill["bor.fat"], drill["bor.vit"], drill["bor.conditions"]) == (14, 17, [])


def test_other_rules_have_no_rests_or_no_hit_dice() -> None:
    drill = duel()
    drill.conclude()
    with pytest.raises(Problem) as refused:
        drill.rest("short", "bor", hit_dice=1)
    assert refused.value.code == "rest/no-hit-dice"
    arena = Arena()
    arena.conclude()
    with pytest.raises(Problem) as refused:
        arena.rest("short", "foe")
    assert refused.value.code == "rest/none"
