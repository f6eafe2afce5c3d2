"""Spells that last: used again, left on the map, or kept up on friend and foe. Numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.testing import Drill, all_of, only
from ledger.events import AttackResolved, CheckResolved, Damaged, Healed, SaveResolved
from tests.rules.dnd5e.test_creature_powers import ROOM, beast

SLOTS = {str(level): 2 for level in range(1, 10)}


def cast(*spells: str, at: tuple[int, int] = (3, 2), **foe: Any) -> Drill:
    """Mila's turn: a level 5 wizard with +6 and DC 14; Cat has AC 12, 100 hp and saves of +1 or +0."""
    drill = Drill(map=ROOM)
    overrides = {"level": 5, "spells": list(spells), "slots": SLOTS, "hp": 60, "features": []}
    abilities = {"str": 10, "dex": 10, "con": 10, "int": 16, "wis": 10, "cha": 10}
    drill.join("wizard", "Mila", (1, 2), overrides={**overrides, "abilities": abilities}, reactions={"*": "never"})
    drill.join(beast(hp=100, **foe), "Cat", at, side="foes", reactions={"*": "never"})
    drill.start(dice=[20, 1])
    return drill


def round_on(drill: Drill, mila: tuple[int, ...] = (), cat: tuple[int, ...] = ()) -> None:
    """To Mila's next turn; the dice are rolled when the turn before ends."""
    drill.next_turn(dice=mila)
    drill.next_turn(dice=cat)


# Conditions


@pytest.mark.parametrize(
    ("spell", "said", "dice", "held"),
    [
        ("blindness_deafness", {"target": "cat"}, [5], ["blinded"]),
        ("hold_monster", {"target": "cat"}, [5], ["paralyzed"]),
        ("slow", {"target": "cat"}, [5], ["slowed"]),
        ("faerie_fire", {"to": (4, 2)}, [5], ["outlined"]),
        ("phantasmal_killer", {"target": "cat"}, [5], ["frightened", "suffering"]),
        ("weird", {"to": (3, 2)}, [5], ["frightened", "suffering"]),
    ],
)
def test_spells_that_afflict(spell: str, said: dict[str, Any], dice: list[int], held: list[str]) -> None:
    drill = cast(spell)
    drill.do("mila", spell, dice=dice, **said)
    assert drill["cat.conditions"] == held


def test_phantasmal_killer_hurts_whoever_does_not_shake_it_off() -> None:
    drill = cast("phantasmal_killer")
    drill.do("mila", "phantasmal_killer", target="cat", dice=[5])
    drill.next_turn()
    assert drill["cat.hp"] == 100
    drill.next_turn(dice=[13, 1, 2, 3, 4])  # 13 fails against 14
    assert drill["cat.hp"] == 90
    drill.next_turn()
    drill.next_turn(dice=[14])
    assert (drill["cat.hp"], drill["cat.conditions"]) == (90, [])


def test_outlined_is_easy_to_hit_even_if_invisible() -> None:
    drill = cast("faerie_fire", "fire_bolt", at=(6, 2))
    drill.do("mila", "faerie_fire", to=(6, 2), dice=[5])
    drill.do("gm", "rule", target="cat", options={"add": ["invisible"], "reason": "a test"})
    round_on(drill)
    assert only(drill.do("mila", "fire_bolt", target="cat", dice=[2, 15, 5, 5]), AttackResolved).roll == 15


def test_blurred_is_hard_to_hit() -> None:
    drill = cast("blur", at=(2, 2))
    drill.do("mila", "blur", target="mila")
    drill.next_turn()
    drill.do("cat", "attack")
    assert only(drill.do("cat", "strike", target="mila", dice=[19, 2]), AttackResolved).roll == 2


@pytest.mark.parametrize(("spell", "ends"), [("invisibility", True), ("greater_invisibility", False)])
def test_invisibility_and_its_end(spell: str, ends: bool) -> None:
    drill = cast(spell, "fire_bolt")
    drill.do("mila", spell, target="mila")
    round_on(drill)
    drill.do("mila", "fire_bolt", target="cat", dice=[15, 5, 5] if ends else [15, 2, 5, 5])
    assert ("invisible" in drill["mila.conditions"]) is not ends


