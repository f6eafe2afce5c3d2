"""Slipping away, hiding and readying: what they would lead to, and when they are chosen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatlog.rules.autoplay.option import OptionAim
from combatlog.rules.autoplay.player import MOST_A_TURN, MOST_ROUNDS, PlayLimits, choose, play
from combatlog.rules.autoplay.scoring import Score, best
from combatlog.testing import Drill, all_of
from ledger.events import Declared
from tests.effort import examples
from tests.rules.dnd5e.autoplay.support import PILLARS, measured, option, ranked

CORNER = """
...............
...............
...............
...#...........
...#...........
...............
...............
"""
"""From 1,5 and 9,1 each has three quarters cover from the other."""


def chosen(drill: Drill) -> Score:
    found = choose(drill.fight.battle)
    assert found is not None
    return found


# Slipping away


def beset(hero: str = "fighter", **more: object) -> Drill:
    """Somebody between three ogres that can hardly walk."""
    drill = Drill()
    drill.join(hero, "Hero", (5, 5), overrides={"hp": 100, **more})
    for number, place in enumerate([(3, 4), (6, 4), (5, 6)]):
        drill.join("ogre", f"Ogre {number}", place, side="foes", overrides={"speed": 10, "weapons": ["greatclub"]})
    drill.start(dice=[20, 1, 1, 1])
    return drill


def test_an_archer_between_three_slow_ogres_disengages_and_walks_out_of_their_reach() -> None:
    """A shot with disadvantage is worth less than what the three would take, and to walk costs a blow of each."""
    drill = beset(weapons=["longbow"])
    first = chosen(drill)
    assert first.option.name == "disengage"
    assert first.metrics["danger"] < 0
    assert first.metrics["opportunity_attacks"] == 0
    drill.do("hero", "disengage")
    second = chosen(drill)
    assert (second.option.name, second.metrics["opportunity_attacks"]) == ("move", 0)
    assert second.aim.place is not None
    assert option(drill, "move").outlook.danger(second.aim.place) == 0


def test_a_swordsman_between_three_slow_ogres_fights() -> None:
    assert chosen(beset()).option.name == "melee_attack"


def test_to_disengage_is_declared_without_the_place_that_it_is_for() -> None:
    found = next(score for score in ranked(beset()) if score.option.name == "disengage")
    assert found.aim.place is not None
    assert found.declaration.destination is None


def test_nobody_disengages_from_nobody() -> None:
    drill = Drill()
    drill.join("fighter", "Hero", (5, 5))
    drill.join("ogre", "Ogre", (12, 5), side="foes")
    drill.start(dice=[20, 1])
    assert option(drill, "disengage").aims() == []


def test_those_who_hold_fast_strike_even_at_those_who_disengage() -> None:
    drill = Drill()
    drill.join("fighter", "Hero", (5, 5))
    drill.join("ogre", "Ogre", (6, 5), side="foes", overrides={"features": ["sentinel"]})
    drill.start(dice=[20, 1])
    away = OptionAim(place=(1, 5))
    assert measured(drill, "disengage", away, "opportunity_attacks") > 0
    assert measured(drill, "disengage", away, "opportunity_attacks") == measured(
        drill, "move", away, "opportunity_attacks"
    )


def test_the_step_of_the_wind_leaves_the_action_for_an_attack_elsewhere() -> None:
    drill = Drill()
    drill.join("monk", "Hero", (5, 5))
    drill.join("orc", "Orc", (6, 5), side="foes")
    drill.join("goblin", "Goblin", (1, 5), side="foes")
    drill.start(dice=[20, 1, 1])
    there = (2, 5)
    slip = OptionAim(place=there, options={"as": "disengage"})
    assert measured(drill, "step_of_the_wind", slip, "opportunity_attacks") == 0
    assert measured(drill, "step_of_the_wind", slip, "opens_up") == measured(
        drill, "move", OptionAim(place=there), "opens_up"
    )
    assert measured(drill, "step_of_the_wind", slip, "spent") == 1
    declared = option(drill, "step_of_the_wind").declaration(slip)
    assert (declared.options, declared.destination) == ({"as": "disengage"}, None)


def test_a_monk_that_its_own_feet_do_not_carry_far_enough_runs_like_the_wind_and_strikes() -> None:
    """40 feet of speed and 60 feet to go: with a dash for a bonus action it strikes this turn."""
    drill = Drill()
    drill.join("monk", "Hero", (1, 5))
    drill.join("goblin", "Foe", (13, 5), side="foes")
    drill.start(dice=[20, 1])
    first = chosen(drill)
    assert (first.option.name, first.aim.options) == ("step_of_the_wind", {"as": "dash"})
    drill.do("hero", "step_of_the_wind", options={"as": "dash"})
    second = chosen(drill)
    assert (second.option.name, second.metrics["opens_up"] > 0) == ("move", True)


# Hiding


def behind_the_corner(**foe: object) -> Drill:
    """A rogue with a bow that only the corner of a wall hides, and a goblin that no shot brings down."""
    drill = Drill(map=CORNER)
    drill.join("rogue", "Hero", (1, 5), overrides={"speed": 0, "weapons": ["shortbow"]})
    drill.join("goblin", "Foe", (9, 1), side="foes", overrides={"hp": 100, **foe})
    drill.start(dice=[20, 1])
    return drill


def test_a_rogue_behind_cover_hides_for_the_sneak_attack_of_its_next_turn() -> None:
    drill = behind_the_corner()
    found = chosen(drill)
    assert found.option.name == "hide"
    # Stealth +7 against a passive Perception of 9 fails with a 1 alone. Seen, +7 against 15 and 5 for cover hits with
    # 13 and more, for 1d6+4. Unseen, with advantage and 3d6 more: 256 of 400 hit, 39 of them critically.
    seen = 7 / 20 * 7.5 + 1 / 20 * 11
    unseen = (256 - 39) / 400 * 18 + 39 / 400 * 32
    assert found.metrics["ambush"] == pytest.approx(19 / 20 * 0.5 * (unseen - seen))
    # The goblin's bow, +4 against 15, hits with 11 and more: 1d6+2. With disadvantage 100 of 400 do.
    spared = (9 / 20 * 5.5 + 1 / 20 * 9) - (99 / 400 * 5.5 + 1 / 400 * 9)
    assert found.metrics["shelter"] == pytest.approx(19 / 20 * 0.5 * spared)


def test_with_cunning_action_it_hides_and_shoots_in_one_turn() -> None:
    drill = Drill(map=CORNER)
    drill.join("rogue_3", "Hero", (1, 5), overrides={"speed": 0, "weapons": ["shortbow"]})
    drill.join("goblin", "Foe", (9, 1), side="foes", overrides={"hp": 100})
    drill.start(dice=[20, 1])
    first = chosen(drill)
    assert (first.option.name, first.aim.options) == ("cunning_action", {"as": "hide"})
    drill.declare(first.declaration, dice=[10])
    assert chosen(drill).option.name == "ranged_attack"


def test_a_rogue_that_is_hidden_shoots() -> None:
    drill = behind_the_corner()
    drill.do("gm", "rule", target="hero", options={"add": ["hidden"], "reason": "test"})
    assert chosen(drill).option.name == "ranged_attack"


def test_the_keener_the_enemy_the_less_it_is_worth_to_hide() -> None:
    keen = behind_the_corner(abilities={"str": 8, "dex": 14, "con": 10, "int": 10, "wis": 20, "cha": 8})
    hide = OptionAim()
    # A passive Perception of 15 takes an 8.
    assert measured(keen, "hide", hide, "ambush") / measured(
        behind_the_corner(), "hide", hide, "ambush"
    ) == pytest.approx(13 / 19)


def test_who_is_seen_clearly_cannot_hide_and_who_is_walled_off_gains_nothing() -> None:
    drill = Drill(map="....\n####\n....")
    drill.join("rogue", "Hero", (1, 0))
    drill.join("goblin", "Foe", (1, 2), side="foes")
    drill.start(dice=[20, 1])
    assert measured(drill, "hide", OptionAim(), "ambush") == measured(drill, "hide", OptionAim(), "shelter") == 0
    in_the_open = Drill()
    in_the_open.join("rogue", "Hero", (1, 1))
    in_the_open.join("goblin", "Foe", (9, 1), side="foes")
    in_the_open.start(dice=[20, 1])
    assert not option(in_the_open, "hide").is_open()


# Readying


def waiting(foe_weapon: str = "greataxe") -> Drill:
    """Somebody with a sword that has walked as far as it can, and an orc 35 feet away that no blow brings down."""
    drill = Drill()
    drill.join("fighter", "Hero", (2, 5), overrides={"weapons": ["longsword"]})
    drill.join("orc", "Foe", (9, 5), side="foes", overrides={"hp": 100, "weapons": [foe_weapon]})
    drill.start(dice=[20, 1])
    drill.do("gm", "rule", target="hero", options={"set": {"movement": 0}, "reason": "test"})
    return drill


def test_a_sword_waits_for_the_axe_that_has_to_come() -> None:
    drill = waiting()
    found = chosen(drill)
    assert (found.option.name, found.option.weapon) == ("ready", "longsword")
    # +5 against 13 hits with 8 and more: 1d8+3 is 7.5, a critical 2d8+3 is 12. Half of those come, and in the first
    # round a quarter less is made of caution.
    assert found.metrics["ambush"] == pytest.approx(0.5 * (12 / 20 * 7.5 + 1 / 20 * 12) / 1.25)


def test_what_was_readied_is_struck_when_the_enemy_comes() -> None:
    drill = waiting()
    drill.do("hero", "ready", weapon="longsword", options={"trigger": "approaches"})
    drill.do("hero", "end-turn")
    drill.do("foe", "move", to=(3, 5), dice=[15, 6], replies={"hero": "readied"})
    assert drill["foe.hp"] == 100 - 9


def test_nobody_waits_for_an_archer_to_come() -> None:
    """It sees its target, and has no reason to walk up to it."""
    assert measured(waiting("shortbow"), "ready", OptionAim(), "ambush", "longsword") == 0


def test_nobody_waits_who_can_attack() -> None:
    drill = Drill()
    drill.join("fighter", "Hero", (2, 5))
    drill.join("orc", "Foe", (9, 5), side="foes", overrides={"weapons": ["greataxe"]})
    drill.start(dice=[20, 1])
    assert measured(drill, "ready", OptionAim(), "ambush", "longsword") == 0
    found = best(ranked(drill))
    assert found is not None
    assert found.option.name != "ready"


# However careful everybody is


@examples(8)
@given(
    st.integers(min_value=0, max_value=10_000),
    st.lists(st.sampled_from(["rogue", "goblin", "monk", "bard", "orc", "wolf"]), min_size=1, max_size=3),
    st.lists(st.sampled_from(["rogue", "goblin", "monk", "ogre", "hobgoblin"]), min_size=1, max_size=3),
)
def test_a_fight_of_those_who_hide_wait_and_run_comes_to_an_end(seed: int, heroes: list[str], foes: list[str]) -> None:
    """One side is left, well before the rounds run out; and no turn is cut short by the number of declarations."""
    drill = Drill(dice=f"seed:{seed}", map=PILLARS)
    for side, column, sheets in (("heroes", 1, heroes), ("foes", 14, foes)):
        for row, sheet in enumerate(sheets):
            drill.join(sheet, f"{side}-{row}", (column, 1 + 2 * row), side=side, controller="gm")
    drill.do("gm", "start")
    in_turn = most = 0
    for step in play(drill.fight, PlayLimits(to_end=True)):
        in_turn = 0 if step.ends_turn else in_turn + len(all_of(step.events, Declared))
        most = max(most, in_turn)
    assert most < MOST_A_TURN
    assert drill.fight.battle.clock.round <= MOST_ROUNDS


# Fights that would not end


def test_whoever_cannot_hurt_anybody_does_not_hold_out() -> None:
    """Dodging puts off what is lost anyway: with a mace, a cleric does nothing to a creature that is immune to it."""
    drill = Drill()
    drill.join("cleric", "Hero", (1, 1), overrides={"spells": [], "slots": {}, "weapons": ["mace"]})
    immune = {"nonmagical_immunities": ["bludgeoning", "piercing", "slashing"]}
    drill.join("ogre", "Foe", (2, 1), side="foes", overrides=immune)
    drill.start(dice=[20, 1])
    assert measured(drill, "dodge", OptionAim(), "shelter") == 0
    drill.join("wizard", "Friend", (1, 2), dice=[5])  # its cantrips are magic
    assert measured(drill, "dodge", OptionAim(), "shelter") > 0


def kited(**foe: object) -> Drill:
    drill = Drill(map=["." * 20] * 3)
    drill.join("cleric", "Hero", (1, 1), overrides={"weapons": ["mace", "light crossbow"], "spells": []})
    drill.join("skeleton", "Foe", (15, 1), side="foes", overrides={"speed": 60, **foe})
    drill.start(dice=[20, 1])
    return drill


def test_a_shield_is_dropped_for_a_crossbow_against_a_faster_archer() -> None:
    assert measured(kited(), "drop_shield", OptionAim(), "ambush") > 0
    assert measured(kited(speed=20), "drop_shield", OptionAim(), "ambush") == 0
    assert measured(kited(weapons=["shortsword"]), "drop_shield", OptionAim(), "ambush") == 0
