"""Spells that turn harm aside, lead elsewhere, or decide by hit points alone. Numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.testing import Drill, all_of, only
from ledger.events import AttackResolved, ConditionApplied, Damaged, Healed, SaveResolved
from tests.rules.dnd5e.test_creature_powers import ROOM, beast
from tests.rules.dnd5e.test_lasting_spells import SLOTS, cast, round_on


def struck(drill: Drill, *dice: int) -> list[Any]:
    """Cat's turn comes, and it claws at Mila: +4 against AC 12, 1d6+2."""
    drill.next_turn()
    drill.do("cat", "attack")
    return list(drill.do("cat", "strike", target="mila", dice=dice))


# Attacks that come to nothing


def test_sanctuary_costs_attacks_that_fail_a_wisdom_save() -> None:
    drill = cast("sanctuary", at=(2, 2))
    drill.do("mila", "sanctuary", target="mila")
    events = struck(drill, 13)  # DC 14
    assert (all_of(events, AttackResolved), only(events, SaveResolved).success) == ([], False)
    drill.next_turn()
    assert only(struck(drill, 14, 10, 3), Damaged).amount == 5


def test_sheltered_ends_with_an_attack_of_its_own() -> None:
    drill = cast("sanctuary", "fire_bolt", at=(2, 2))
    drill.do("mila", "sanctuary", target="mila")
    drill.do("mila", "fire_bolt", target="cat", dice=[2, 1])
    assert drill["mila.conditions"] == []


def test_sheltered_ends_with_a_weapon_attack() -> None:
    drill = cast("sanctuary", at=(2, 2))
    drill.do("mila", "sanctuary", target="mila")
    drill.do("mila", "melee_attack", target="cat", weapon="unarmed strike", dice=[2])
    assert drill["mila.conditions"] == []


def test_sheltered_outlasts_spells_that_affect_no_enemy() -> None:
    drill = cast("sanctuary", "healing_word", "false_life", at=(2, 2))
    drill.do("mila", "sanctuary", target="mila")
    round_on(drill)
    drill.do("mila", "healing_word", target="mila", dice=[3])
    assert drill["mila.conditions"] == ["sheltered"]


def test_invisibility_ends_with_a_spell_cast_as_a_reaction() -> None:
    """Cat rolls with disadvantage: 9 + 4 hits AC 12, but not 17."""
    drill = Drill(map=ROOM)
    overrides = {"ac": 12, "spells": ["invisibility", "shield"], "slots": SLOTS}
    drill.join("wizard", "Mila", (1, 2), overrides=overrides)
    drill.join(beast(), "Cat", (2, 2), side="foes")
    drill.start(dice=[20, 1])
    drill.do("mila", "invisibility", target="mila")
    drill.next_turn()
    drill.do("cat", "attack")
    events = drill.do("cat", "strike", target="mila", dice=[9, 15], replies={"mila": "shield"})
    assert (only(events, AttackResolved).hit, drill["mila.conditions"]) == (False, ["shielded"])


def test_sanctuary_costs_spells_too() -> None:
    drill = cast("hold_monster", at=(4, 2), creature_type="humanoid")
    drill.do("gm", "rule", target="cat", options={"add": ["sheltered"], "reason": "a test"})  # DC 10 then
    events = drill.do("mila", "hold_monster", target="cat", dice=[6])  # 6 + 3
    assert (only(events, SaveResolved).saver, drill["cat.conditions"]) == ("mila", ["sheltered"])


@pytest.mark.parametrize(
    ("images", "shown", "is_mila"), [(3, 5, True), (3, 6, False), (2, 7, True), (2, 8, False), (1, 10, True)]
)
def test_mirror_image_draws_attacks(images: int, shown: int, is_mila: bool) -> None:
    drill = cast("mirror_image", at=(2, 2))
    drill.do("mila", "mirror_image", target="mila")
    for _ in range(3 - images):
        struck(drill, 20, 6)  # 6 + 4 hits an image: its AC is 10, as Mila's dexterity adds nothing
        drill.next_turn()
    hit = all_of(struck(drill, shown, 10, *([3] if is_mila else [])), AttackResolved)
    assert bool(hit) is is_mila


