"""One row or test for each feature: what it contributes to which chain or grants, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from combatlog.rules.dnd5e.pieces import Ability, Action, Feature, pieces_of
from combatlog.testing import Drill, all_of, only
from ledger.events import (
    AttackResolved,
    ChainModified,
    Damaged,
    Healed,
    ResourceChanged,
    Rolled,
    SaveResolved,
)
from tests.rules.dnd5e import (
    test_aftermaths,
    test_bodies,
    test_class_features,
    test_creature_powers,
    test_delay,
    test_forced_movement,
    test_reactions,
    test_sneak_attack,
)
from tests.rules.dnd5e.importing import test_known_traits
from tests.rules.dnd5e.used_in_scenarios import SCENARIOS, in_scenarios


@dataclass(frozen=True)
class Row:
    """An attack of Rurik's (a fighter: +5 and 1d8+3 with the longsword) on an orc of AC 13 with 60 hit points."""

    feature: str
    weapon: str
    dice: Sequence[int]
    contribution: tuple[str, str, int | None]
    total: int
    damage: int
    at: tuple[int, int] = (2, 1)
    overrides: dict[str, Any] = field(default_factory=dict)
    critical: bool = False


FAR = (6, 1)
SCORES = {"str": 14, "dex": 14, "con": 14, "int": 10, "wis": 12, "cha": 16}
ROWS = [
    # dexterity 14: 10 + 2 + 2 and 2 of the style
    Row("archery", "longbow", (10, 5), ("attack", "bonus", 2), 16, 7, at=FAR),
    Row("dueling", "longsword", (10, 5), ("damage", "bonus", 2), 15, 10),
    # 1 and 5, the 1 again is a 4: 9 and 3
    Row("great_weapon_fighting", "greatsword", (10, 1, 5, 4), ("damage", "flag", None), 15, 12),
    Row("improved_critical", "longsword", (19, 5, 6), ("attack", "critical_from", 19), 24, 14, critical=True),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.feature)
def test_feature_contributes_to_its_owners_attack(row: Row) -> None:
    drill = Drill()
    weapons = ["longsword", "longbow", "greatsword"]
    drill.join("fighter", "Rurik", (1, 1), overrides={"weapons": weapons, "features": [row.feature]})
    drill.join("orc", "Ugh", row.at, side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    events = drill.do("rurik", "strike", target="ugh", weapon=row.weapon, dice=row.dice)
    (own,) = [e for e in all_of(events, ChainModified) if e.source == f"dnd5e:feature:{row.feature}"]
    resolved = only(events, AttackResolved)
    assert (own.chain, own.change.op.value, own.change.amount) == row.contribution
    assert (own.owner, own.stage) == ("rurik", "features")
    assert (resolved.total, resolved.critical, resolved.hit) == (row.total, row.critical, True)
    assert only(events, Damaged).amount == row.damage


def test_great_weapon_fighting_keeps_every_face_on_record() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1), overrides={"weapons": ["greatsword"], "features": ["great_weapon_fighting"]})
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    events = drill.do("rurik", "strike", target="ugh", dice=(10, 2, 1, 6, 1))
    rolls = {roll.purpose: roll.faces for roll in all_of(events, Rolled)}
    assert rolls == {"attack": (10,), "damage": (2, 1), "great_weapon_fighting": (6, 1)}
    parts = [(part.source, part.amount) for part in only(events, Damaged).parts]
    assert parts == [
        ("dnd5e:weapon:greatsword", 3),
        ("dnd5e:feature:great_weapon_fighting", 4),
        ("dnd5e:score:str", 3),
    ]


@pytest.mark.parametrize(("armor", "against", "hit"), [("heavy", 17, False), ("none", 16, True)])
def test_defense_adds_to_armour_class_in_armour(armor: str, against: int, hit: bool) -> None:
    drill = Drill()
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.join("fighter", "Rurik", (1, 1), overrides={"features": ["defense"], "armor": armor})
    drill.start(dice=[20, 1])
    drill.do("snig", "attack")
    events = drill.do("snig", "strike", target="rurik", dice=(12, 1) if hit else (12,))
    resolved = only(events, AttackResolved)
    assert (resolved.total, resolved.against, resolved.hit) == (16, against, hit)


