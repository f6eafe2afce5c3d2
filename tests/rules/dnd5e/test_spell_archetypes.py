"""Spells made from data, one archetype after another, with fixed dice and numbers from the rules.

Mila the wizard casts them at level 5 with intelligence 18: +7 to hit, DC 15. Ugh the orc has AC 13, dexterity +1,
constitution +3, strength +3 and wisdom +0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from combatlog.testing import Drill, all_of, only
from ledger.events import AttackResolved, CheckResolved, ConditionApplied, Damaged, Healed, Moved, Rolled, SaveResolved

BOLT = {"archetype": "bolt", "level": 0, "range": 60, "damage": "1d8", "damage_type": "cold"}
STORM = {
    "archetype": "area",
    "level": 2,
    "range": 60,
    "shape": "sphere",
    "size": 10,
    "damage": "3d8",
    "damage_type": "cold",
    "save": "dex",
}
DARTS = {"archetype": "darts", "level": 1, "range": 60, "darts": 2, "damage": "1d6+2", "damage_type": "acid"}
CURSE = {"archetype": "affliction", "level": 1, "range": 30, "condition": "restrained", "save": "str"}
SNARE = {
    "archetype": "zone",
    "level": 1,
    "range": 60,
    "shape": "sphere",
    "size": 10,
    "condition": "restrained",
    "escape": True,
    "at_once": True,
}
BOON = {"archetype": "boon", "level": 1, "range": 30, "condition": "invisible"}
CURE = {"archetype": "healing", "level": 1, "range": 30, "healing": "2d4"}


def duel(spell: dict[str, Any], at: tuple[int, int] = (5, 1), **caster: Any) -> Drill:
    """It is Mila's turn; she knows the spell as `own`. Rurik is her friend, Ugh her enemy."""
    drill = Drill()
    drill.join("wizard", "Mila", (1, 1), overrides={"spells": [{"name": "own", **spell}], **caster})
    drill.join("orc", "Ugh", at, side="foes", overrides={"hp": 60})
    drill.join("fighter", "Rurik", (1, 3), overrides={"hp": 40})
    drill.start(dice=[20, 10, 1])
    return drill


@pytest.mark.parametrize(
    ("options", "slot", "dice", "total", "damage"),
    [
        ({}, None, (6, 3, 4), 13, 7),  # a tie hits; a cantrip of level 5 has two dice
        ({}, None, (5,), 12, None),
        ({}, None, (20, 1, 2, 3, 4), 27, 10),  # critical: its dice once more
        ({"level": 1, "damage": "3d6"}, 1, (10, 1, 2, 3), 17, 6),
        ({"level": 1, "damage": "3d6", "more_per_slot": 2}, 2, (10, 1, 2, 3, 4, 5), 17, 15),
        ({"damage": "1d4+1"}, None, (10, 3, 3), 17, 8),
    ],
)
def test_a_bolt_is_a_spell_attack(
    options: dict[str, Any], slot: int | None, dice: Sequence[int], total: int, damage: int | None
) -> None:
    drill = duel({**BOLT, **options})
    events = drill.do("mila", "own", target="ugh", options={"slot": slot} if slot else {}, dice=dice)
    resolved = only(events, AttackResolved)
    assert (resolved.total, resolved.against, resolved.weapon) == (total, 13, "own")
    assert [event.amount for event in all_of(events, Damaged)] == ([] if damage is None else [damage])


@pytest.mark.parametrize(("melee", "mode"), [(True, "normal"), (False, "disadvantage")])
def test_a_bolt_in_melee_is_not_hampered_by_an_enemy_beside_it(melee: bool, mode: str) -> None:
    drill = duel({**BOLT, "melee": melee, "range": 5}, at=(2, 1))
    events = drill.do("mila", "own", target="ugh", dice=(1,) if melee else (1, 1))
    assert all_of(events, Rolled)[0].mode == mode


@pytest.mark.parametrize("spell", [{"archetype": "bolt"}, {"archetype": "rays", "count": 1}])
def test_a_melee_bolt_that_floats_strikes_from_beside_its_target(spell: dict[str, Any]) -> None:
    options = {"level": 1, "range": 120, "melee": True, "floats": 20, "splashes": True, "then": {"condition": "prone"}}
    drill = duel({**BOLT, **options, **spell}, at=(14, 1))  # 65 feet away, farther than any weapon reaches
    drill.do("mila", "own", target="ugh", dice=(6, 5))
    assert (drill["ugh.hp"], drill["ugh.conditions"]) == (55, ["prone"])