def test_light_is_like_a_torch() -> None:
    drill = cast("light")
    drill.do("mila", "light", target="mila")
    assert drill["mila.conditions"] == ["lit"]


def test_favored_adds_to_weapons() -> None:
    drill = cast("divine_favor", at=(2, 2))
    drill.do("mila", "divine_favor", target="mila")
    drill.do("mila", "attack")
    events = drill.do("mila", "strike", target="cat", weapon="quarterstaff", dice=[15, 4, 3])
    assert sum(part.amount for part in only(events, Damaged).parts if part.damage_type == "radiant") == 3


def test_branding_adds_to_one_hit() -> None:
    drill = cast("branding_smite", at=(2, 2))
    drill.do("mila", "branding_smite", target="mila")
    drill.do("mila", "attack")
    drill.do("mila", "strike", target="cat", weapon="quarterstaff", dice=[15, 4, 3, 3])
    assert (drill["cat.hp"], "branding" in drill["mila.conditions"]) == (100 - 4 - 6, False)


def test_marked_is_hurt_more_and_the_mark_moves_without_a_slot() -> None:
    drill = cast("hunters_mark", at=(2, 2))
    drill.do("mila", "hunters_mark", target="cat")
    drill.do("mila", "attack")
    drill.do("mila", "strike", target="cat", weapon="quarterstaff", dice=[15, 4, 6])
    assert (drill["cat.hp"], drill["mila.slot_1"]) == (90, 1)
    round_on(drill)
    drill.do("mila", "hunters_mark", target="cat")
    assert drill["mila.slot_1"] == 1


# Attacks


def test_inflict_wounds_and_scorching_ray() -> None:
    drill = cast("inflict_wounds", at=(2, 2))
    drill.do("mila", "inflict_wounds", target="cat", dice=[15, 5, 5, 5])
    assert drill["cat.hp"] == 85
    drill = cast("scorching_ray", at=(5, 2))
    events = drill.do("mila", "scorching_ray", target="cat", options={"slot": 3}, dice=[2, 2, 2, 15, 3, 3])
    assert (len(all_of(events, AttackResolved)), drill["cat.hp"]) == (4, 94)  # one ray more; the last hits


@pytest.mark.parametrize(("dice", "later", "left"), [([15, 1, 2, 3, 4], (2, 2), 86), ([2, 1, 2, 3, 4], (), 95)])
def test_acid_arrow_burns_on_or_splashes(dice: list[int], later: tuple[int, ...], left: int) -> None:
    drill = cast("acid_arrow")
    drill.do("mila", "acid_arrow", target="cat", dice=dice)
    round_on(drill, cat=later)
    assert drill["cat.hp"] == left  # 10 and 4, or half of 10


def test_vampiric_touch_heals_and_is_used_again() -> None:
    drill = cast("vampiric_touch", at=(2, 2))
    drill.do("gm", "rule", target="mila", options={"set": {"hp": 20}, "reason": "a test"})
    events = drill.do("mila", "vampiric_touch", target="cat", dice=[15, 5, 5, 3])
    assert (only(events, Healed).amount, drill["mila.slot_3"]) == (6, 1)  # half of 13
    round_on(drill)
    drill.do("mila", "vampiric_touch", target="cat", dice=[15, 5, 5, 3])
    assert (drill["mila.slot_3"], drill["mila.action"], drill["cat.hp"]) == (1, 0, 74)


def test_spiritual_weapon_floats_to_its_next_target() -> None:
    drill = cast("spiritual_weapon", at=(6, 2))
    drill.join(beast(hp=100), "Far", (11, 7), side="foes", dice=[1])
    drill.do("mila", "spiritual_weapon", target="cat", dice=[15, 5])
    assert (drill["cat.hp"], drill["mila.bonus_action"], drill["mila.slot_2"]) == (92, 0, 1)  # 5 + 3 of intelligence
    drill.next_turn()
    drill.next_turn()
    drill.next_turn()
    drill.do("mila", "spiritual_weapon", target="cat", dice=[15, 5])
    assert drill["mila.slot_2"] == 1