def test_mirrored_is_over_with_the_third_image() -> None:
    drill = cast("mirror_image", at=(2, 2))
    drill.do("mila", "mirror_image", target="mila")
    for dice in [(6, 6), (8, 5), (8, 6), (11, 6)]:  # 5 + 4 misses the image
        struck(drill, *dice)
        drill.next_turn()
    assert drill["mila.conditions"] == []


def test_mirror_image_does_not_fool_blindsight() -> None:
    drill = cast("mirror_image", at=(2, 2), senses={"blindsight": 30})
    drill.do("mila", "mirror_image", target="mila")
    assert only(struck(drill, 10, 3), AttackResolved).hit


def test_blink_takes_its_caster_away_every_other_turn() -> None:
    drill = cast("blink", "burning_hands", at=(2, 2))
    drill.do("mila", "blink", target="mila")
    drill.next_turn(dice=[11])
    drill.do("cat", "attack")
    assert drill.refusal("cat", "strike", target="mila").code == "target/cut-off"
    drill.next_turn()
    assert drill["mila.conditions"] == ["blinking"]
    drill.next_turn(dice=[10])
    drill.do("cat", "attack")
    assert only(drill.do("cat", "strike", target="mila", dice=[10, 3]), AttackResolved).hit


def test_ethereal_is_out_of_reach_of_areas() -> None:
    drill = cast("burning_hands", at=(3, 2))
    drill.do("gm", "rule", target="cat", options={"add": ["ethereal"], "reason": "a test"})
    drill.do("mila", "burning_hands", to=(2, 2))
    assert drill["cat.hp"] == 100


def test_blinking_is_rolled_for_at_the_end_of_a_turn() -> None:
    drill = cast("blink", at=(2, 2))
    drill.do("mila", "blink", target="mila")
    drill.next_turn(dice=[11])
    assert "ethereal" in drill["mila.conditions"]


# What keeps away whom


@pytest.mark.parametrize(("kind", "roll"), [("undead", 2), ("beast", 19)])
def test_protection_from_evil_and_good_hampers_outsiders(kind: str, roll: int) -> None:
    drill = cast("protection_from_evil_and_good", at=(2, 2), creature_type=kind)
    drill.do("mila", "protection_from_evil_and_good", target="mila")
    faces = [19, 2] if kind == "undead" else [19, 3, 20]  # Mila keeps concentrating
    assert only(struck(drill, *faces), AttackResolved).roll == roll


@pytest.mark.parametrize(("kind", "held"), [("fiend", []), ("beast", ["frightened"])])
def test_guarded_is_not_frightened_by_outsiders(kind: str, held: list[str]) -> None:
    roar = {"name": "roar", "archetype": "affliction", "condition": "frightened", "save": "wis", "dc": 15, "range": 60}
    drill = cast("protection_from_evil_and_good", at=(4, 2), creature_type=kind, actions=[roar])
    drill.do("mila", "protection_from_evil_and_good", target="mila")
    drill.next_turn()
    drill.do("cat", "roar", target="mila", dice=[5])
    assert [name for name in drill["mila.conditions"] if name == "frightened"] == held


def test_holy_aura_hampers_attacks_and_blinds_fiends() -> None:
    drill = cast("holy_aura", at=(2, 2), creature_type="fiend")
    drill.do("mila", "holy_aura", target="mila")
    events = struck(drill, 19, 15, 3, 20, 9, 12)  # the lower of 19 and 15 hits; Mila keeps concentrating; 12 + 1 fails
    assert (only(events, AttackResolved).roll, drill["cat.conditions"]) == (15, ["blinded"])


def test_haloed_saves_with_advantage() -> None:
    roar = {"name": "roar", "archetype": "affliction", "condition": "frightened", "save": "wis", "dc": 15, "range": 60}
    drill = cast("holy_aura", at=(4, 2), actions=[roar])
    drill.do("mila", "holy_aura", target="mila")
    drill.next_turn()
    assert only(drill.do("cat", "roar", target="mila", dice=[3, 15]), SaveResolved).success


