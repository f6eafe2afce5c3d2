"""Hurting and healing by the GM: the rules decide what comes of it, in each ruleset."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog import Undo
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of, only
from ledger.errors import Problem
from ledger.events import Damaged, Healed, Rolled, SaveResolved
from tests.rules.action_points.support import duel, next_round
from tests.rules.skirmish.arena import Arena


def bridge(**rurik: Any) -> Drill:
    """Rurik has 12 hit points, Osric the paladin stands beside him, and Snig has 7."""
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1), overrides=rurik)
    drill.join("cleric", "Ilse", (1, 2))
    drill.join("goblin", "Snig", (5, 1), side="foes")
    drill.start(dice=[20, 10, 5])
    return drill


def verified(drill: Drill) -> bool:
    return list(check_declarations(drill.fight.events)) == []


@pytest.mark.parametrize(
    ("rurik", "kind", "left"),
    [
        ({}, "fire", 6),
        ({}, None, 6),
        ({"resistances": ["fire"]}, "fire", 9),  # 6 // 2
        ({"resistances": ["fire"]}, "cold", 6),
        ({"vulnerabilities": ["fire"]}, "fire", 0),  # 6 * 2
        ({"immunities": ["fire"]}, "fire", 12),
        ({"temp_hp": 4}, "fire", 10),  # 4 of them from temporary hit points
    ],
)
def test_damage_goes_through_the_rules(rurik: dict[str, Any], kind: str | None, left: int) -> None:
    drill = bridge(**rurik)
    events = drill.hurt("rurik", 6, kind, reason="the floor burns")
    assert drill["rurik.hp"] == left
    assert all_of(events, Damaged)[-1].source == "gm"
    assert verified(drill)


def test_falling_dying_and_waking_up() -> None:
    """12 hit points and 12 damage: he falls; 1 more is a failed death save; 7 healed wake him up, still prone."""
    drill = bridge()
    drill.hurt("rurik", 12, "fire")
    assert drill["rurik.conditions"] == ["dying", "prone", "unconscious"]
    drill.hurt("rurik", 1, "fire")
    assert drill.battle.combatants["rurik"].conditions["dnd5e:condition:dying"].data["failures"] == 1
    healed = only(drill.heal("rurik", 7, reason="a potion"), Healed)
    assert (healed.amount, healed.left, healed.why) == (7, 7, "a potion")
    assert drill["rurik.conditions"] == ["prone"]
    assert only(drill.heal("rurik", 99), Healed).amount == 5  # up to 12
    assert verified(drill)


def test_too_much_damage_kills_at_once() -> None:
    drill = bridge()
    drill.hurt("rurik", 24, "fire")  # 12 beyond his 12 hit points, which is his maximum
    assert "dead" in drill["rurik.conditions"]
    for hurt_or_heal in (lambda: drill.hurt("rurik", 1), lambda: drill.heal("rurik", 1)):
        with pytest.raises(Problem, match="dead"):
            hurt_or_heal()


def test_damage_may_break_concentration() -> None:
    """Ilse blesses Rurik; 6 damage call for a save against 10, and 3 + 2 is not enough."""
    drill = bridge()
    drill.end_turn("rurik")
    drill.do("ilse", "bless", target=["rurik"])
    assert "blessed" in drill["rurik.conditions"]
    with pytest.raises(Problem) as refused:
        drill.hurt("ilse", 6, "fire")
    assert refused.value.code == "dice/too-few"
    events = drill.hurt("ilse", 6, "fire", dice=[3])
    save = only(events, SaveResolved)
    assert (save.total, save.against, save.success) == (5, 10, False)
    assert drill["rurik.conditions"] == []
    assert verified(drill)


def test_several_at_once_and_taken_back() -> None:
    drill = bridge()
    drill.hurt(["rurik", "snig"], 3, "fire")
    assert (drill["rurik.hp"], drill["snig.hp"]) == (9, 4)
    drill.apply(drill.plan(Undo()))
    assert (drill["rurik.hp"], drill["snig.hp"]) == (12, 7)


def test_temporary_hit_points() -> None:
    drill = bridge()
    drill.heal("rurik", 5, "temp_hp")
    drill.heal("rurik", 3, "temp_hp")  # they do not add up
    assert (drill["rurik.temp_hp"], drill["rurik.hp"]) == (5, 12)


@pytest.mark.parametrize(
    ("what", "code"),
    [
        (lambda drill: drill.hurt("rurik", 6, "fir"), "damage/unknown-type"),
        (lambda drill: drill.hurt("nobody", 6), "declaration/unknown-combatant"),
        (lambda drill: drill.hurt([], 6), "message/invalid"),
        (lambda drill: drill.hurt("rurik", -1), "declaration/invalid-option"),
        (lambda drill: drill.heal("rurik", 6, "mana"), "heal/unknown-pool"),
    ],
)
def test_refusals(what: Any, code: str) -> None:
    drill = bridge()
    with pytest.raises(Problem) as refused:
        what(drill)
    assert refused.value.code == code


def test_action_points_queues_it_for_the_end_of_the_round() -> None:
    """7 damage cost 7 FAT, 4 VIT and a wound. Half of what is pending counts at the end of the round: Bor's VIT is
    19 - 2 + 1."""
    drill = duel()
    drill.hurt("bor", 7, reason="a falling beam")
    assert (drill["bor.pending_fat_damage"], drill["bor.pending_vit_damage"]) == (7, 4)
    assert "wounded" in drill["bor.conditions"]
    drill.heal("bor", 2, "vit")
    assert drill["bor.pending_vit_healing"] == 2
    next_round(drill)
    assert drill["bor.vit"] == 18
    with pytest.raises(Problem) as refused:
        drill.hurt("bor", 1, "fire")
    assert refused.value.code == "damage/no-types"
    assert verified(drill)


def test_skirmish_defeats_figures_and_ends_the_fight() -> None:
    """The foe has 10 health; recovering stops at 10; without health it is defeated, and nobody is left to fight."""
    arena = Arena()
    arena.hurt("foe", 4, reason="a blast door")
    assert arena["foe.health"] == 6
    arena.heal("foe", 9)
    assert arena["foe.health"] == 10
    arena.hurt("hero", 2, "strain")
    assert arena["hero.health"] == 8
    arena.hurt("foe", 10)
    assert arena.battle.clock.closed
    assert verified(arena)


def test_it_needs_no_dice_of_its_own() -> None:
    assert all_of(bridge().hurt("snig", 7), Rolled) == []