@pytest.mark.parametrize(
    ("then", "dice", "conditions"),
    [
        ({"condition": "poisoned"}, (10, 1, 1), ["poisoned"]),
        ({"condition": "poisoned", "save": "con", "dc": 12}, (10, 1, 1, 8), ["poisoned"]),  # 8 + 3 is 11
        ({"condition": "poisoned", "save": "con", "dc": 12}, (10, 1, 1, 9), []),
        ({"condition": "poisoned"}, (2,), []),  # it misses
    ],
)
def test_what_follows_a_bolt(then: dict[str, Any], dice: Sequence[int], conditions: list[str]) -> None:
    drill = duel({**BOLT, "then": then})
    drill.do("mila", "own", target="ugh", dice=dice)
    assert drill["ugh.conditions"] == conditions


@pytest.mark.parametrize(
    ("options", "slot", "dice", "amounts"),
    [
        ({}, 2, (8, 2, 2, 13), [12]),  # 13 + 1 is 14: not enough
        ({}, 2, (8, 2, 3, 14), [6]),  # 13, halved and rounded down
        ({"saved": "nothing"}, 2, (8, 2, 3, 14), []),
        ({"more_per_slot": 1}, 3, (8, 2, 2, 1, 1), [13]),
        ({"save": "wis"}, 2, (1, 1, 1, 14), [3]),  # wisdom adds nothing
        ({"level": 0}, None, (1,) * 6 + (1,), [6]),  # a cantrip of level 5: twice the dice
    ],
)
def test_an_area_hurts_those_in_it(
    options: dict[str, Any], slot: int | None, dice: Sequence[int], amounts: list[int]
) -> None:
    drill = duel({**STORM, **options})
    events = drill.do("mila", "own", to=(5, 1), options={"slot": slot} if slot else {}, dice=dice)
    assert [event.amount for event in all_of(events, Damaged)] == amounts


@pytest.mark.parametrize(("save", "place", "conditions"), [(1, (8, 1), ["prone"]), (20, (5, 1), [])])
def test_an_area_pushes_and_fells_those_who_fail(save: int, place: tuple[int, int], conditions: list[str]) -> None:
    drill = duel({**STORM, "push": 15, "then": {"condition": "prone"}})
    drill.do("mila", "own", to=(5, 1), dice=(1, 1, 1, save))
    assert (drill["ugh.position"], drill["ugh.conditions"]) == (place, conditions)


def test_a_condition_of_an_area_is_saved_against_again() -> None:
    drill = duel({**STORM, "then": {"condition": "poisoned", "save_again": True}})
    drill.do("mila", "own", to=(5, 1), dice=(1, 1, 1, 1))
    drill.next_turn()
    events = drill.next_turn(dice=(14,))
    save = only(events, SaveResolved)
    assert (save.save, save.total, save.against, drill["ugh.conditions"]) == ("dex", 15, 15, [])


@pytest.mark.parametrize(
    ("targets", "slot", "dice", "amounts"),
    [
        (("ugh",), 1, (3, 4), [("ugh", 11)]),
        (("ugh", "rurik"), 1, (3, 4), [("ugh", 5), ("rurik", 6)]),
        (("ugh",), 3, (1, 1, 1, 1), [("ugh", 12)]),
    ],
)
def test_darts_never_miss(
    targets: tuple[str, ...], slot: int, dice: Sequence[int], amounts: list[tuple[str, int]]
) -> None:
    drill = duel({**DARTS, "more_per_slot": 1})
    events = drill.do("mila", "own", target=targets, options={"slot": slot}, dice=dice)
    assert [(event.target, event.amount) for event in all_of(events, Damaged)] == amounts


@pytest.mark.parametrize(("name", "asked"), [("magic_missile", True), ("acid_darts", False)])
def test_shield_is_offered_only_against_what_it_keeps_away(name: str, asked: bool) -> None:
    drill = Drill()
    drill.join("wizard", "Mila", (1, 1), overrides={"spells": [{**DARTS, "name": name}]})
    drill.join("wizard", "Ilse", (5, 1), side="foes", overrides={"spells": ["shield"]})
    drill.start(dice=[20, 1])
    drill.do("mila", name, target="ilse", dice=(() if asked else (1, 1)))
    assert (drill["waiting"] == "ilse") is asked


@pytest.mark.parametrize(
    ("options", "slot", "dice", "healed"),
    [({}, 1, (1, 2), 7), ({"more_per_slot": 1}, 2, (1, 2, 4), 11), ({"casting": "bonus_action"}, 1, (4, 4), 12)],
)
def test_healing_adds_the_casters_modifier(
    options: dict[str, Any], slot: int, dice: Sequence[int], healed: int
) -> None:
    drill = duel({**CURE, **options})
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": 5}, "reason": "hurt"})
    events = drill.do("mila", "own", target="rurik", options={"slot": slot}, dice=dice)
    assert only(events, Healed).amount == healed
    assert drill["mila.bonus_action"] == (0 if options.get("casting") else 1)