def test_beacon_of_hope_heals_as_much_as_the_dice_can_show() -> None:
    drill = cast("beacon_of_hope", "cure_wounds", at=(6, 2))
    drill.do("gm", "hurt", target="mila", options={"amount": 30, "type": "cold", "reason": "a test"})
    drill.do("mila", "beacon_of_hope", target="mila")
    round_on(drill)
    healed = only(drill.do("mila", "cure_wounds", target="mila"), Healed)
    assert healed.amount == 11  # 8 and 3, without a roll


def test_hopeful_makes_wisdom_and_death_saves_with_advantage() -> None:
    drill = cast("beacon_of_hope", at=(6, 2))
    drill.do("gm", "rule", target="mila", options={"add": ["hopeful"], "set": {"hp": 0}, "reason": "a test"})
    drill.next_turn()
    drill.next_turn(dice=[4, 10])
    assert only(all_of(drill.outcome.events, SaveResolved), SaveResolved).success


# Curses


def test_hex_adds_necrotic_damage_and_hampers_one_abilitys_checks() -> None:
    drill = cast("hex", "fire_bolt", at=(3, 2))
    drill.do("mila", "hex", target="cat", options={"ability": "dex"})
    hurt = only(drill.do("mila", "fire_bolt", target="cat", dice=[10, 5, 6, 4]), Damaged)
    assert [(part.amount, part.damage_type) for part in hurt.parts] == [(11, "fire"), (4, "necrotic")]
    assert drill.battle.combatants["cat"].conditions["dnd5e:condition:hexed"].data["ability"] == "dex"


def test_hexed_is_worse_at_checks_with_the_chosen_ability() -> None:
    drill = cast("hex", at=(2, 2))
    drill.do("mila", "hex", target="cat", options={"ability": "str"})
    drill.do("mila", "attack")
    events = drill.do("mila", "grapple", target="cat", dice=[10, 19, 2])  # Cat resists with the lower die
    assert "grappled" in drill["cat.conditions"], events


def test_flesh_to_stone_takes_three_saves_of_a_kind() -> None:
    drill = cast("flesh_to_stone")
    drill.do("mila", "flesh_to_stone", target="cat", dice=[5])
    for rolled in (5, 19, 5):
        drill.next_turn()
        assert drill["cat.conditions"] == ["restrained"]
        drill.next_turn(dice=[rolled])
    assert drill["cat.conditions"] == ["restrained"]  # one success, two failures
    drill.next_turn()
    drill.next_turn(dice=[5])
    assert drill["cat.conditions"] == ["petrified"]


def test_flesh_to_stone_ends_with_the_third_success() -> None:
    drill = cast("flesh_to_stone")
    drill.do("mila", "flesh_to_stone", target="cat", dice=[5])
    for _ in range(3):
        drill.next_turn()
        drill.next_turn(dice=[19])
    assert drill["cat.conditions"] == []


# Power words

KILL = {"name": "word_of_death", "archetype": "power_word", "level": 9, "range": 60, "hit_points": 100}
STUN = {
    "name": "word_of_awe", "archetype": "power_word", "level": 8, "range": 60, "hit_points": 100,
    "condition": "stunned", "save": "con", "otherwise": "transfixed",
}  # fmt: skip


@pytest.mark.parametrize(("hp", "left", "dice"), [(100, 100, ()), (101, 94, (1, 2, 4))])
def test_a_power_word_kills_whoever_has_few_enough_hit_points(hp: int, left: int, dice: tuple[int, ...]) -> None:
    drill = Drill(map=ROOM)
    word = {**KILL, "damage": "3d12", "damage_type": "psychic"}
    drill.join("wizard", "Mila", (1, 2), overrides={"level": 17, "spells": [word], "slots": SLOTS})
    drill.join(beast(hp=hp), "Cat", (4, 2), side="foes")
    drill.start(dice=[20, 1])
    drill.do("mila", "word_of_death", target="cat", dice=dice)
    assert (drill["cat.hp"], drill["cat.conditions"]) == (left, [] if dice else ["dead"])


