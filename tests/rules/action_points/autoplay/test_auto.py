"""Automatic play: fights end, legally, and it beats play at random."""

from __future__ import annotations

from math import isclose
from random import Random
from typing import Any

import pytest

from combatlog.rules.action_points import RULESET
from combatlog.rules.action_points.autoplay.odds import fate, worth_of_hit
from combatlog.rules.action_points.autoplay.options import Striking
from combatlog.rules.autoplay.player import WORTH_IT, Chooser, PlayLimits, choose, play, sides_left
from combatlog.rules.autoplay.scoring import Score, legal, rank
from combatlog.rules.autoplay.simulate import SimulationPlan, begin, damage_by_side
from combatlog.rules.content.scenario import Scenario
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill
from projections.battle.fold import Battle
from tests.rules.action_points.support import ZERO, attack, duel, rule

TEAM = (("duelist", 2), ("guard", 3), ("archer", 4))
MAP = "\n".join(["." * 12, ".....#......", ".....#......", *["." * 12] * 3])
FIGHTS = 24


def equal_teams() -> Scenario:
    """The same three on both sides, with a wall between them."""
    combatants = [
        {"sheet": sheet, "as": f"{sheet} {side}", "side": side, "at": [column, row], "controller": "gm"}
        for side, column in (("left", 1), ("right", 10))
        for sheet, row in TEAM
    ]
    content: dict[str, Any] = {"encounter": "Teams", "ruleset": "action_points", "map": MAP, "combatants": combatants}
    return Scenario.model_validate(content)


