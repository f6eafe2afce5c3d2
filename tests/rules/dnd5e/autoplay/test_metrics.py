"""What speaks for and against a choice, metric by metric."""

from __future__ import annotations

import pytest

from combatlog.rules.autoplay.option import OptionAim
from combatlog.rules.autoplay.scoring import best
from combatlog.rules.dnd5e.autoplay.metrics import METRICS
from combatlog.rules.engine.menu import advice_for
from combatlog.rules.engine.refusal import Refusal
from combatlog.testing import Drill
from tests.rules.dnd5e.autoplay.support import duel, measured, option, ranked, snapshot


def open_field(*foes: tuple[int, int], hero: str = "fighter", at: tuple[int, int] = (5, 5), **more: int) -> Drill:
    drill = Drill()
    drill.join(hero, "Hero", at, overrides=more)
    for number, place in enumerate(foes):
        drill.join("goblin", f"Foe {number}", place, side="foes")
    drill.start(dice=[20, *[1] * len(foes)])
    return drill


def test_every_metric_is_found_by_its_name_and_says_what_it_measures() -> None:
    assert set(METRICS) == {
        "expected_damage",
        "kills",
        "friendly_fire",
        "healing_worth",
        "danger",
        "opportunity_attacks",
        "opens_up",
        "ambush",
        "distance_to_enemies",
        "boost",
        "shelter",
        "concentration",
        "spent",
    }
    assert all(metric.about for metric in METRICS.values())


def test_leaving_an_enemys_reach_provokes_what_it_deals_with_one_blow() -> None:
    drill = open_field((6, 5), hp=20)
    # A scimitar, +4 against 16: 12 and more hit. 1d6+2 is 5.5, a critical 2d6+2 is 9. Neither takes 20.
    blow = 8 / 20 * 5.5 + 1 / 20 * 9
    assert measured(drill, "move", OptionAim(place=(3, 5)), "opportunity_attacks") == pytest.approx(blow)
    assert measured(drill, "move", OptionAim(place=(5, 4)), "opportunity_attacks") == 0


def test_who_walks_past_an_enemy_provokes_it_as_well() -> None:
    """In a corridor two squares wide there is no way around its reach."""
    drill = Drill(map="." * 12 + "\n" + "." * 12)
    drill.join("fighter", "Hero", (2, 0), overrides={"hp": 20})
    drill.join("goblin", "Foe", (5, 1), side="foes")
    drill.start(dice=[20, 1])
    blow = 8 / 20 * 5.5 + 1 / 20 * 9
    assert measured(drill, "move", OptionAim(place=(8, 0)), "opportunity_attacks") == pytest.approx(blow)
    assert measured(drill, "move", OptionAim(place=(6, 0)), "opportunity_attacks") == 0


def test_a_blow_that_would_bring_it_down_provokes_more_than_the_last_hit_point() -> None:
    drill = open_field((6, 5), hp=1)
    # 9 of 20 hit; then the last hit point is gone, and with it somebody, which counts for 6.
    assert measured(drill, "move", OptionAim(place=(3, 5)), "opportunity_attacks") == pytest.approx(9 / 20 * (1 + 6))


def test_nothing_is_provoked_by_those_who_have_no_reaction_left() -> None:
    drill = open_field((6, 5))
    drill.do("gm", "rule", target="foe-0", options={"set": {"reaction": 0}, "reason": "test"})
    assert measured(drill, "move", OptionAim(place=(3, 5)), "opportunity_attacks") == 0


def test_who_disengages_provokes_nothing() -> None:
    drill = open_field((6, 5))
    drill.do("hero", "disengage")
    assert measured(drill, "move", OptionAim(place=(3, 5)), "opportunity_attacks") == 0


def test_a_square_that_nobody_sees_or_gets_to_is_less_dangerous() -> None:
    rows = ["." * 30 for _ in range(9)]
    rows[4] = "." * 5 + "#" * 20 + "." * 5
    drill = Drill(map="\n".join(rows))
    drill.join("fighter", "Hero", (15, 3), overrides={"speed": 60})
    drill.join("goblin", "Foe", (25, 0), side="foes")
    drill.start(dice=[20, 1])
    assert measured(drill, "move", OptionAim(place=(5, 5)), "danger") < 0
    assert measured(drill, "move", OptionAim(place=(14, 3)), "danger") == 0


def test_friends_in_an_area_speak_against_it() -> None:
    drill = Drill()
    drill.join("wizard", "Hero", (1, 1))
    drill.join("fighter", "Friend", (9, 2), overrides={"hp": 40})
    drill.join("goblin", "Foe", (9, 1), side="foes")
    drill.start(dice=[20, 2, 1])
    # 8d6 is 28; the friend's dexterity +2 saves with 13 and more. Halves are rounded down: a quarter less on average.
    burnt = measured(drill, "fireball", OptionAim(place=(9, 1)), "friendly_fire")
    assert burnt == pytest.approx(12 / 20 * 28 + 8 / 20 * 13.75, abs=0.02)