@pytest.mark.parametrize(
    ("spell", "said", "lasts"),
    [
        ("hunters_mark", {"target": "cat"}, True),  # up to an hour
        ("web", {"to": (9, 6)}, True),  # an hour
        ("spirit_guardians", {}, True),  # 10 minutes
        ("divine_favor", {"target": "mila"}, False),  # a minute
    ],
)
def test_concentration_lasts_as_long_as_the_spell(spell: str, said: dict[str, Any], lasts: bool) -> None:
    drill = cast(spell, at=(11, 7))
    drill.do("mila", spell, **said)
    for _ in range(10):  # a minute
        round_on(drill)
    assert ("concentrating" in drill["mila.conditions"]) is lasts


def test_concentration_ends_with_the_last_target_who_saves() -> None:
    """DC 14, and Cat adds nothing: 14 saves at once, and 13 does not."""
    drill = cast("hold_monster")
    drill.do("mila", "hold_monster", target="cat", dice=[14])
    assert drill["mila.conditions"] == []
    drill = cast("hold_monster")
    drill.do("mila", "hold_monster", target="cat", dice=[13])
    assert (drill["mila.conditions"], drill["cat.conditions"]) == (["concentrating"], ["paralyzed"])
    round_on(drill, cat=(13,))
    assert drill["mila.conditions"] == ["concentrating"]
    round_on(drill, cat=(14,))
    assert (drill["mila.conditions"], drill["cat.conditions"]) == ([], [])


def test_concentration_goes_on_for_the_targets_who_failed() -> None:
    drill = cast("slow")
    drill.join(beast(hp=100), "Dog", (4, 2), side="foes", dice=[1])
    drill.do("mila", "slow", target=("cat", "dog"), dice=[14, 13])
    assert (drill["mila.conditions"], drill["dog.conditions"]) == (["concentrating"], ["slowed"])


def test_spiritual_weapon_does_not_float_too_far() -> None:
    drill = cast("spiritual_weapon", at=(2, 2))
    drill.join(beast(hp=100), "Far", (8, 2), side="foes", dice=[1])
    drill.do("mila", "spiritual_weapon", target="cat", dice=[2])
    drill.next_turn()
    drill.next_turn()
    drill.next_turn()
    assert drill.refusal("mila", "spiritual_weapon", target="far").code == "spell/floats-too-far"  # 30 feet


def test_arcane_sword_takes_concentration() -> None:
    drill = cast("arcane_sword")
    drill.do("mila", "arcane_sword", target="cat", dice=[15, 5, 5, 5])
    assert (drill["cat.hp"], drill["mila.conditions"]) == (85, ["concentrating", "sustaining"])
    drill.do("gm", "rule", target="mila", options={"remove": ["concentrating"], "reason": "a test"})
    assert drill["mila.conditions"] == []


def test_flame_blade_is_drawn_and_then_strikes() -> None:
    drill = cast("flame_blade", at=(2, 2))
    drill.do("mila", "flame_blade", target="cat")
    assert drill["cat.hp"] == 100
    drill.do("mila", "flame_blade", target="cat", dice=[15, 2, 3, 4])
    assert (drill["cat.hp"], drill["mila.slot_2"]) == (91, 1)


# Areas that are used again


@pytest.mark.parametrize(
    ("spell", "slot", "damage", "left"),
    [("call_lightning", 3, [5, 5, 5], 85), ("sunbeam", 6, [5] * 6, 70)],
)
def test_areas_that_are_used_again(spell: str, slot: int, damage: list[int], left: int) -> None:
    drill = cast(spell, at=(5, 2))
    drill.do("mila", spell, to=(5, 2), dice=[*damage, 5])
    assert (drill["cat.hp"], drill[f"mila.slot_{slot}"]) == (left, 1)
    round_on(drill)
    drill.do("mila", spell, to=(5, 2), dice=[*damage, 5])
    assert (drill["cat.hp"], drill[f"mila.slot_{slot}"]) == (2 * left - 100, 1)


