"""Actions and features made from data that somebody uses, with fixed dice and numbers from the rules.

Grom the ogre has them: strength +4, constitution +3, proficiency +2, a greatclub with 2d8. Rurik the fighter has AC 16
and saves with strength +5, constitution +4 and wisdom +1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from combatlog.rules.engine.ruleset_types import Choice
from combatlog.testing import Drill, all_of, only
from ledger.errors import Problem
from ledger.events import (
    AttackResolved,
    ChainModified,
    Damaged,
    Healed,
    ManualResolutionNeeded,
    Rolled,
    SaveResolved,
)

BREATH = {
    "archetype": "area",
    "range": 15,
    "shape": "cone",
    "size": 15,
    "damage": "2d6",
    "damage_type": "cold",
    "save": "con",
    "dc": 14,
}
STRIKE = {"archetype": "strike", "weapon": "greatclub"}
ROAR = {"archetype": "affliction", "range": 30, "condition": "frightened", "save": "wis", "dc": 12, "targets": 2}


def brawl(section: str = "actions", **own: dict[str, Any]) -> Drill:
    """It is Grom's turn; he has these pieces by name. Rurik stands before him."""
    drill = Drill()
    entries = [{"name": name, **definition} for name, definition in own.items()]
    drill.join("ogre", "Grom", (0, 1), side="foes", overrides={section: entries})
    drill.join("fighter", "Rurik", (2, 1), overrides={"hp": 40})
    drill.start(dice=[20, 1])
    return drill


def menu(drill: Drill, title: str) -> dict[str, Choice]:
    sections = drill.ruleset.menu(drill.fight.battle, drill.fight.battle.combatants["grom"])
    return {choice.name: choice for section in sections if section.title == title for choice in section.choices}


@pytest.mark.parametrize(
    ("dc", "save", "against", "damage"),
    [(14, 9, 14, 8), (14, 10, 14, 4), ("con", 8, 13, 8), ("con", 9, 13, 4), ("str", 9, 14, 8)],
)
def test_a_breath_is_saved_against(dc: int | str, save: int, against: int, damage: int) -> None:
    drill = brawl(breath={**BREATH, "dc": dc})
    events = drill.do("grom", "breath", to=(2, 1), dice=(5, 3, save))  # constitution +2 and proficient: +4
    resolved = only(events, SaveResolved)
    assert (resolved.total, resolved.against, resolved.source) == (save + 4, against, "dnd5e:action:breath")
    assert (only(events, Damaged).amount, drill["grom.action"]) == (damage, 0)


def test_a_breath_comes_back_on_a_five() -> None:
    drill = brawl(breath={**BREATH, "uses": 1, "recharge": 5})
    assert menu(drill, "Available Now")["breath"].cost == "1 action, 1 breath"
    drill.do("grom", "breath", to=(2, 1), dice=(1, 1, 20))
    drill.next_turn()
    events = drill.next_turn(dice=(4,))
    assert only(events, Rolled).purpose == "breath recharge"
    assert drill.refusal("grom", "breath", to=(2, 1)).code == "economy/no-breath-left"
    drill.next_turn()
    drill.next_turn(dice=(5,))
    assert drill["grom.breath"] == 1
    drill.next_turn()
    assert all_of(drill.next_turn(), Rolled) == []  # nothing to bring back


def test_a_breath_needs_a_direction_and_its_range() -> None:
    drill = brawl(breath=BREATH)
    assert drill.refusal("grom", "breath").code == "action/no-place"
    assert drill.refusal("grom", "breath", to=(1, 1)).code == "action/direction"
    assert drill.refusal("grom", "breath", to=(5, 1)).code == "action/out-of-range"


@pytest.mark.parametrize(
    ("options", "dice", "healed"),
    [({}, (3, 4), 7), ({"plus": "con"}, (3, 4), 10), ({"plus": "level"}, (3, 4), 8), ({"healing": "1d4-2"}, (1,), 0)],
)
def test_healing_oneself(options: dict[str, Any], dice: Sequence[int], healed: int) -> None:
    drill = brawl(lick={"archetype": "healing", "healing": "2d6", "uses": 1, **options})
    drill.do("gm", "rule", target="grom", options={"set": {"hp": 20}, "reason": "hurt"})
    events = drill.do("grom", "lick", dice=dice)
    assert (only(events, Healed).amount, drill["grom.hp"], drill["grom.lick"]) == (healed, 20 + healed, 0)


def test_healing_others_takes_a_target_in_range() -> None:
    drill = brawl(tend={"archetype": "healing", "healing": "1d6", "range": 5})
    assert drill.refusal("grom", "tend").code == "action/targets"
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": 20}, "reason": "hurt"})
    drill.do("grom", "tend", target="rurik", dice=(6,))
    assert drill["rurik.hp"] == 26


