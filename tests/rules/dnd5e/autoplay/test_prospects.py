"""Looking ahead: what the attack from another square would be worth, hoped for and looked at closely."""

from __future__ import annotations

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st

from combatlog.rules.autoplay.option import OptionAim
from combatlog.rules.autoplay.player import PlayLimits, play
from combatlog.rules.dnd5e.attack.targeting import weapon_named
from combatlog.rules.dnd5e.autoplay.attacks_and_reach import attacks_of_turn
from combatlog.rules.dnd5e.autoplay.outlook import Outlook
from combatlog.rules.engine import ruleset as rulesets
from combatlog.testing import Drill
from tests.effort import examples
from tests.rules.dnd5e.autoplay.support import PILLARS, duel, measured, option, ranked, walked_back

FEEBLE = {"str": 8, "dex": 14, "con": 14, "int": 10, "wis": 12, "cha": 8}


def archer() -> Drill:
    """Somebody with a bow and feeble fists, a friend in the way, and a goblin that no single shot can take."""
    drill = Drill()
    drill.join("fighter", "Hero", (1, 5), overrides={"weapons": ["longbow"], "abilities": FEEBLE})
    drill.join("paladin", "Friend", (7, 5))
    drill.join("goblin", "Foe", (9, 5), side="foes", overrides={"hp": 100})
    drill.start(dice=[20, 2, 1])
    return drill


def outlook(drill: Drill) -> Outlook:
    return option(drill, "move").outlook


def test_a_shot_next_to_an_enemy_counts_with_the_odds_of_disadvantage() -> None:
    # +4 against 15 takes an 11 of both dice, 100 of 400; a critical takes two 20s, 1 of 400. 1d8+2 is 6.5, 2d8+2 is 11.
    assert outlook(archer()).capability((8, 5)) == pytest.approx(99 / 400 * 6.5 + 1 / 400 * 11)


def test_a_friend_in_the_way_is_found_out_about_when_it_is_looked_at_closely() -> None:
    seen = outlook(archer())
    # 11 and more hit a goblin in the open, 13 and more behind half cover.
    assert seen.capability((3, 5)) == pytest.approx(9 / 20 * 6.5 + 1 / 20 * 11)
    assert seen.closer((3, 5)) == pytest.approx(7 / 20 * 6.5 + 1 / 20 * 11)
    assert seen.closer((9, 1)) == seen.capability((9, 1))


def test_a_walk_that_came_out_best_promises_no_more_than_it_keeps() -> None:
    drill = archer()
    best = ranked(drill)[0]
    if best.option.name == "move":
        assert best.metrics["opens_up"] == pytest.approx(0.98 * outlook(drill).closer(best.aim.place))
    move = option(drill, "move")
    aim = OptionAim(place=(3, 5))
    hoped = move.outcome(aim).opens_up
    assert move.look_closer(aim)
    assert move.outcome(aim).opens_up < hoped
    assert not move.look_closer(aim)


SHEETS = sorted(rulesets.find("dnd5e").sheets())


@examples(15, phases=[Phase.generate])
@given(
    seed=st.integers(0, 10**6),
    sides=st.lists(st.lists(st.sampled_from(SHEETS), min_size=1, max_size=2), min_size=2, max_size=2),
)
def test_nobody_walks_back_and_forth(seed: int, sides: list[list[str]]) -> None:
    drill = Drill(dice=f"seed:{seed}", map=PILLARS)
    for side, (column, sheets) in enumerate(zip((1, 12), sides, strict=True)):
        for row, sheet in enumerate(sheets):
            drill.join(sheet, f"{sheet} {side} {row}", (column, 6 * row), side=f"side {side}", controller="gm")
    drill.start()
    for _ in play(drill.fight, PlayLimits(rounds=6)):
        pass
    assert walked_back(drill.fight.events) == []


def test_a_multiattack_counts_the_same_now_and_after_a_walk() -> None:
    """A beak and two tails: neither place counts three tails."""
    weapons = [
        {"name": "tail", "to_hit": 5, "damage": "1d8+3", "damage_type": "bludgeoning"},
        {"name": "beak", "to_hit": 5, "damage": "1d4", "damage_type": "piercing"},
    ]
    drill = duel("ogre", "ogre", weapons=weapons, multiattack=[{"tail": 2, "beak": 1}])
    # 6 and more with +5 reach the ogre's 11: 15 of 20. 1d8+3 is 7.5 and 1d4 is 2.5; a critical adds a die.
    tail, beak = 15 / 20 * 7.5 + 1 / 20 * 4.5, 15 / 20 * 2.5 + 1 / 20 * 2.5
    attack, beside = OptionAim(("foe",)), OptionAim(place=(1, 2))
    assert measured(drill, "melee_attack", attack, "expected_damage", "tail") == pytest.approx(2 * tail + beak)
    assert measured(drill, "melee_attack", attack, "expected_damage", "beak") == pytest.approx(2 * tail + beak)
    assert measured(drill, "move", beside, "opens_up") == pytest.approx(0.98 * (2 * tail + beak))


def test_all_beams_of_a_cantrip_count_after_a_walk() -> None:
    """A warlock of the 5th level: two beams."""
    drill = Drill()
    drill.join("warlock_5", "Hero", (1, 1))
    drill.join("ogre", "Foe", (7, 1), side="foes")
    drill.start(dice=[20, 1])
    now = measured(drill, "eldritch_blast", OptionAim(("foe",)), "expected_damage")
    assert measured(drill, "move", OptionAim(place=(1, 2)), "opens_up") == pytest.approx(0.98 * now)


def test_a_weapon_that_has_to_be_loaded_counts_once() -> None:
    drill = duel("fighter_5", "ogre", weapons=["light crossbow", "longsword"])
    hero = drill.battle.combatants["hero"]
    sword, crossbow = (attacks_of_turn(hero, weapon_named(hero, name)) for name in ("longsword", "light crossbow"))
    assert [count for _, count in sword] == [2]
    assert [count for _, count in crossbow] == [1]


def test_the_danger_of_a_place_does_not_depend_on_where_one_is() -> None:
    """In a corridor, one would stand in the enemy's way oneself."""
    seen, slow = [], {"size": "medium", "speed": 20, "weapons": ["greatclub"]}
    for place in ((3, 0), (8, 0)):
        drill = Drill(map="............")
        drill.join("fighter", "Hero", place)
        drill.join("ogre", "Foe", (11, 0), side="foes", overrides=slow)
        drill.start(dice=[20, 1])
        seen.append([outlook(drill).danger((x, 0)) for x in range(10)])
    assert seen[0] == seen[1]
    assert seen[0][:6] == [0.0] * 6  # four steps and one more
    assert all(seen[0][6:])