def test_call_lightning_keeps_its_slot_level() -> None:
    drill = cast("call_lightning", at=(5, 2))
    drill.do("mila", "call_lightning", to=(5, 2), options={"slot": 4}, dice=[1, 1, 1, 1, 5])
    round_on(drill)
    drill.do("mila", "call_lightning", to=(5, 2), dice=[1, 1, 1, 1, 5])
    assert (drill["cat.hp"], drill["mila.slot_3"], drill["mila.slot_4"]) == (92, 2, 1)


def test_sunburst_is_hard_on_the_undead() -> None:
    drill = cast("sunburst", at=(9, 2), creature_type="undead")
    drill.do("mila", "sunburst", to=(9, 5), dice=[1] * 12 + [20, 19, 5])  # Mila saves; the worse of two
    assert (drill["cat.hp"], drill["cat.conditions"]) == (88, ["blinded"])


def test_vitriolic_sphere_burns_on() -> None:
    drill = cast("vitriolic_sphere", at=(9, 5))
    drill.do("mila", "vitriolic_sphere", to=(9, 5), dice=[1] * 10 + [5])
    round_on(drill, cat=(1, 1, 1, 1, 1))
    assert drill["cat.hp"] == 85


# On the map


@pytest.mark.parametrize(
    ("spell", "turn_start", "turn_end", "left", "held"),
    [
        ("moonbeam", (5, 5, 5), (), 90, []),  # 10, and 5 + 1 fails
        ("cloudkill", (1, 1, 1, 1, 1, 5), (), 95, []),
        ("stinking_cloud", (5,), (), 100, []),
        ("web", (5,), (), 100, ["restrained"]),
        ("sleet_storm", (5,), (15, 14), 100, ["prone"]),  # Mila is in it, too, and 14 keeps her concentrating
        ("black_tentacles", (5, 2, 2, 2), (), 94, ["restrained"]),
        ("blade_barrier", (5, *[1] * 6), (), 94, []),
        ("flaming_sphere", (), (5, 2, 3), 95, []),
    ],
)
def test_zones(spell: str, turn_start: tuple[int, ...], turn_end: tuple[int, ...], left: int, held: list[str]) -> None:
    drill = cast(spell, at=(7, 4))
    dice = _save_first(spell, turn_start)
    drill.do("mila", spell, to=(7, 4))
    drill.next_turn(dice=dice)
    assert [name for name in drill["cat.conditions"] if name not in ("scathed", "retching")] == held
    if spell == "stinking_cloud":
        assert drill["cat.action"] == 0
    drill.next_turn(dice=turn_end)
    assert drill["cat.hp"] == left


def _save_first(spell: str, dice: tuple[int, ...]) -> tuple[int, ...]:
    """A zone asks for the save before the damage."""
    return (dice[-1], *dice[:-1]) if spell in ("moonbeam", "cloudkill") else dice


@pytest.mark.parametrize(
    ("spell", "at_once", "left", "held"),
    [
        ("insect_plague", (5, 1, 1, 1, 1), 96, []),
        ("grease", (5,), 100, ["prone"]),
        ("incendiary_cloud", (5, *[1] * 10), 90, []),
        ("wall_of_thorns", (5, *[1] * 7), 93, []),
    ],
)
def test_zones_that_strike_at_once(spell: str, at_once: tuple[int, ...], left: int, held: list[str]) -> None:
    drill = cast(spell, at=(7, 4))
    drill.do("mila", spell, to=(7, 4), dice=at_once)
    assert (drill["cat.hp"], [name for name in drill["cat.conditions"] if name != "scathed"]) == (left, held)


