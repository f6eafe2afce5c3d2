"""From fight to fight: whoever comes along is in the next fight what it was in the last one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from combatlog import Redo, Undo, carry_over
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of, only
from ledger.errors import Problem
from ledger.events import CombatantJoined, ConditionApplied, Declared
from tests.cases import each
from tests.rules.action_points.support import duel
from tests.rules.skirmish.arena import Arena


def bridge() -> Drill:
    """Rurik has 12 hit points and a second wind; Mila the wizard has 32 hit points and slots 4, 3, 2."""
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1), reactions={"*": "never"})
    drill.join("wizard", "Mila", (1, 3))
    drill.join("goblin", "Snig", (5, 1), side="foes")
    drill.start(dice=[20, 10, 5])
    return drill


def verified(drill: Drill) -> bool:
    return list(check_declarations(drill.fight.events)) == []


def test_hit_points_uses_and_slots_come_along() -> None:
    """Rurik loses 9 of 12 and regains 2 + 1 (his level) with his second wind, which is then spent. Mila casts two
    spells with slots of level 1."""
    before = bridge()
    before.hurt("rurik", 9)
    before.do("rurik", "second_wind", dice=[2])
    before.end_turn("rurik")
    before.do("mila", "magic_missile", target="snig", dice=[1, 1, 1])
    events = list(before.fight.events)
    after = Drill()
    joined = all_of(carry_over(before, after, "rurik", "mila"), CombatantJoined)
    assert [(one.name, one.vitals["hp"].current, one.vitals["hp"].maximum) for one in joined] == [
        ("Rurik", 6, 12),
        ("Mila", 32, 32),
    ]
    assert (after["rurik.second_wind"], after["mila.slot_1"], after["mila.slot_2"]) == (0, 3, 3)
    assert (after["rurik.reaction"], after["rurik.action"]) == (1, 0)  # what every turn renews begins anew
    assert after.battle.combatants["rurik"].policies == before.battle.combatants["rurik"].policies
    assert before.fight.events == events
    assert verified(after)


def test_the_declaration_says_where_it_comes_from() -> None:
    before = bridge()
    before.hurt("rurik", 9)
    after = Drill()
    declared = only(carry_over(before, after, "rurik"), Declared)
    carried = declared.options["carried"]
    assert (carried["fight"], carried["seq"], carried["combatant"]) == (
        str(before.battle.id),
        before.battle.seq,
        "rurik",
    )
    assert carried["vitals"] == {"hp": 3, "temp_hp": 0}


def test_joining_is_taken_back_and_restored() -> None:
    before = bridge()
    before.hurt("rurik", 9)
    after = Drill()
    carry_over(before, after, "rurik")
    before.heal("rurik", 5)  # what happens there later changes nothing here
    after.apply(after.plan(Undo()))
    assert "rurik" not in after.battle.combatants
    after.apply(after.plan(Redo()))
    assert after["rurik.hp"] == 3
    assert verified(after)


@each(
    ("condition", "lasts"),
    [
        *[("exhaustion", True), ("petrified", True), ("poisoned", True), ("unconscious", True)],
        *[("prone", False), ("grappled", False), ("frightened", False), ("blessed", False), ("dodging", False)],
    ],
)
def test_which_conditions_last(condition: str, lasts: bool) -> None:
    before = bridge()
    before.rule("mila", add=[condition], reason="the test says so")
    after = Drill()
    carry_over(before, after, "mila")
    assert (condition in after["mila.conditions"]) is lasts
    assert verified(after)


def test_exhaustion_keeps_its_level() -> None:
    before = bridge()
    for _ in range(2):
        before.rule("mila", add=["exhaustion"], reason="no sleep")
    after = Drill()
    applied = only(carry_over(before, after, "mila"), ConditionApplied)
    assert (applied.level, applied.owner) == (2, "gm")


def test_a_spell_that_somebody_sustains_stays_behind() -> None:
    """Mila holds Rurik for as long as she concentrates; neither that nor her concentration comes along."""
    before = bridge()
    before.end_turn("rurik")
    before.do("mila", "hold_person", target="rurik", dice=[1])
    assert "paralyzed" in before["rurik.conditions"]
    after = Drill()
    carry_over(before, after, "rurik", "mila")
    assert (after["rurik.conditions"], after["mila.conditions"]) == ([], [])


def test_whoever_is_dying_goes_on_dying() -> None:
    """At 0 hit points with one failed death save. 7 points healed wake him up, which ends it as in any fight."""
    before = bridge()
    before.hurt("rurik", 12)
    before.hurt("rurik", 1)
    after = Drill()
    carry_over(before, after, "rurik")
    assert (after["rurik.hp"], after["rurik.conditions"]) == (0, ["dying", "prone", "unconscious"])
    assert after.battle.combatants["rurik"].conditions["dnd5e:condition:dying"].data["failures"] == 1
    after.heal("rurik", 7)
    assert after["rurik.conditions"] == ["prone"]
    assert verified(after)


def test_several_stand_around_a_square_on_another_side() -> None:
    before = bridge()
    after = Drill()
    carry_over(before, after, "rurik", "mila", at=(4, 4), side="guests")
    mila, rurik = after.battle.combatants["mila"], after.battle.combatants["rurik"]
    assert (rurik.position, rurik.side, mila.side) == ((4, 4), "guests", "guests")
    assert mila.position is not None
    assert max(abs(mila.position[0] - 4), abs(mila.position[1] - 4)) == 1


def test_reinforcements_roll_one_after_the_other() -> None:
    """Rurik adds 2 to his initiative, and so does Mila."""
    before = bridge()
    after = Drill()
    after.join("goblin", "Grub", side="foes")
    after.start(dice=[10])
    carry_over(before, after, "rurik", "mila", dice=[15, 3])
    order = {entry.combatant: entry.value for entry in after.battle.clock.order}
    assert (order["rurik"], order["mila"]) == (17, 5)


@pytest.mark.parametrize(("dice", "code"), [([15], "dice/too-few"), ([15, 3, 7], "dice/too-many")])
def test_with_the_wrong_number_of_faces_nobody_joins(dice: list[int], code: str) -> None:
    after = Drill()
    after.join("goblin", "Grub", side="foes")
    after.start(dice=[10])
    with pytest.raises(Problem) as refused:
        carry_over(bridge(), after, "rurik", "mila", dice=dice)
    assert refused.value.code == code
    assert list(after.battle.combatants) == ["grub"]


def test_a_repeated_command_adds_nobody() -> None:
    before, after = bridge(), Drill()
    command = UUID(int=7)
    first = carry_over(before, after, "rurik", "mila", command_id=command)
    again = carry_over(before, after, "rurik", "mila", command_id=command)
    assert (first.repeated, again.repeated, len(again)) == (False, True, 0)
    assert list(after.battle.combatants) == ["rurik", "mila"]


def _dead(drill: Drill) -> None:
    drill.hurt("rurik", 24)


def _nothing(drill: Drill) -> None: ...


@pytest.mark.parametrize(
    ("happens", "who", "code"),
    [
        (_nothing, ["mila", "nobody"], "declaration/unknown-combatant"),
        (_nothing, ["gm"], "declaration/unknown-combatant"),
        (_nothing, [], "target/nobody"),
        (_nothing, ["mila", "osric"], "declaration/unknown-combatant"),
        (_nothing, ["mila", "snig"], "join/name-taken"),
        (_dead, ["mila", "rurik"], "join/dead"),
    ],
)
def test_refusals_leave_nobody_in_the_fight(happens: Any, who: list[str], code: str) -> None:
    before = bridge()
    happens(before)
    after = Drill()
    after.join("goblin", "Snig")
    with pytest.raises(Problem) as refused:
        carry_over(before, after, *who)
    assert refused.value.code == code
    assert list(after.battle.combatants) == ["snig"]


def test_other_rules_are_refused() -> None:
    with pytest.raises(Problem) as refused:
        carry_over(bridge(), Drill("action_points"), "rurik")
    assert refused.value.code == "join/other-ruleset"


def test_action_points_carries_wounds_and_what_is_pending() -> None:
    """7 damage leave a wound, 7 FAT and 4 VIT pending. Bor has 14 FAT and 19 VIT, which have not changed yet."""
    before = duel()
    before.hurt("bor", 7)
    after = Drill("action_points")
    carry_over(before, after, "bor")
    assert (after["bor.fat"], after["bor.vit"], after["bor.conditions"]) == (14, 19, ["wounded"])
    assert (after["bor.pending_fat_damage"], after["bor.pending_vit_damage"]) == (7, 4)
    assert verified(after)


def test_skirmish_carries_damage_but_not_the_defeated() -> None:
    """The foe has 10 health."""
    before = Arena()
    before.hurt("foe", 4)
    after = Drill("skirmish")
    carry_over(before, after, "foe", at=(1, 1))
    assert after["foe.health"] == 6
    before.hurt("foe", 6)
    with pytest.raises(Problem) as refused:
        carry_over(before, Drill("skirmish"), "foe")
    assert refused.value.code == "join/dead"
