"""Automatic play: fights end, legally, and it beats play at random."""

from __future__ import annotations

from math import isclose
from random import Random
from typing import Any

import pytest

from projections.battle import Battle
from rules.action_points import RULESET
from rules.action_points.autoplay.odds import fate, worth_of_hit
from rules.autoplay.auto import Limits, play, sides_left
from rules.autoplay.scoring import Score, legal, rank
from rules.autoplay.simulate import Plan, begin
from rules.content.scenario import Scenario
from rules.engine.fight import Fight
from rules.engine.verify import check_declarations
from tests.rules.action_points.support import duel, rule

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


def played(number: int, **at_random: AtRandom) -> Fight:
    fight = begin(Plan(equal_teams(), runs=FIGHTS, seed=17), number)
    for _ in play(fight, Limits(to_end=True), choosers=dict(at_random)):
        pass
    return fight


@pytest.mark.parametrize("number", range(3))
def test_a_fight_plays_itself_to_the_end_and_verifies(number: int) -> None:
    fight = played(number)
    assert fight.battle.clock.closed
    assert len(sides_left(fight.battle)) <= 1
    assert list(check_declarations(fight.events)) == []


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