def test_web_is_difficult_and_can_be_escaped() -> None:
    drill = cast("web", at=(7, 4))
    drill.do("mila", "web", to=(7, 4))
    drill.next_turn(dice=[5])
    check = only(drill.do("cat", "escape", dice=[12]), CheckResolved)
    assert (check.total, check.against) == (14, 14)  # strength 14: +2
    assert drill["cat.conditions"] == ["scathed"]
    drill.do("cat", "move", to=(8, 4))
    assert drill["cat.movement"] == 20  # one step costs 10


def test_spike_growth_hurts_with_every_step() -> None:
    drill = cast("spike_growth", at=(7, 4))
    drill.do("mila", "spike_growth", to=(7, 4))
    drill.next_turn()
    drill.do("cat", "move", to=(9, 4), dice=[1, 2, 3, 4])
    assert (drill["cat.hp"], drill["cat.movement"]) == (90, 10)  # two steps at 10 feet each


def test_spirit_guardians_move_along_and_spare_friends() -> None:
    drill = cast("spirit_guardians", at=(7, 2))
    drill.do("mila", "spirit_guardians")
    drill.do("mila", "move", to=(4, 2))
    drill.next_turn(dice=[5, 2, 2, 2])  # Cat is 15 feet away and starts its turn there
    assert (drill["cat.hp"], drill["mila.hp"]) == (94, 60)
    drill.do("cat", "move", to=(8, 2))
    assert drill["cat.movement"] == 25


def test_moonbeam_is_moved_with_an_action() -> None:
    drill = cast("moonbeam", at=(7, 4))
    drill.do("mila", "moonbeam", to=(2, 7))
    round_on(drill)
    drill.do("mila", "moonbeam", to=(7, 4))
    assert (drill["mila.slot_2"], drill["mila.action"]) == (1, 0)
    drill.next_turn(dice=[5, 5, 5])
    assert drill["cat.hp"] == 90


def test_flaming_sphere_rams() -> None:
    drill = cast("flaming_sphere", at=(7, 4))
    drill.do("mila", "flaming_sphere", to=(4, 7))
    round_on(drill)
    assert drill.refusal("mila", "flaming_sphere", to=(11, 7)).code == "spell/moves-too-far"  # 35 feet
    drill.do("mila", "flaming_sphere", to=(7, 4), dice=[5, 3, 3])
    assert (drill["cat.hp"], drill["mila.slot_2"]) == (94, 1)


def test_clouds_drift_away_from_the_caster() -> None:
    drill = cast("cloudkill", at=(1, 7))
    drill.do("mila", "cloudkill", to=(5, 2))
    round_on(drill)
    zone = drill.fight.battle.combatants["mila"].conditions["dnd5e:condition:zone"]
    assert zone.data["at"] == [7, 2]


def test_retching_takes_the_action() -> None:
    drill = cast("stinking_cloud", at=(7, 4))
    drill.do("mila", "stinking_cloud", to=(7, 4))
    events = drill.next_turn(dice=[5])
    assert (only(events, SaveResolved).success, drill["cat.action"]) == (False, 0)


def test_sustaining_ends_with_concentration() -> None:
    drill = cast("call_lightning", at=(5, 2))
    drill.do("mila", "call_lightning", to=(5, 2), dice=[1, 1, 1, 5])
    assert drill["mila.conditions"] == ["concentrating", "sustaining"]
    drill.do("gm", "rule", target="mila", options={"add": ["stunned"], "reason": "a test"})
    assert drill["mila.conditions"] == ["stunned"]


COVERED = (
    {
        argument.values[0] if hasattr(argument, "values") else argument[0]
        for table in (
            test_spells_that_afflict,
            test_zones,
            test_zones_that_strike_at_once,
            test_areas_that_are_used_again,
        )
        for mark in table.pytestmark  # type: ignore[attr-defined]
        for argument in mark.args[1]
    }
    | {"light", "blur", "divine_favor", "branding_smite", "hunters_mark", "inflict_wounds", "scorching_ray"}
    | {
        "invisibility",
        "greater_invisibility",
    }
)
"""The spells that the tables above try, and those whose test is named after what they do."""