@pytest.mark.parametrize(("save", "conditions"), [(11, ["restrained"]), (12, [])])
def test_an_affliction_holds_those_who_fail(save: int, conditions: list[str]) -> None:
    drill = duel(CURSE)
    events = drill.do("mila", "own", target="ugh", dice=(save,))  # strength 16: +3 against 15
    assert only(events, SaveResolved).total == save + 3
    assert drill["ugh.conditions"] == conditions


def test_an_affliction_ends_with_the_casters_next_turn_or_with_a_save() -> None:
    short = duel({**CURSE, "lasts": "next_turn"})
    short.do("mila", "own", target="ugh", dice=(1,))
    for _ in range(3):
        assert short["ugh.conditions"] == ["restrained"]
        short.next_turn()
    assert short["ugh.conditions"] == []
    saved = duel({**CURSE, "save_again": True, "concentration": True})
    saved.do("mila", "own", target="ugh", dice=(1,))
    assert saved["mila.conditions"] == ["concentrating"]
    saved.next_turn()
    saved.next_turn(dice=(12,))
    assert saved["ugh.conditions"] == []


def test_an_affliction_works_only_on_what_it_is_for() -> None:
    drill = duel({**CURSE, "only": ["undead", "fiend"]})
    assert drill.refusal("mila", "own", target="ugh").code == "spell/no-effect"
    assert duel(CURSE).refusal("mila", "own", target=("ugh", "rurik")).code == "spell/targets"


def test_whoever_is_snared_without_a_save_escapes_against_the_casters_dc() -> None:
    drill = duel(SNARE)
    drill.do("mila", "own", to=(5, 1))
    drill.next_turn()
    assert drill["ugh.conditions"] == ["restrained", "scathed"]
    check = only(drill.do("ugh", "escape", dice=[12]), CheckResolved)
    assert (check.total, check.against, check.success) == (15, 15, True)  # strength +3


def test_a_zone_has_the_dc_that_is_printed() -> None:
    drill = duel({**SNARE, "save": "str"}, spell_dc=40)
    assert only(drill.do("mila", "own", to=(5, 1), dice=[20]), SaveResolved).against == 40


def test_a_boon_takes_no_save_and_lasts_a_minute() -> None:
    drill = duel({**BOON, "targets": 2})
    events = drill.do("mila", "own", target=("mila", "rurik"))
    applied = all_of(events, ConditionApplied)
    assert [event.target for event in applied] == ["mila", "rurik"]
    assert [event.until.round for event in applied if event.until] == [11, 11]


def test_a_teleport_goes_where_it_is_seen() -> None:
    drill = duel({"archetype": "teleport", "level": 1, "range": 20})
    assert drill.refusal("mila", "own", to=(6, 1)).code == "spell/out-of-range"
    assert only(drill.do("mila", "own", to=(1, 5)), Moved).to == (1, 5)


def test_two_may_have_different_spells_of_one_name() -> None:
    drill = Drill()
    for name, place, damage in (("Mila", (1, 1), "1d4"), ("Ilse", (1, 2), "1d12")):
        drill.join("wizard", name, place, overrides={"level": 1, "spells": [{**BOLT, "name": "ray", "damage": damage}]})
    drill.join("orc", "Ugh", (5, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 10, 1])
    assert only(drill.do("mila", "ray", target="ugh", dice=(10, 4)), Damaged).amount == 4
    drill.next_turn()
    assert only(drill.do("ilse", "ray", target="ugh", dice=(10, 12)), Damaged).amount == 12


def test_ones_own_spell_takes_the_place_of_the_shipped_one_of_its_name() -> None:
    drill = duel({**BOLT, "name": "fire_bolt"})
    events = drill.do("mila", "fire_bolt", target="ugh", dice=(10, 1, 1))
    assert only(events, Damaged).parts[0].damage_type == "cold"


def test_a_cantrip_does_not_grow_with_a_slot_that_it_does_not_take() -> None:
    drill = duel({**DARTS, "level": 0, "more_per_slot": 2})
    assert drill.refusal("mila", "own", target="ugh", options={"slot": 9}).code == "declaration/unknown-option"
    events = drill.do("mila", "own", target="ugh", dice=(1, 1))
    assert (only(events, Damaged).amount, drill["mila.slot_3"]) == (6, 2)


def test_a_spell_that_only_another_has_is_unknown() -> None:
    drill = duel(BOLT)
    drill.next_turn()
    assert drill.refusal("ugh", "own", target="mila").code == "declaration/unknown-action"
