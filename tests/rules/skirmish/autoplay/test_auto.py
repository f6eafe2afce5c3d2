"""Automatic play of skirmishes: only legal declarations, always an end, and better than chance."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatlog.rules.autoplay.player import Chooser, PlayLimits, choose, play, sides_left
from combatlog.rules.autoplay.scoring import Score, score
from combatlog.rules.autoplay.simulate import SimulationPlan, run_all
from combatlog.rules.content.scenario import Scenario
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.skirmish import RULESET
from combatlog.rules.skirmish.autoplay.odds import Matchup, Spending, damage_odds, together
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from tests.effort import examples
from tests.rules.skirmish.arena import Arena, library

TEAM = (("vanguard", 3), ("scout", 5), ("officer", 7))


def even_fight(seed: int, policy: str = "ask") -> FightEngine:
    """Three against three of the same, mirrored, with the same decks."""
    drill = Drill(ruleset="skirmish", dice=f"seed:{seed}")
    for side, column in (("rebels", 3), ("empire", 11)):
        drill.join("rebel-player", side, side=side, reactions={"*": policy})
        for sheet, row in TEAM:
            drill.join(sheet, f"{side}-{sheet}", (column, row), side=side)
    drill.do("gm", "start")
    return drill.fight


def at_random(chance: Random) -> Chooser:
    """Anything legal, or the end of the activation."""

    def choose(battle: Battle) -> Score | None:
        able = chance.choice(RULESET.to_act(battle))
        options = [option for option in RULESET.options(battle, able) if option.is_open()]
        for _ in range(30 if options and (battle.clock.turn is None or chance.random() > 0.1) else 0):
            option = chance.choice(options)
            aims = option.aims()
            aim = chance.choice(aims) if aims else None
            if aim is not None and option.permits(aim):
                return score(option, aim, RULESET.metrics())
        return None

    return choose


@examples(5)
@given(st.integers(0, 10_000))
def test_a_skirmish_plays_itself_to_its_end_and_verifies(seed: int) -> None:
    """Whatever is refused would be raised here."""
    fight = even_fight(seed)
    list(play(fight, PlayLimits(to_end=True)))
    assert fight.battle.clock.closed
    assert list(check_declarations(fight.events)) == []


def test_the_same_battle_leads_to_the_same_choices() -> None:
    one, other = ([step.what for step in play(even_fight(3), PlayLimits(rounds=2))] for _ in range(2))
    assert one == other


@pytest.mark.slow
def test_it_beats_random_legal_play_clearly() -> None:
    """Of 10 even fights with fixed dice, random play wins hardly any."""
    won = 0
    for seed in range(10):
        side = ("rebels", "empire")[seed % 2]
        fight = even_fight(seed)
        list(play(fight, PlayLimits(to_end=True), choosers={side: at_random(Random(seed))}))
        won += side not in sides_left(fight.battle)
    assert won >= 9


def test_advice_before_and_in_an_activation() -> None:
    fight = even_fight(1)
    (first, *_) = RULESET.to_act(fight.battle)
    assert [advice.choice for advice in RULESET.advise(fight.battle, first)] == ["activate"]
    step = next(play(fight, PlayLimits(turns=1)))
    advice = RULESET.advise(fight.battle, fight.battle.combatants[step.who])
    assert advice[0].recommended


@pytest.mark.slow
def test_simulated_skirmishes_have_a_winner() -> None:
    players = [{"sheet": "rebel-player", "as": side, "side": side} for side in ("rebels", "empire")]
    figures = [
        {"sheet": sheet, "as": f"{side}-{sheet}", "side": side, "at": [column, row]}
        for side, column in (("rebels", 3), ("empire", 11))
        for sheet, row in TEAM
    ]
    data = {"encounter": "simulated", "ruleset": "skirmish", "combatants": [*players, *figures]}
    results = list(run_all(SimulationPlan(Scenario.model_validate(data), 2, 7), 1))
    assert {result.winner for result in results} <= {"rebels", "empire"}


def matchup(**more: object) -> Matchup:
    plain: dict[str, object] = dict.fromkeys(("needed", "accuracy", "damage", "surge", "pierce", "block", "evade"), 0)
    return Matchup(**{"attack": ("red",), "defense": (), "spendings": together([]), **plain, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("case", "odds"),
    [
        # red: 1, 2, 2, 2, 3, 3
        (matchup(), {1: 1 / 6, 2: 3 / 6, 3: 2 / 6}),
        (matchup(block=2), {0: 4 / 6, 1: 2 / 6}),
        (matchup(block=2, pierce=1), {0: 1 / 6, 1: 3 / 6, 2: 2 / 6}),
        # one face of six has a surge, which is worth 2 more
        (matchup(spendings=together([Spending(1, damage=2)])), {1: 1 / 6, 2: 2 / 6, 3: 2 / 6, 4: 1 / 6}),
        # blue: accuracy 2, 2, 5, 3, 3, 4 with damage 0, 1, 1, 1, 2, 2
        (matchup(attack=("blue",), needed=3), {0: 2 / 6, 1: 2 / 6, 2: 2 / 6}),
        # white dodges once in six, and blocks 1 three times
        (matchup(defense=("white",), block=0, attack=()), {0: 1.0}),
        (matchup(defense=("white",)), {0: 1 / 6 + 3 / 36, 1: 2 / 36 + 9 / 36, 2: 6 / 36 + 6 / 36, 3: 4 / 36}),
    ],
)
def test_the_odds_of_an_attack(case: Matchup, odds: dict[int, float]) -> None:
    assert damage_odds(case) == pytest.approx(odds)


def test_a_figure_with_nothing_better_to_do_takes_a_terminal() -> None:
    walls = [f"{x},6|{x},7" for x in range(30)]
    arena = Arena(pile=["Blitz"], foe_at=(6, 20), walls=walls, terminals=["8,5"])
    arena.do("hero", "activate")
    chosen = choose(arena.fight.battle)
    assert chosen is not None
    assert chosen.aim.place is not None
    assert max(abs(chosen.aim.place[0] - 8), abs(chosen.aim.place[1] - 5)) <= 1


SCOPE = {"attach": "self", "whileAttached": {"attackBonusHits": 1}}
MEDKIT = {"attach": "self", "depleteTo": {"timing": "duringActivation", "recoverDamage": 3}}


@pytest.mark.parametrize("entry", [SCOPE, {"nextAttackBonusPierce": 2}, {"roundAttackBonusHits": 1}])
def test_it_plays_what_makes_its_attack_better_before_it_attacks(entry: dict[str, Any]) -> None:
    arena = Arena(hand=["Tested"], library=library(entry))
    arena.do("hero", "activate")
    first = choose(arena.fight.battle)
    assert first is not None
    assert first.option.name == "play"
    arena.play("hero", "Tested")
    second = choose(arena.fight.battle)
    assert second is not None
    assert second.option.name == "attack"


@pytest.mark.parametrize(("health", "is_useful"), [(3, True), (10, False)])
def test_an_attachment_is_used_when_that_changes_something(health: int, is_useful: bool) -> None:
    arena = Arena(hand=["Tested"], library=library(MEDKIT), foe_at=(30, 30), map="\n".join(["." * 40] * 40))
    arena.rule("hero", set={"health": health})
    arena.do("hero", "activate")
    arena.play("hero", "Tested")
    options = [one for one in RULESET.options(arena.fight.battle, hero_of(arena)) if one.name == "deplete"]
    assert [one.changes_something for one in options] == [is_useful]


def hero_of(arena: Arena) -> Combatant:
    return arena.fight.battle.combatants["hero"]