@pytest.mark.parametrize(("section", "title"), [("actions", "Available Now"), ("features", "Features")])
def test_a_stance_is_for_oneself(section: str, title: str) -> None:
    fade = {"archetype": "stance", "takes": "bonus_action", "condition": "invisible"}
    drill = brawl(section, fade=fade)
    assert menu(drill, title)["fade"].cost == "1 bonus action"
    drill.do("grom", "fade")
    assert (drill["grom.conditions"], drill["grom.bonus_action"], drill["grom.action"]) == (["invisible"], 0, 1)
    assert drill.refusal("grom", "fade").code.endswith("/already")
    drill.next_turn()
    drill.next_turn()
    assert drill["grom.conditions"] == []


@pytest.mark.parametrize(
    ("options", "dice", "damage", "conditions"),
    [
        ({"damage": "1d6", "damage_type": "fire"}, (10, 5, 5, 3), 17, []),  # 2d8 and 4 and a d6
        ({"then": {"condition": "prone"}}, (10, 5, 5), 14, ["prone"]),
        ({"then": {"condition": "prone", "save": "str", "dc": 15}}, (10, 5, 5, 9), 14, ["prone"]),
        ({"then": {"condition": "prone", "save": "str", "dc": 15}}, (10, 5, 5, 10), 14, []),
        ({"then": {"condition": "prone"}}, (9,), None, []),  # 9 and 6 is 15: a miss
        ({"damage": "1d6"}, (20, 1, 2, 3, 4, 5, 6), 25, []),  # critical: all dice twice, by chain, and 4
    ],
)
def test_a_strike_with_more_to_it(
    options: dict[str, Any], dice: Sequence[int], damage: int | None, conditions: list[str]
) -> None:
    drill = brawl(smash={**STRIKE, **options})
    events = drill.do("grom", "smash", target="rurik", dice=dice)
    assert [event.amount for event in all_of(events, Damaged)] == ([] if damage is None else [damage])
    assert (drill["rurik.conditions"], drill["grom.action"]) == (conditions, 0)
    assert only(events, AttackResolved).weapon == "greatclub"


def test_what_follows_a_strike_follows_no_other() -> None:
    drill = brawl(smash={**STRIKE, "then": {"condition": "prone"}})
    drill.do("grom", "melee_attack", target="rurik", dice=(10, 5, 5))
    assert drill["rurik.conditions"] == []


def test_a_strike_takes_its_own_weapon() -> None:
    drill = brawl(smash={**STRIKE, "then": {"condition": "prone"}})
    assert drill.refusal("grom", "smash", target="rurik", weapon="javelin").code == "strike/wrong-weapon"
    assert drill.refusal("grom", "smash").code == "strike/one-target"


@pytest.mark.parametrize(("save", "conditions"), [(10, ["frightened"]), (11, [])])
def test_a_roar_frightens_those_who_fail(save: int, conditions: list[str]) -> None:
    drill = brawl(roar=ROAR)
    drill.do("grom", "roar", target="rurik", dice=(save,))  # wisdom 12: +1
    assert drill["rurik.conditions"] == conditions


CLAWS = {"archetype": "on_hit", "when": {"weapon": "greatclub"}}


@pytest.mark.parametrize(
    ("options", "dice", "damage", "conditions"),
    [
        ({"damage": "1d6", "damage_type": "cold"}, (10, 5, 5, 6), 20, []),
        ({"damage": "1d6", "when": {"weapon": "javelin"}}, (10, 5, 5), 14, []),
        ({"damage": "1d6", "when": {"by": "ranged"}}, (10, 5, 5), 14, []),
        ({"damage": "1d6", "when": {"target": ["undead"]}}, (10, 5, 5), 14, []),
        ({"damage": "1d6", "when": {"target": ["humanoid"], "by": "melee"}}, (10, 5, 5, 1), 15, []),
        ({"then": {"condition": "paralyzed", "save": "con", "dc": 14}}, (10, 5, 5, 9), 14, ["paralyzed"]),
        ({"then": {"condition": "paralyzed", "save": "con", "dc": 14}}, (10, 5, 5, 10), 14, []),
    ],
)
def test_what_follows_every_hit(
    options: dict[str, Any], dice: Sequence[int], damage: int, conditions: list[str]
) -> None:
    drill = brawl("features", claws={**CLAWS, **options})
    events = drill.do("grom", "melee_attack", target="rurik", dice=dice)
    assert (only(events, Damaged).amount, drill["rurik.conditions"]) == (damage, conditions)


def test_once_a_turn_is_the_first_hit_of_each() -> None:
    drill = Drill()
    fury = {"name": "fury", "archetype": "on_hit", "damage": "1d6", "once_a_turn": True}
    drill.join("ogre", "Grom", (0, 1), side="foes", overrides={"multiattack": 2, "features": [fury]})
    drill.join("fighter", "Rurik", (2, 1), overrides={"hp": 100})
    drill.start(dice=[20, 1])
    drill.do("grom", "attack")
    for dice, damage in (((10, 5, 5, 6), 20), ((10, 5, 5), 14)):
        events = drill.do("grom", "strike", target="rurik", dice=dice)
        assert only(events, Damaged).amount == damage
    assert drill["grom.fury"] == 0
    assert "fury" not in drill.ruleset.lasting_resources(drill.fight.battle.combatants["grom"])
    drill.next_turn()
    assert drill["grom.fury"] == 1  # each turn is a new one, also another's