@pytest.mark.parametrize(
    ("beside", "mode", "dice"), [((2, 2), "advantage", (3, 15, 1, 1, 20)), ((9, 9), "normal", (3,))]
)
def test_pack_tactics_needs_one_of_the_pack_beside_the_target(
    beside: tuple[int, int], mode: str, dice: Sequence[int]
) -> None:
    drill = Drill()
    drill.join("wolf", "Grey", (3, 1), side="foes")
    drill.join("wolf", "White", beside, side="foes")
    drill.join("fighter", "Rurik", (2, 1))
    drill.start(dice=[20, 10, 1])
    drill.do("grey", "attack")
    events = drill.do("grey", "strike", target="rurik", dice=dice)
    assert all_of(events, Rolled)[0].mode == mode


def test_pack_tactics_do_not_count_neutral_bystanders() -> None:
    drill = Drill()
    drill.join("wolf", "Grey", (3, 1), side="foes")
    drill.join("wolf", "Stray", (2, 2), side="neutral")
    drill.join("fighter", "Rurik", (2, 1))
    drill.start(dice=[20, 10, 1])
    drill.do("grey", "attack")
    assert all_of(drill.do("grey", "strike", target="rurik", dice=[3]), Rolled)[0].mode == "normal"


def test_extra_attack_buys_two_attacks() -> None:
    drill = Drill()
    drill.join("barbarian", "Korg", (1, 1))
    drill.start(dice=[20])
    drill.do("korg", "attack")
    assert (drill["korg.attacks"], drill["korg.granted"]) == (2, ["strike", "strike"])


def test_multiattack_of_a_creature_buys_its_number() -> None:
    drill = Drill()
    drill.join("bandit_captain", "Black Jack", (1, 1), side="foes")
    drill.start(dice=[20])
    drill.do("black-jack", "attack")
    assert drill["black-jack.attacks"] == 3


def test_rage_adds_damage_and_halves_that_of_weapons() -> None:
    drill = Drill()
    drill.join("barbarian", "Korg", (1, 1))
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 1])
    drill.do("korg", "rage")
    assert (drill["korg.bonus_action"], drill["korg.rage"], drill["korg.conditions"]) == (0, 2, ["raging"])
    drill.do("korg", "attack")
    events = drill.do("korg", "strike", target="ugh", dice=(10, 7))
    assert [(part.source, part.amount) for part in only(events, Damaged).parts] == [
        ("dnd5e:weapon:greataxe", 7),
        ("dnd5e:score:str", 4),
        ("dnd5e:condition:raging", 2),
    ]
    drill.next_turn()
    events = drill.do("ugh", "melee_attack", target="korg", dice=(15, 8))
    assert [(part.source, part.amount) for part in only(events, Damaged).parts] == [
        ("dnd5e:weapon:greataxe", 8),
        ("dnd5e:score:str", 3),
        ("dnd5e:condition:raging", -6),  # 11 halved, rounded down
    ]
    assert drill["korg.hp"] == 50


def test_rage_lasts_while_there_is_a_fight() -> None:
    drill = Drill()
    drill.join("barbarian", "Korg", (1, 1))
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 1])
    drill.do("korg", "rage")
    drill.do("korg", "melee_attack", target="ugh", dice=(2,))  # a miss will do
    drill.next_turn()
    assert drill["korg.conditions"] == ["raging"]
    drill.next_turn()
    drill.next_turn()
    assert drill["korg.conditions"] == []


@pytest.mark.parametrize(("armor", "dealt", "taken"), [("heavy", 7, 8), ("medium", 9, 4)])
def test_rage_in_heavy_armour_brings_no_benefits(armor: str, dealt: int, taken: int) -> None:
    """Korg has strength 14: 1d12+2 with the greataxe, and 2 for the rage. Ugh's greataxe deals 1d12+3."""
    drill = Drill()
    told = {"armor": armor, "hp": 30, "ac": 10, "level": 1, "weapons": ["greataxe"], "abilities": SCORES}
    drill.join("barbarian", "Korg", (1, 1), overrides=told)
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"hp": 60}, reactions={"*": "never"})
    drill.start(dice=[20, 1])
    drill.do("korg", "rage")
    drill.do("korg", "attack")
    assert only(drill.do("korg", "strike", target="ugh", dice=(15, 5)), Damaged).amount == dealt
    drill.next_turn()
    drill.do("ugh", "attack")
    assert only(drill.do("ugh", "strike", target="korg", weapon="greataxe", dice=(15, 5)), Damaged).amount == taken
    assert drill["korg.conditions"] == ["raging"]