def test_the_best_place_of_an_area_catches_the_enemies_and_spares_the_friend() -> None:
    drill = Drill()
    drill.join("wizard", "Hero", (1, 1))
    drill.join("fighter", "Friend", (9, 9))
    for number, place in enumerate([(14, 9), (15, 9), (15, 10)]):
        drill.join("orc", f"Foe {number}", place, side="foes")
    drill.start(dice=[20, 2, 1, 1, 1])
    found = best(ranked(drill), "area")
    assert found is not None
    assert set(found.option.outcome(found.aim).harm) == {"foe-0", "foe-1", "foe-2"}


def test_healing_is_worth_most_for_those_who_are_down() -> None:
    drill = Drill()
    drill.join("cleric", "Hero", (1, 1))
    drill.join("fighter", "Fallen", (1, 2))
    drill.join("fighter", "Hurt", (2, 1))
    drill.join("fighter", "Whole", (2, 2))
    drill.join("goblin", "Foe", (9, 9), side="foes")
    drill.start(dice=[20, 4, 3, 2, 1])
    drill.do("gm", "rule", target="fallen", options={"set": {"hp": 0}, "add": ["unconscious"], "reason": "test"})
    drill.do("gm", "rule", target="hurt", options={"set": {"hp": 6}, "reason": "test"})
    worth = {
        name: measured(drill, "cure_wounds", OptionAim((name,)), "healing_worth")
        for name in ("fallen", "hurt", "whole")
    }
    assert worth["fallen"] > worth["hurt"] > worth["whole"] == 0
    # 1d8+4 heals 5 or 6 of the 6 that are missing: (5 + 7 * 6) / 8, and half of its hit points are missing
    assert worth["hurt"] == pytest.approx((5 + 7 * 6) / 8 / 2)


def test_a_new_concentration_gives_the_old_one_up() -> None:
    drill = duel("cleric")
    assert measured(drill, "bless", OptionAim(("hero",)), "concentration") == 0
    drill.do("hero", "bless", target="hero")
    assert measured(drill, "bane", OptionAim(("foe",)), "concentration") == -2
    assert measured(drill, "cure_wounds", OptionAim(("hero",)), "concentration") == 0


def test_hurting_somebody_who_concentrates_may_break_it() -> None:
    drill = duel("fighter", "goblin")
    drill.do("gm", "rule", target="foe", options={"add": ["concentrating"], "reason": "test"})
    # hit with 11/20, and a constitution save of +0 against 10 fails with 9/20
    found = measured(drill, "melee_attack", OptionAim(("foe",)), "concentration")
    assert found == pytest.approx(11 / 20 * 9 / 20)


def test_rage_is_worth_its_damage_and_its_resistance() -> None:
    drill = duel("barbarian", "ogre")
    # 2 more for each of two blows that hit with 16/20 (and once more no dice for a critical), counted for two turns
    assert measured(drill, "rage", OptionAim(), "boost") == pytest.approx(2 * 2 * 2 * 17 / 20)
    assert measured(drill, "rage", OptionAim(), "shelter") > 0


def test_spent_slots_count_by_their_level() -> None:
    drill = duel("wizard")
    assert measured(drill, "fireball", OptionAim(place=(9, 9)), "spent") == 3
    assert measured(drill, "fire_bolt", OptionAim(("foe",)), "spent") == 0


def test_who_can_attack_nobody_comes_nearer() -> None:
    drill = open_field((25, 5), hero="barbarian", at=(2, 5))
    assert measured(drill, "move", OptionAim(place=(8, 5)), "distance_to_enemies") > measured(
        drill, "move", OptionAim(place=(3, 5)), "distance_to_enemies"
    )


def test_a_score_is_its_metrics_weighted_and_added() -> None:
    for found in ranked(duel("wizard"))[:40]:
        total = sum(METRICS[name].weight * value for name, value in found.metrics.items())
        assert found.total == pytest.approx(total)
        assert set(found.metrics) == set(METRICS)


def test_advice_is_ranked_legal_and_explained() -> None:
    drill = duel()
    before = snapshot(drill.fight.battle)
    advice = advice_for(drill.fight, "hero")
    assert snapshot(drill.fight.battle) == before
    assert advice[0].choice == "melee attack foe with longsword in both hands"
    assert [entry.recommended for entry in advice] == [True] + [False] * (len(advice) - 1)
    assert advice[0].leaves == {"action": 0}
    assert advice[0].metrics["expected_damage"] == pytest.approx(3.548, abs=0.001)
    scores = [entry.score or 0.0 for entry in advice]
    assert scores == sorted(scores, reverse=True)


def test_nobody_gets_advice_on_anothers_turn() -> None:
    drill = duel()
    with pytest.raises(Refusal) as refused:
        advice_for(drill.fight, "foe")
    assert refused.value.code == "turn/other"
    assert option(drill, "melee_attack", "scimitar", actor="foe").valid_aims() == []
