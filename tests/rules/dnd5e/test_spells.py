"""Each spell: slots, attack or save, damage or healing, concentration, with fixed dice."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from combatlog.rules.dnd5e.pieces import pieces_of
from combatlog.rules.dnd5e.spells.casting import Spell
from combatlog.testing import Drill, all_of, only
from ledger.events import AreaAffected, AttackResolved, ConditionRemoved, Damaged, Healed, Rolled, SaveResolved
from tests.rules.dnd5e import test_areas, test_lasting_spells, test_movement, test_protections, test_reactions
from tests.rules.dnd5e.used_in_scenarios import in_scenarios


def duel(caster: str, target: str = "orc", at: tuple[int, int] = (5, 1), hp: int = 60) -> Drill:
    """Mila the caster (level 5, +4: DC 15) on her turn; Ugh stands a few squares away."""
    drill = Drill()
    drill.join(caster, "Mila", (1, 1))
    drill.join(target, "Ugh", at, side="foes", overrides={"hp": hp})
    drill.start(dice=[20, 1])
    return drill


@pytest.mark.parametrize(
    ("level", "dice", "damage"),
    [(1, (10, 6), 6), (5, (10, 6, 7), 13), (11, (10, 1, 1, 1), 3), (17, (10, 1, 1, 1, 1), 4)],
)
def test_fire_bolt_is_a_spell_attack_that_grows_with_the_level(level: int, dice: Sequence[int], damage: int) -> None:
    drill = Drill()
    drill.join("wizard", "Mila", (1, 1), overrides={"level": level})
    drill.join("orc", "Ugh", (5, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 1])
    events = drill.do("mila", "fire_bolt", target="ugh", dice=dice)
    (part,) = only(events, Damaged).parts  # no ability modifier
    assert (part.source, part.damage_type, part.amount) == ("dnd5e:spell:fire_bolt", "fire", damage)
    proficiency = {1: 2, 5: 3, 11: 4, 17: 6}[level]
    assert only(events, AttackResolved).total == 10 + 4 + proficiency


def test_fire_bolt_that_is_critical_doubles_its_dice() -> None:
    drill = duel("wizard")
    events = drill.do("mila", "fire_bolt", target="ugh", dice=(20, 1, 2, 3, 4))
    assert only(events, Damaged).amount == 10


def test_magic_missile_deals_its_darts_out_in_turn() -> None:
    drill = Drill()
    drill.join("wizard", "Mila", (1, 1))
    drill.join("orc", "Ugh", (5, 1), side="foes")
    drill.join("orc", "Agh", (5, 3), side="foes")
    drill.start(dice=[20, 1, 1])
    events = drill.do("mila", "magic_missile", target=("ugh", "agh"), dice=(2, 3, 4))
    assert [(d.target, d.amount) for d in all_of(events, Damaged)] == [("ugh", 7), ("agh", 5)]
    assert drill["mila.slot_1"] == 3


def test_magic_missile_has_one_dart_more_for_each_higher_slot() -> None:
    drill = duel("wizard")
    events = drill.do("mila", "magic_missile", target="ugh", options={"slot": 2}, dice=(1, 1, 1, 1))
    assert (only(events, Damaged).amount, drill["mila.slot_1"], drill["mila.slot_2"]) == (8, 4, 2)


@pytest.mark.parametrize(("slot", "dice", "amount"), [(1, (5,), 9), (2, (5, 6), 15)])
def test_cure_wounds_heals_by_the_slot(slot: int, dice: Sequence[int], amount: int) -> None:
    drill = Drill()
    drill.join("cleric", "Mila", (1, 1))
    drill.join("fighter", "Rurik", (2, 1), overrides={"hp": 40})
    drill.start(dice=[20, 1])
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": 5}, "reason": "hurt"})
    events = drill.do("mila", "cure_wounds", target="rurik", options={"slot": slot}, dice=dice)
    assert (only(events, Healed).amount, drill["rurik.hp"]) == (amount, 5 + amount)
    assert drill.refusal("mila", "healing_word", target="rurik").code == "spell/one-a-turn"


def test_cure_wounds_needs_touch_and_does_nothing_for_the_undead() -> None:
    drill = duel("cleric", "zombie")
    assert drill.refusal("mila", "cure_wounds", target="ugh").code == "spell/out-of-range"
    drill = duel("cleric", "zombie", at=(2, 1))
    assert drill.refusal("mila", "cure_wounds", target="ugh").code == "spell/no-effect"


def test_healing_word_stops_at_the_maximum() -> None:
    drill = duel("cleric")
    drill.do("gm", "rule", target="mila", options={"set": {"hp": 36}, "reason": "hurt"})
    events = drill.do("mila", "healing_word", target="mila", dice=(4,))
    assert (only(events, Healed).amount, drill["mila.hp"], drill["mila.bonus_action"]) == (2, 38, 0)


def test_bless_adds_a_d4_while_the_caster_concentrates() -> None:
    drill = Drill()
    drill.join("cleric", "Mila", (1, 1))
    drill.join("fighter", "Rurik", (2, 1))
    drill.join("orc", "Ugh", (3, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 10, 1])
    drill.do("mila", "bless", target=("mila", "rurik"))
    assert (drill["mila.conditions"], drill["rurik.conditions"]) == (["blessed", "concentrating"], ["blessed"])
    drill.next_turn()
    events = drill.do("rurik", "melee_attack", target="ugh", dice=(4, 4, 1))  # 4 + 5 + 4 is 13
    assert [(roll.purpose, roll.total) for roll in all_of(events, Rolled)][:2] == [
        ("attack", 9),
        ("bless on attack", 4),
    ]
    assert only(events, AttackResolved).hit is True


def test_bless_ends_when_another_spell_needs_the_concentration() -> None:
    drill = Drill()
    drill.join("cleric", "Mila", (1, 1))
    drill.join("orc", "Ugh", (3, 1), side="foes")
    drill.start(dice=[20, 1])
    drill.do("mila", "bless", target="mila")
    drill.next_turn()
    drill.next_turn()
    events = drill.do("mila", "bane", target="ugh", dice=(8,))
    ended = [(e.target, e.condition) for e in all_of(events, ConditionRemoved)]
    assert ended == [("mila", "dnd5e:condition:blessed"), ("mila", "dnd5e:condition:concentrating")]
    assert drill["mila.conditions"] == ["concentrating"]


def test_bless_takes_no_more_than_its_targets() -> None:
    drill = Drill()
    drill.join("cleric", "Mila", (1, 1))
    for number in range(4):
        drill.join("fighter", f"F{number}", (2, number))
    drill.start(dice=[20, 1, 1, 1, 1])
    everybody = ("f0", "f1", "f2", "f3")
    assert drill.refusal("mila", "bless", target=everybody).code == "spell/targets"
    drill.do("mila", "bless", target=everybody, options={"slot": 2})
    assert all(drill[f"{name}.conditions"] == ["blessed"] for name in everybody)


def test_bane_takes_a_d4_off_those_who_fail() -> None:
    drill = duel("cleric")
    events = drill.do("mila", "bane", target="ugh", dice=(14,))  # charisma 10: 14 against 15
    save = only(events, SaveResolved)
    assert (save.save, save.total, save.against, save.success) == ("cha", 14, 15, False)
    assert drill["ugh.conditions"] == ["baned"]


def test_hold_person_paralyzes_until_a_save_succeeds() -> None:
    drill = duel("cleric", "bandit_captain")
    drill.do("mila", "hold_person", target="ugh", dice=(10,))  # wisdom 11 and proficient: 12 against 15
    assert (drill["ugh.conditions"], drill["mila.slot_2"]) == (["paralyzed"], 2)
    drill.next_turn()
    assert drill.refusal("ugh", "attack").code == "turn/cannot-act"
    drill.next_turn(dice=(12,))
    assert drill["ugh.conditions"] == ["paralyzed"]
    drill.next_turn()
    drill.next_turn(dice=(13,))
    assert drill["ugh.conditions"] == []


def test_hold_person_ends_with_the_concentration() -> None:
    drill = Drill()
    drill.join("cleric", "Mila", (1, 1))
    drill.join("bandit_captain", "Jack", (2, 1), side="foes")
    drill.join("goblin", "Snig", (1, 2), side="foes")
    drill.start(dice=[20, 5, 1])
    drill.do("mila", "hold_person", target="jack", dice=(2,))
    drill.next_turn()
    drill.next_turn(dice=(2,))
    # 14 + 4 hits 18; 6 + 2 damage; constitution 14: 7 + 2 against 10
    drill.do("snig", "melee_attack", target="mila", dice=(14, 6, 7))
    assert (drill["mila.conditions"], drill["jack.conditions"]) == ([], [])


def test_hold_person_holds_only_humanoids() -> None:
    assert duel("cleric", "wolf").refusal("mila", "hold_person", target="ugh").code == "spell/no-effect"


def test_misty_step_needs_a_free_square_in_range() -> None:
    drill = duel("wizard")
    assert drill.refusal("mila", "misty_step", to=(5, 1)).code == "move/occupied"
    assert drill.refusal("mila", "misty_step", to=(9, 1)).code == "spell/out-of-range"
    drill.do("mila", "misty_step", to=(7, 1))
    assert drill["mila.position"] == (7, 1)


def test_fireball_spares_no_friends() -> None:
    drill = Drill()
    drill.join("wizard", "Mila", (1, 5))
    drill.join("orc", "Ugh", (10, 5), side="foes", overrides={"hp": 60})
    drill.join("fighter", "Rurik", (12, 5), overrides={"hp": 40})
    drill.start(dice=[20, 10, 1])
    events = drill.do("mila", "fireball", to=(10, 5), dice=(3,) * 8 + (13, 13))
    # dexterity 12: 14 fails against 15; dexterity 14: 15 is a success
    assert [(d.target, d.amount) for d in all_of(events, Damaged)] == [("ugh", 24), ("rurik", 12)]
    assert [part.amount for part in all_of(events, Damaged)[1].parts] == [24, -12]
    assert only(events, AreaAffected).caught == ("ugh", "rurik")
    assert (drill["mila.slot_3"], drill["mila.action"]) == (1, 0)


def test_fireball_needs_a_slot_of_its_level() -> None:
    drill = duel("wizard")
    assert drill.refusal("mila", "fireball", to=(5, 1), options={"slot": 2}).code == "spell/slot"
    drill.do("gm", "rule", target="mila", options={"set": {"slot_3": 0}, "reason": "spent"})
    assert drill.refusal("mila", "fireball", to=(5, 1)).code == "economy/no-slot-3-left"


def test_lightning_bolt_goes_through_everybody_in_line() -> None:
    drill = Drill()
    drill.join("wizard", "Mila", (0, 0))
    for number, place in enumerate([(3, 0), (9, 0), (9, 1)]):
        drill.join("orc", f"Orc {number}", place, side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 5, 4, 3])
    events = drill.do("mila", "lightning_bolt", to=(1, 0), dice=(2,) * 8 + (1, 20))
    assert [(d.target, d.amount) for d in all_of(events, Damaged)] == [("orc-0", 16), ("orc-1", 8)]


def test_burning_hands_cannot_be_aimed_at_oneself() -> None:
    assert duel("wizard").refusal("mila", "burning_hands", to=(1, 1)).code == "spell/direction"


def test_thunderwave_saved_against_halves_and_does_not_push() -> None:
    drill = duel("wizard", at=(2, 1))
    drill.do("mila", "thunderwave", to=(3, 1), dice=(8, 7, 12))  # constitution 16: 15 against 15
    assert (drill["ugh.hp"], drill["ugh.position"]) == (53, (2, 1))


def test_a_spell_that_is_not_known_is_refused() -> None:
    assert duel("cleric").refusal("mila", "fireball", to=(5, 1)).code == "spell/not-held"


def test_shield_cannot_be_declared() -> None:
    assert duel("wizard").refusal("mila", "shield").code == "spell/reaction"


def test_false_life_gives_its_caster_temporary_hit_points() -> None:
    drill = Drill()
    drill.join("wizard", "Mila", (1, 1), overrides={"spells": ["false_life"]})
    drill.start(dice=[20])
    drill.do("mila", "false_life", options={"slot": 2}, dice=[3])
    assert (drill["mila.temp_hp"], drill["mila.slot_2"], drill["mila.hp"]) == (3 + 4 + 5, 2, 32)


def casting(spell: str, slot: int) -> Drill:
    """Mila knows one more spell, and Ugh stands at 5,1."""
    drill = Drill(options={"light": "bright"})
    drill.join("wizard", "Mila", (1, 1), overrides={"spells": [spell], "slots": {slot: 1}})
    drill.join("orc", "Ugh", (5, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 1])
    return drill


def test_wall_of_fire_burns_those_where_it_appears() -> None:
    drill = casting("wall_of_fire", 4)
    drill.do("mila", "wall_of_fire", to=(5, 1), dice=(2, 4, 4, 4, 4, 4))  # dexterity +1: 3 fails, 5d8 are 20
    assert (drill["ugh.hp"], drill["mila.conditions"]) == (40, ["concentrating", "zone"])


@pytest.mark.parametrize(
    ("senses", "mode"), [({}, "normal"), ({"truesight": 30}, "normal"), ({"blindsight": 30}, "advantage")]
)
def test_fog_cloud_hides_those_inside(senses: dict[str, int], mode: str) -> None:
    assert mode_in("fog_cloud", senses, mode) == mode


@pytest.mark.parametrize(("senses", "mode"), [({"darkvision": 60}, "normal"), ({"truesight": 30}, "advantage")])
def test_darkness_hides_those_inside(senses: dict[str, int], mode: str) -> None:
    assert mode_in("darkness", senses, mode) == mode


def mode_in(spell: str, senses: dict[str, int], mode: str) -> str:
    """Neither sees the other, unless Ugh has a sense that does not need light: then it attacks unseen."""
    drill = Drill()
    drill.join("wizard", "Mila", (1, 1), overrides={"spells": [spell], "slots": {1: 1, 2: 1}})
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"senses": senses})
    drill.start(dice=[20, 1])
    drill.do("mila", spell, to=(2, 1))
    drill.next_turn()
    events = drill.do("ugh", "melee_attack", target="mila", dice=(1,) if mode == "normal" else (1, 2))
    return only(events, Rolled).mode


def test_dominate_person_works_on_humanoids() -> None:
    drill = casting("dominate_person", 5)
    drill.do("mila", "dominate_person", target="ugh", dice=(3,))
    ugh = drill.fight.battle.combatants["ugh"]
    assert (ugh.side, ugh.home, drill["ugh.conditions"]) == ("heroes", "foes", ["dominated"])


def test_produce_flame_hurls_1d8_fire() -> None:
    drill = Drill()
    drill.join("wizard", "Mila", (1, 1), overrides={"level": 4, "spells": ["produce_flame"]})
    drill.join("orc", "Ugh", (5, 1), side="foes")
    drill.start(dice=[20, 1])
    events = drill.do("mila", "produce_flame", target="ugh", dice=(10, 5))
    assert only(events, Damaged).amount == 5


def test_every_spell_has_its_test() -> None:
    elsewhere = (test_areas, test_movement, test_reactions, test_lasting_spells, test_protections)
    names = [*globals(), *(name for module in elsewhere for name in vars(module))]
    own = [s for s in pieces_of(Spell) if not any(name.startswith(f"test_{s}_") for name in names)]
    own = [spell for spell in own if spell not in test_lasting_spells.COVERED]
    assert [spell for spell in own if not in_scenarios(spell)] == []