def test_once_a_turn_for_a_condition() -> None:
    drill = Drill()
    trip = {"name": "trip", "archetype": "on_hit", "then": {"condition": "prone"}, "once_a_turn": True}
    drill.join("ogre", "Grom", (0, 1), side="foes", overrides={"multiattack": 2, "features": [trip]})
    drill.join("fighter", "Rurik", (2, 1), overrides={"hp": 100})
    drill.start(dice=[20, 1])
    drill.do("grom", "attack")
    drill.do("grom", "strike", target="rurik", dice=(10, 5, 5))
    assert (drill["rurik.conditions"], drill["grom.trip"]) == (["prone"], 0)
    drill.do("gm", "rule", target="rurik", options={"remove": ["prone"], "reason": "helped up"})
    drill.do("grom", "strike", target="rurik", dice=(10, 5, 5))
    assert drill["rurik.conditions"] == []


def test_the_log_says_what_the_damage_comes_from() -> None:
    drill = brawl("features", cold_iron={"archetype": "on_hit", "damage": "1d4", "damage_type": "cold"})
    events = drill.do("grom", "melee_attack", target="rurik", dice=(10, 5, 5, 2))
    (own,) = [event for event in all_of(events, ChainModified) if event.source == "dnd5e:feature:cold_iron"]
    assert (own.reason, own.change.dice, own.change.label) == ("cold iron", "1d4", "cold")


BURST = {"archetype": "area", "range": 0, "shape": "sphere", "size": 10, "around": True, "save": "con", "dc": 14}


def test_a_burst_spares_whoever_it_surrounds() -> None:
    drill = brawl(burst={**BURST, "damage": "2d6", "damage_type": "cold"})
    events = drill.do("grom", "burst", dice=(5, 3, 9))
    assert [(hurt.target, hurt.amount) for hurt in all_of(events, Damaged)] == [("rurik", 8)]  # 9 + 4 against 14


def test_an_area_can_cause_a_condition_without_damage() -> None:
    drill = brawl(shriek={**BURST, "then": {"condition": "stunned"}})
    events = drill.do("grom", "shriek", dice=(9,))
    assert not all_of(events, Damaged)
    assert drill["rurik.conditions"] == ["stunned"]


def test_an_area_without_any_effect_is_refused() -> None:
    with pytest.raises(Problem, match="give it damage"):
        brawl(nothing=BURST)


BLAST = {"archetype": "blast", "range": 30, "damage": "2d6", "damage_type": "psychic", "save": "wis", "dc": 12}


@pytest.mark.parametrize(
    ("saved", "die", "damage", "conditions"),
    [("half", 10, [8], ["frightened"]), ("half", 11, [4], []), ("nothing", 11, [], [])],
)
def test_a_blast_is_saved_against(saved: str, die: int, damage: list[int], conditions: list[str]) -> None:
    drill = brawl(glare={**BLAST, "saved": saved, "then": {"condition": "frightened"}})
    events = drill.do("grom", "glare", target="rurik", dice=(5, 3, die))  # wisdom +1
    assert [hurt.amount for hurt in all_of(events, Damaged)] == damage
    assert drill["rurik.conditions"] == conditions


def test_the_menu_says_what_a_blast_would_do() -> None:
    (effect,) = menu(brawl(glare=BLAST), "Available Now")["glare"].effects
    assert (effect.save, effect.damage, effect.range) == ("WIS save DC 12 for half", "2d6 psychic", "30 ft")


def test_what_is_done_by_hand_costs_an_action_and_asks_the_gm() -> None:
    drill = brawl(change={"archetype": "by_hand", "text": "It turns into a bat.", "uses": 1})
    asked = only(drill.do("grom", "change"), ManualResolutionNeeded)
    assert (asked.subject, asked.effect, asked.source) == ("grom", "It turns into a bat.", "dnd5e:action:change")
    assert (drill["grom.action"], drill["grom.change"]) == (0, 0)


@pytest.mark.parametrize(("die", "asked"), [(20, 1), (2, 0)])
def test_the_gm_is_asked_after_a_hit(die: int, asked: int) -> None:
    question = {"archetype": "question", "text": "Is it cursed?", "at": "hit", "when": {"weapon": "greatclub"}}
    drill = brawl("features", curse=question)
    drill.do("grom", "attack")
    events = drill.do("grom", "strike", target="rurik", dice=(die, 1, 1, 1, 1)[: 5 if asked else 1])
    assert [event.subject for event in all_of(events, ManualResolutionNeeded)] == ["rurik"] * asked


def test_the_gm_is_asked_when_a_turn_starts() -> None:
    drill = brawl("features", hunger={"archetype": "question", "text": "Is blood near?", "at": "turn_start"})
    drill.next_turn()
    assert only(drill.next_turn(), ManualResolutionNeeded).subject == "grom"