class AtRandom:
    """Makes any legal choice, and sometimes none."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)

    def __call__(self, battle: Battle) -> Score | None:
        turn = battle.clock.turn
        if turn is None:
            return None
        open_to = list(legal(rank(RULESET.options(battle, battle.combatants[turn]), RULESET.metrics())))
        return self.chance.choice([*open_to, None])


def played(number: int, **at_random: Chooser) -> FightEngine:
    fight = begin(SimulationPlan(equal_teams(), runs=FIGHTS, seed=17), number)
    for _ in play(fight, PlayLimits(to_end=True), choosers=dict(at_random)):
        pass
    return fight


@pytest.mark.parametrize("number", range(3))
def test_a_fight_plays_itself_to_the_end_and_verifies(number: int) -> None:
    fight = played(number)
    assert fight.battle.clock.closed
    assert len(sides_left(fight.battle)) <= 1
    assert list(check_declarations(fight.events)) == []


@pytest.mark.slow
def test_it_beats_play_at_random() -> None:
    """Sides change places, so that it is not the place that wins. Chance alone would win half of the fights."""
    won = 0
    for number in range(FIGHTS):
        clever, other = ("left", "right") if number % 2 else ("right", "left")
        won += sides_left(played(number, **{other: AtRandom(number)}).battle) == [clever]
    assert won >= FIGHTS * 0.75


def test_the_same_battle_leads_to_the_same_fight() -> None:
    assert [event.kind for event in played(1).events] == [event.kind for event in played(1).events]


def test_the_chances_of_fate_dice() -> None:
    """Of 81 rolls of four dice 19 come to 0; 1 comes to 4, and stays there if no plus follows (16 of 81)."""
    chances = fate()
    assert isclose(sum(chances.values()), 1)
    assert isclose(chances[0], 19 / 81)
    assert isclose(chances[4], 16 / 81**2)


@pytest.mark.parametrize(("success_value", "worth"), [(-1, 0), (0, 0.4 * 1.5), (1, 0.4 * 2)])
def test_what_a_hit_is_worth(success_value: int, worth: float) -> None:
    """1d6/3 is 1 or 2, 1d6/2 is 1, 2 or 3: FAT only, and a FAT is worth 0.4."""
    assert isclose(worth_of_hit(success_value, 0), worth)


def test_advice_ranks_the_attack_first_and_whoever_is_tired_rests() -> None:
    drill = duel()
    ana = drill.battle.combatants["ana"]
    assert RULESET.advise(drill.battle, ana)[0].choice.startswith("attack bor")
    rule(drill, "ana", fat=1, ap=4)
    assert RULESET.advise(drill.battle, ana)[0].choice.startswith("rest")


# Boosts, aiming and waiting


class AsBefore:
    """Chooses like the player that neither boosts nor aims nor waits."""

    def __call__(self, battle: Battle) -> Score | None:
        turn = battle.clock.turn
        if turn is None:
            return None
        options = [one for one in RULESET.options(battle, battle.combatants[turn]) if one.name not in ("aim", "delay")]
        plain = (found for found in rank(options, RULESET.metrics()) if not found.aim.options.keys() & BOOSTS)
        best = next(legal(plain), None)
        return best if best is not None and best.total > WORTH_IT else None


BOOSTS = {"boost_ap", "boost_fat"}


@pytest.mark.slow
def test_it_beats_the_player_that_does_not_boost() -> None:
    won = 0
    for number in range(FIGHTS):
        clever, other = ("left", "right") if number % 2 else ("right", "left")
        won += sides_left(played(number, **{other: AsBefore()}).battle) == [clever]
    assert won >= FIGHTS * 0.6


def chosen(drill: Drill) -> Score:
    found = choose(drill.battle)
    assert found is not None
    return found


def test_it_boosts_with_fat_while_there_is_plenty_and_not_when_it_is_dear() -> None:
    drill = duel()
    assert chosen(drill).option.name == "attack"
    assert chosen(drill).aim.options["boost_fat"] >= 1
    rule(drill, "ana", fat=6)
    assert chosen(drill).aim.options.get("boost_fat", 0) <= 2  # less than 4 FAT left would take a Focus check
    rule(drill, "ana", fat=4)
    assert not chosen(drill).aim.options.keys() & BOOSTS


def archers(bows: int) -> Drill:
    drill = Drill(ruleset="action_points")
    skills = {"bows": bows, "swords": 3, "dodge": 6, "focus": 4, "stealth": 14}
    drill.join("archer", "Ada", (0, 0), overrides={"skills": skills}, reactions={"*": "never"})
    drill.join("novice", "Nod", (8, 0), side="foes", reactions={"*": "never"})
    drill.start()
    return drill


def test_it_aims_while_the_bow_cools_down() -> None:
    drill = archers(bows=3)  # three seconds between shots, which is a round
    attack(drill, [*ZERO, 4], by="ada", at="nod")
    assert chosen(drill).option.name == "aim"
    assert chosen(drill).aim.targets == ("nod",)


def test_ap_that_would_be_lost_boost_the_only_shot_of_the_round() -> None:
    """AP 3 of 3 and FAT 14: 3 come back, so the 2 that the shot leaves are worth nothing."""
    drill = archers(bows=3)
    rule(drill, "ada", fat=14)
    bow = next(one for one in RULESET.options(drill.battle, drill.battle.combatants["ada"]) if one.name == "attack")
    assert isinstance(bow, Striking)
    assert bow.spare_ap == 2
    assert {aim.options.get("boost_ap") for aim in bow.aims()} == {None, 1, 2}


def test_it_waits_for_somebody_who_is_about_to_come_if_it_can_only_go_or_strike() -> None:
    drill = Drill(ruleset="action_points")
    drill.join("duelist", "Ana", (0, 0), reactions={"*": "never"})
    drill.join("brigand", "Bor", (10, 0), side="foes", reactions={"*": "never"})
    drill.start()
    assert chosen(drill).option.name in ("step", "move")
    rule(drill, "ana", ap=1)
    assert chosen(drill).option.name == "delay"
    assert chosen(drill).aim.targets == ("bor",)


def test_simulations_count_the_damage_that_waits_in_pools() -> None:
    """Ana's 15 against 7 is SV 8: 2d10, here 5, so FAT 5 and VIT 1. Bor's 13 against 13 is SV 0: 1d6/3, so FAT 1."""
    drill = duel()
    attack(drill, [*ZERO, 2, 3])
    drill.end_turn("ana")
    attack(drill, [*ZERO, 1], by="bor", at="ana")
    assert damage_by_side(drill.battle, drill.fight.events) == {"foes": 1, "heroes": 6}