def test_reckless_attack_gives_and_takes_advantage() -> None:
    drill = Drill()
    drill.join("barbarian", "Korg", (1, 1))
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 1])
    drill.do("korg", "reckless_attack")
    drill.do("korg", "attack")
    events = drill.do("korg", "strike", target="ugh", dice=(4, 17, 1))
    assert only(events, AttackResolved).roll == 17
    drill.next_turn()
    events = drill.do("ugh", "melee_attack", target="korg", dice=(2, 3))
    assert all_of(events, Rolled)[0].faces == (2, 3)
    drill.next_turn()
    assert drill["korg.conditions"] == []


def test_reckless_attack_is_decided_before_the_first_attack() -> None:
    drill = Drill()
    drill.join("barbarian", "Korg", (1, 1))
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 1])
    drill.do("korg", "attack")
    drill.do("korg", "strike", target="ugh", dice=(2,))
    assert drill.refusal("korg", "reckless_attack").code == "reckless-attack/too-late"


def test_second_wind_heals_once() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.start(dice=[20])
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": 3}, "reason": "hurt"})
    healed = only(drill.do("rurik", "second_wind", dice=(6,)), Healed)
    assert (healed.amount, drill["rurik.hp"], drill["rurik.bonus_action"]) == (7, 10, 0)  # 1d10 and level 1
    drill.next_turn()
    assert drill.refusal("rurik", "second_wind").code == "economy/no-second-wind-left"


def test_dueling_does_not_help_spells() -> None:
    """Shocking Grasp is a melee attack, but with no weapon: 1d8 alone."""
    drill = Drill()
    told = {"level": 1, "spells": ["shocking_grasp"], "spellcasting": "int", "features": ["dueling"]}
    drill.join("fighter", "Rurik", (1, 1), overrides=told)
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 1])
    assert only(drill.do("rurik", "shocking_grasp", target="ugh", dice=(19, 5)), Damaged).amount == 5


def test_action_surge_gives_one_action_more() -> None:
    drill = Drill()
    drill.join("dual_wielder", "Rurik", (1, 1))
    drill.start(dice=[20])
    drill.do("rurik", "dodge")
    events = drill.do("rurik", "action_surge")
    changes = [(e.resource, e.before, e.after) for e in all_of(events, ResourceChanged)]
    assert changes == [("action_surge", 1, 0), ("action", 0, 1)]


def test_action_surge_has_two_uses_at_level_17_but_one_a_turn() -> None:
    drill = Drill()
    drill.join("dual_wielder", "Rurik", (1, 1), overrides={"level": 17})
    drill.start(dice=[20])
    assert drill["rurik.action_surge"] == 2
    drill.do("rurik", "action_surge")
    assert drill.refusal("rurik", "action_surge").code == "action-surge/once-a-turn"
    drill.next_turn()
    drill.do("rurik", "action_surge")
    assert (drill["rurik.action_surge"], drill["rurik.action"]) == (0, 2)


def test_patient_defense_dodges_for_ki() -> None:
    drill = Drill()
    drill.join("monk", "Ilka", (1, 1))
    drill.start(dice=[20])
    drill.do("ilka", "patient_defense")
    assert (drill["ilka.ki"], drill["ilka.bonus_action"], drill["ilka.conditions"]) == (4, 0, ["dodging"])
    assert drill["ilka.action"] == 1


@pytest.mark.parametrize(("manner", "movement", "conditions"), [("dash", 80, []), ("disengage", 40, ["disengaging"])])
def test_step_of_the_wind_dashes_or_disengages(manner: str, movement: int, conditions: list[str]) -> None:
    drill = Drill()
    drill.join("monk", "Ilka", (1, 1))
    drill.start(dice=[20])
    drill.do("ilka", "step_of_the_wind", options={"as": manner})
    assert (drill["ilka.movement"], drill["ilka.conditions"], drill["ilka.ki"]) == (movement, conditions, 4)


def test_flurry_of_blows_without_ki_is_refused() -> None:
    drill = Drill()
    drill.join("monk", "Ilka", (1, 1))
    drill.start(dice=[20])
    drill.do("gm", "rule", target="ilka", options={"set": {"ki": 0}, "reason": "spent"})
    drill.do("ilka", "attack")
    assert drill.refusal("ilka", "flurry_of_blows").code == "economy/no-ki-left"


@pytest.mark.parametrize(("features", "damage"), [(["extra_attack"], 5), (["two_weapon_fighting"], 9)])
def test_two_weapon_fighting_adds_the_modifier_to_the_off_hand(features: list[str], damage: int) -> None:
    drill = Drill()
    drill.join("dual_wielder", "Rurik", (1, 1), overrides={"features": features})
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="ugh", dice=(2,))
    events = drill.do("rurik", "off_hand_strike", target="ugh", dice=(15, 5))
    assert only(events, Damaged).amount == damage


