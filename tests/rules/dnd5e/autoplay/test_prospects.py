"""Looking ahead: what the attack from another square would be worth, hoped for and looked at closely."""

from __future__ import annotations

import pytest

from combatlog.testing import Drill
from rules.autoplay.auto import Limits, play
from rules.autoplay.option import Aim
from rules.dnd5e.autoplay.outlook import Outlook
from rules.engine.fight import Fight
from tests.rules.dnd5e.autoplay.support import PILLARS, option, ranked

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
    aim = Aim(place=(3, 5))
    hoped = move.outcome(aim).opens_up
    assert move.look_closer(aim)
    assert move.outcome(aim).opens_up < hoped
    assert not move.look_closer(aim)


def ruins_fight(seed: int) -> Fight:
    drill = Drill(dice=f"seed:{seed}", map=PILLARS)
    for side, column in (("heroes", 1), ("foes", 14)):
        for row, sheet in enumerate(("fighter", "cleric", "hobgoblin")):
            drill.join(sheet, f"{side}-{sheet}", (column, 1 + 2 * row), side=side, controller="gm")
    drill.do("gm", "start")
    return drill.fight


@pytest.mark.parametrize("seed", range(3))
def test_nobody_walks_back_and_forth(seed: int) -> None:
    """Whoever walks, and walks again before anything else, does not get back to where it was."""
    fight = ruins_fight(seed)
    stood: list[object] = []
    for step in play(fight, Limits(rounds=6)):
        walked = step.what.startswith("move")
        place = fight.battle.combatants[step.who].position if step.who in fight.battle.combatants else None
        assert not (walked and place in stood)
        stood = [*stood, place] if walked else []