def test_a_power_word_stuns_until_a_save_succeeds() -> None:
    drill = cast(STUN)  # type: ignore[arg-type]
    drill.do("mila", "word_of_awe", target="cat")
    drill.next_turn()
    drill.next_turn(dice=[12])  # 12 + 1 against 14
    assert drill["cat.conditions"] == ["stunned"]
    drill.next_turn()
    drill.next_turn(dice=[13])
    assert drill["cat.conditions"] == []


def test_transfixed_are_those_with_too_many_hit_points() -> None:
    drill = cast({**STUN, "hit_points": 99})  # type: ignore[arg-type]
    drill.do("mila", "word_of_awe", target="cat")
    drill.next_turn()
    assert (drill["cat.conditions"], drill["cat.movement"]) == (["transfixed"], 0)
    drill.next_turn()
    assert drill["cat.conditions"] == []


# On the map


def test_dimension_door_leads_out_of_sight_and_takes_a_friend_along() -> None:
    drill = Drill(map=["...#....", "...#....", "...#...."])
    drill.join("wizard", "Mila", (0, 0), overrides={"level": 7, "spells": ["dimension_door"], "slots": SLOTS})
    drill.join("fighter", "Rurik", (1, 0))
    drill.join(beast(), "Cat", (0, 2), side="foes", reactions={"*": "never"})
    drill.start(dice=[20, 10, 1])
    assert drill.refusal("mila", "dimension_door", target="cat", to=(6, 1)).code == "spell/companion"
    drill.do("mila", "dimension_door", target="rurik", to=(6, 1))
    assert drill["mila.position"] == (6, 1)
    x, y = drill["rurik.position"]
    assert max(abs(x - 6), abs(y - 1)) == 1


def test_sleet_storm_unsettles_whoever_concentrates() -> None:
    drill = cast("sleet_storm", at=(11, 2))
    drill.do("mila", "sleet_storm", to=(2, 2))
    drill.next_turn(dice=[])
    drill.next_turn(dice=[15, 13])  # at her next turn Mila keeps her feet with 15; 13 + 0 is below 14
    assert "concentrating" not in drill["mila.conditions"]


def test_guardian_of_faith_deals_20_and_vanishes_after_60() -> None:
    drill = cast("guardian_of_faith", at=(3, 2))
    drill.do("mila", "guardian_of_faith", to=(5, 2))
    hp = []
    for rolled in (5, 19, 5, 5):  # 20, 10, 20 and 20: after 50 it deals once more
        drill.next_turn(dice=[rolled])
        hp.append(drill["cat.hp"])
        drill.next_turn()
    drill.next_turn()
    assert (hp, drill["cat.hp"], drill["mila.conditions"]) == ([80, 70, 50, 30], 30, [])


def test_blade_barrier_is_cover_for_those_behind_it() -> None:
    drill = Drill(map=ROOM)
    drill.join("wizard", "Mila", (5, 0), overrides={"level": 11, "spells": ["blade_barrier"], "slots": SLOTS})
    drill.join(beast(hp=100), "Cat", (2, 4), side="foes", reactions={"*": "never"})
    drill.join("fighter", "Rurik", (8, 4), overrides={"weapons": ["longbow"]}, reactions={"*": "never"})
    drill.start(dice=[20, 1, 10])
    drill.do("mila", "blade_barrier", to=(5, 1))  # a line straight down
    drill.next_turn()
    shot = only(drill.do("rurik", "ranged_attack", target="cat", weapon="longbow", dice=[2]), AttackResolved)
    assert shot.against == 17  # 12 and three-quarters cover


def test_the_new_conditions_say_who_caused_them() -> None:
    drill = cast("hex")
    applied = all_of(drill.do("mila", "hex", target="cat"), ConditionApplied)
    assert ("dnd5e:condition:hexed", "mila") in [(one.condition, one.owner) for one in applied]