@pytest.mark.parametrize(
    ("weapon", "granted"),
    [("shortsword", ["off_hand_strike"]), ("longbow", []), ("scimitar", [])],
    ids=["light in the main hand", "not light", "the off hand itself"],
)
def test_dual_wielding_grants_off_hand_strike_after_a_light_main_hand_strike(weapon: str, granted: list[str]) -> None:
    drill = Drill()
    drill.join("dual_wielder", "Rurik", (1, 1), overrides={"features": []})
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="ugh", weapon=weapon, dice=(2, 2) if weapon == "longbow" else (2,))
    assert drill["rurik.granted"] == granted


@pytest.mark.parametrize(("weapons", "granted"), [(["handaxe", "handaxe"], True), (["handaxe", "dart"], False)])
def test_dual_wielding_counts_a_thrown_light_weapon(weapons: list[str], granted: bool) -> None:
    """A handaxe is thrown 15 feet far. The second one can follow, but with none in the other hand nothing does."""
    drill = Drill(map=["." * 12] * 3)
    told = {"weapons": weapons, "off_hand": "handaxe", "features": [], "shield": False}
    drill.join("dual_wielder", "Rurik", (1, 1), overrides=told)
    drill.join("orc", "Ugh", (4, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="ugh", weapon="handaxe", dice=(2,))
    assert ("off_hand_strike" in drill["rurik.granted"]) is granted
    if granted:
        events = drill.do("rurik", "off_hand_strike", target="ugh", dice=(19, 5))
        assert only(events, Damaged).amount == 5


@pytest.mark.parametrize(
    ("dice", "hp", "conditions"),
    [((10, 5, 6), 1, []), ((10, 5, 5), 0, ["dead"])],
    ids=["save of 9 + 3 against 13", "save of 8"],
)
def test_undead_fortitude_leaves_one_hit_point(dice: Sequence[int], hp: int, conditions: list[str]) -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("zombie", "Mort", (2, 1), side="foes", overrides={"hp": 4})
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    attack, weapon, save = dice
    events = drill.do("rurik", "strike", target="mort", dice=(attack, weapon, save + 4))  # 8 damage: DC 13
    assert only(events, SaveResolved).against == 13
    assert (drill["mort.hp"], drill["mort.conditions"]) == (hp, conditions)


def test_undead_fortitude_does_not_help_against_a_critical_hit() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("zombie", "Mort", (2, 1), side="foes", overrides={"hp": 4})
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    events = drill.do("rurik", "strike", target="mort", dice=(20, 1, 1))
    assert all_of(events, SaveResolved) == []
    assert drill["mort.conditions"] == ["dead"]


def test_potion_of_healing_restores_2d4_and_2_once() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1), overrides={"features": ["potion_of_healing"], "hp": 12})
    drill.join("goblin", "Snig", (9, 9), side="foes")
    drill.start(dice=[20, 1])
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": 1}, "reason": "a trap"})
    drill.do("rurik", "potion_of_healing", target="rurik", dice=(3, 4))
    assert (drill["rurik.hp"], drill["rurik.action"], drill["rurik.potion_of_healing"]) == (10, 0, 0)


def test_worn_armor_that_makes_noise_hampers_stealth() -> None:
    drill = Drill()
    drill.join("rogue", "Vex", None, overrides={"armor": "scale mail"})
    drill.join("orc", "Ugh", None, side="foes")
    drill.start(dice=[20, 1])
    events = drill.do("vex", "hide", dice=(15, 6))
    assert all_of(events, Rolled)[0].mode == "disadvantage"


def test_danger_sense_gives_advantage_on_dexterity_saves() -> None:
    drill = Drill()
    drill.join("barbarian_3", "Grum", (3, 1))
    drill.join("wizard", "Malo", (1, 1), side="foes")
    drill.start(dice=[1, 20])
    events = drill.do("malo", "burning_hands", to=(2, 1), dice=(1, 1, 1, 4, 15))
    assert only(events, SaveResolved).total == 15 + 2


@pytest.mark.parametrize("condition", ["blinded", "deafened", "incapacitated"])
def test_danger_sense_needs_eyes_ears_and_wits(condition: str) -> None:
    drill = Drill()
    drill.join("barbarian_3", "Grum", (3, 1))
    drill.join("wizard", "Malo", (1, 1), side="foes")
    drill.start(dice=[1, 20])
    drill.do("gm", "rule", target="grum", options={"add": [condition], "reason": "a test"})
    events = drill.do("malo", "burning_hands", to=(2, 1), dice=(1, 1, 1, 4))
    assert only(events, SaveResolved).total == 4 + 2


