from __future__ import annotations

from combatlog.rules.autoplay.option import OptionAim, best_weapon_attack
from combatlog.rules.dnd5e.autoplay.option_table import options_of
from combatlog.testing import Drill
from tests.cases import each
from tests.rules.dnd5e.autoplay.support import duel, option, snapshot

WALLED = """
.....
.###.
.....
"""


def test_an_option_says_what_it_is_and_what_it_costs() -> None:
    strike = option(duel(), "melee_attack")
    assert (strike.name, strike.archetype, strike.id) == ("melee_attack", "strike", "hero:melee_attack:longsword")
    assert strike.cost == {"action": 1}
    for tag in ("attack.weapon", "attack.weapon.melee", "damage.slashing", "resource.action", "resource"):
        assert tag in strike.tags


def test_a_spell_is_tagged_with_the_slot_that_it_takes() -> None:
    missile = option(duel("wizard"), "magic_missile")
    assert "resource.spellslot" in missile.tags
    assert missile.tags.below("resource") == ["resource.action", "resource.spellslot.1"]


def test_a_spell_whose_slots_are_used_up_takes_the_next_higher_one() -> None:
    drill = duel("wizard")
    drill.do("gm", "rule", target="hero", options={"set": {"slot_1": 0}, "reason": "test"})
    missile = option(drill, "magic_missile")
    assert missile.cost == {"action": 1, "slot_2": 1}
    assert missile.declaration(OptionAim(("foe",), options=missile.how)).options == {"slot": 2}
    assert missile.average_damage() == 4 * 3.5


def test_a_melee_attack_can_be_aimed_at_enemies_within_reach() -> None:
    attack = option(duel(), "melee_attack")
    assert attack.valid_positions((1, 1)) == [(2, 1)]
    assert attack.valid_positions((3, 2)) == [(2, 1)]
    assert attack.valid_positions((5, 5)) == []


def test_a_bow_needs_a_line_of_sight() -> None:
    drill = Drill(map=WALLED)
    drill.join("fighter", "Hero", (2, 0))
    drill.join("goblin", "Foe", (2, 2), side="foes")
    drill.start(dice=[20, 1])
    bow = option(drill, "ranged_attack", "longbow")
    assert bow.valid_positions((2, 0)) == []
    assert bow.valid_positions((0, 2)) == [(2, 2)]


def test_the_dead_are_not_aimed_at() -> None:
    drill = duel()
    drill.do("gm", "rule", target="foe", options={"set": {"hp": 0}, "add": ["dead"], "reason": "test"})
    assert option(drill, "melee_attack").valid_positions((1, 1)) == []


def test_without_an_action_nothing_that_takes_one_can_be_aimed() -> None:
    drill = duel()
    drill.do("hero", "dodge")
    assert option(drill, "melee_attack").valid_positions((1, 1)) == []
    assert option(drill, "second_wind").valid_aims() == [OptionAim()]


def test_a_walk_goes_as_far_as_the_movement_and_around_walls_and_enemies() -> None:
    drill = Drill(map="......\n.####.\n......")
    drill.join("fighter", "Hero", (0, 0), overrides={"speed": 10})
    drill.join("goblin", "Foe", (2, 0), side="foes")
    drill.start(dice=[20, 1])
    assert option(drill, "move").valid_positions((0, 0)) == [(1, 0), (0, 1), (0, 2)]


def test_difficult_ground_costs_double() -> None:
    drill = Drill(map=".~~~..")
    drill.join("fighter", "Hero", (0, 0), overrides={"speed": 20})
    drill.join("goblin", "Foe", (5, 0), side="foes")
    drill.start(dice=[20, 1])
    assert option(drill, "move").valid_positions((0, 0)) == [(1, 0), (2, 0)]


def test_an_area_touches_what_it_covers() -> None:
    drill = duel("wizard")
    hands = option(drill, "burning_hands")
    cone = {(2, 1), (3, 0), (3, 1), (3, 2), (4, 0), (4, 1), (4, 2)}
    assert set(hands.affected_positions(OptionAim(place=(2, 1)))) == cone


def test_the_best_weapon_attack_is_the_one_that_deals_most() -> None:
    drill = duel("barbarian")
    battle = drill.fight.battle
    best = best_weapon_attack(options_of(battle, battle.combatants["hero"]))
    assert best is not None
    assert (best.weapon, best.average_damage()) == ("greataxe", 2 * 10.5)


@each("sheet", ["wizard", "cleric", "barbarian", "monk", "rogue", "warlock", "bard", "paladin"])
def test_answers_change_nothing(sheet: str) -> None:
    drill = duel(sheet)
    before = snapshot(drill.fight.battle)
    for known in options_of(drill.fight.battle, drill.fight.battle.combatants["hero"]):
        known.valid_positions((4, 4))
        known.average_damage()
        for aim in known.aims():
            known.outcome(aim)
    assert snapshot(drill.fight.battle) == before