def speed_of(sheet: str, **overrides: Any) -> int:
    drill = Drill()
    trained = {"armor_proficiencies": ["light", "medium", "heavy", "shields"]}
    drill.join(sheet, "Runner", (1, 1), overrides={**trained, **overrides})
    drill.join("orc", "Ugh", (9, 9), side="foes")
    drill.start(dice=[20, 1])
    return int(drill["runner.movement"])


def test_fast_movement_adds_10_feet() -> None:
    assert (speed_of("barbarian_3"), speed_of("barbarian_5")) == (30, 40)
    assert (speed_of("barbarian_5", armor="medium", ac=15), speed_of("barbarian_5", armor="heavy", ac=17)) == (40, 30)


def test_unarmored_movement_adds_10_feet() -> None:
    assert (speed_of("monk_1"), speed_of("monk_3")) == (30, 40)


@pytest.mark.parametrize(
    ("level", "feet"), [(5, 40), (6, 45), (9, 45), (10, 50), (13, 50), (14, 55), (17, 55), (18, 60), (20, 60)]
)
def test_unarmored_movement_grows_with_the_level(level: int, feet: int) -> None:
    assert speed_of("monk_5", level=level) == feet


def test_unarmored_movement_needs_no_armour_and_no_shield() -> None:
    assert (speed_of("monk_5", shield=True), speed_of("monk_5", armor="light", ac=15)) == (30, 30)


@pytest.mark.parametrize(
    ("sheet", "overrides", "carried", "dice", "value"),
    [
        ("bard_3", {}, [], [10], 10 + 2 + 1),  # half the proficiency bonus of 2
        ("bard_5", {}, [], [10], 10 + 2 + 1),  # half of 3, rounded down
        ("barbarian_3", {}, [], [10], 10 + 2),
        ("barbarian_3", {}, ["poisoned"], [10, 4], 4 + 2),
        ("barbarian_3", {}, ["exhaustion"], [10, 4], 4 + 2),
        ("barbarian_3", {"armor": "plate"}, [], [10, 4], 4 + 2),  # untrained
    ],
)
def test_initiative_is_a_dexterity_check(
    sheet: str, overrides: dict[str, Any], carried: list[str], dice: list[int], value: int
) -> None:
    """The bards have dexterity 14, and so has the barbarian."""
    drill = Drill()
    drill.join("orc", "Ugh", (9, 9), side="foes")
    drill.join(sheet, "Late", (1, 1), overrides={"abilities": SCORES, **overrides})
    if carried:
        drill.do("gm", "rule", target="late", options={"add": carried, "reason": "a long road"})
    drill.start(dice=[1, *dice])
    rolled = {entry.combatant: entry.value for entry in drill.fight.battle.clock.order}
    assert rolled["late"] == value


ELSEWHERE = {
    "devils_sight": test_known_traits.test_who_sees_in_magical_darkness,
    "echolocation": test_known_traits.test_echoes_are_of_no_use_to_the_deafened,
    "amorphous": test_known_traits.test_the_amorphous_squeeze_without_being_slower,
}
"""Features whose test has another name."""


def test_every_feature_has_its_row_or_its_own_test() -> None:
    scenarios = [f"test_{path.stem}_" for path in SCENARIOS.glob("*.yaml")]
    names = [
        *globals(),
        *vars(test_bodies),
        *vars(test_creature_powers),
        *vars(test_class_features),
        *vars(test_reactions),
        *vars(test_sneak_attack),
        *scenarios,
    ]
    rows = {row.feature for row in ROWS}
    missing = [
        feature
        for feature in pieces_of(Feature)
        if feature not in (*rows, *ELSEWHERE)
        and not any(name.startswith(f"test_{feature}_") for name in names)
        and not in_scenarios(feature)
    ]
    assert missing == []


def test_every_action_that_everybody_has_is_declared_in_a_scenario_or_has_its_own_test() -> None:
    own = (test_delay, test_aftermaths, test_creature_powers, test_forced_movement)
    tests = [name for module in own for name in vars(module)]
    actions = [
        name
        for name in (*pieces_of(Action), *pieces_of(Ability))
        if not any(test == f"test_{name}" or test.startswith(f"test_{name}_") for test in tests)
    ]
    assert [name for name in actions if not in_scenarios(name)] == []
