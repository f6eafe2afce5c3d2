"""Automatic play: only legal declarations, always an end, and better than chance."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatlog.rules.autoplay.player import Chooser, PlayLimits, choose, play, sides_left
from combatlog.rules.autoplay.scoring import Score, score
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of
from ledger.events import Declared, EncounterClosed
from projections.battle.fold import Battle, fold
from tests.effort import examples
from tests.rules.dnd5e.random_play import RandomFight
from tests.rules.tiny_ruleset import Tiny


def played(fight: FightEngine, **limits: object) -> list[str]:
    return [f"{step.who}: {step.what}" for step in play(fight, PlayLimits(**limits))]  # type: ignore[arg-type]


def even_fight(seed: int) -> FightEngine:
    """Four against four of the same, mirrored."""
    drill = Drill(dice=f"seed:{seed}")
    for side, column in (("heroes", 4), ("foes", 14)):
        for row, sheet in enumerate(("fighter", "goblin", "orc", "skeleton")):
            drill.join(sheet, f"{side}-{sheet}", (column, 4 + 2 * row), side=side, controller="gm")
    drill.do("gm", "start")
    return drill.fight


@examples(12)
@given(st.integers(min_value=0, max_value=10_000))
def test_a_fight_between_anybody_on_any_ground_is_legal_and_comes_to_an_end(seed: int) -> None:
    """Whatever is refused would be raised here."""
    fight = RandomFight(seed).fight
    list(play(fight, PlayLimits(to_end=True)))
    assert fight.battle.clock.closed
    assert len(all_of(fight.events, EncounterClosed)) == 1


@examples(8)
@given(st.integers(min_value=0, max_value=10_000))
def test_play_can_be_taken_over_in_the_middle_of_anything(seed: int) -> None:
    """After random commands, rulings and open windows among them, both sides go on by themselves."""
    random_fight = RandomFight(seed)
    for _ in range(30):
        random_fight.command()
    fight = random_fight.fight
    if fight.battle.clock.turn is not None or fight.battle.window is not None:
        list(play(fight, PlayLimits(to_end=True)))
        assert fight.battle.clock.closed


def test_the_same_battle_leads_to_the_same_choices() -> None:
    one, other = even_fight(3), even_fight(3)
    assert played(one, to_end=True) == played(other, to_end=True)


def test_what_is_remembered_from_earlier_choices_changes_none() -> None:
    """At every step a battle folded anew, of which nothing is remembered, leads to the same scores."""
    fight = even_fight(4)
    for _ in play(fight, PlayLimits(turns=10)):
        one, other = choose(fight.battle), choose(fold(fight.events))
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert (one.words, one.metrics) == (other.words, other.metrics)


def test_a_fight_that_played_itself_verifies() -> None:
    fight = even_fight(5)
    played(fight, to_end=True)
    assert list(check_declarations(fight.events)) == []


def at_random(chance: Random) -> Chooser:
    """Legal play without judgement: any option at any aim that is permitted, or the end of the turn."""
    rules = rulesets.find("dnd5e")

    def choose_any(battle: Battle) -> Score | None:
        assert battle.clock.turn is not None
        options = rules.options(battle, battle.combatants[battle.clock.turn])
        aimed = [(option, aims) for option in options if option.is_open() and (aims := option.aims())]
        for _ in range(30 if aimed and chance.random() > 0.1 else 0):
            option, aims = chance.choice(aimed)
            aim = chance.choice(aims)
            if option.permits(aim):
                return score(option, aim, rules.metrics())
        return None

    return choose_any


@pytest.mark.slow
def test_it_beats_random_legal_play_clearly() -> None:
    """Of 12 even fights, six on each side, all but at most two are won; by chance that would be one in 52."""
    won = 0
    for number in range(12):
        clever, random = ("heroes", "foes") if number % 2 else ("foes", "heroes")
        fight = even_fight(number)
        choosers = {clever: choose, random: at_random(Random(number))}
        list(play(fight, PlayLimits(to_end=True), choosers=choosers))
        won += sides_left(fight.battle) == [clever]
    assert won >= 10


def test_reactions_are_answered_by_what_is_useful() -> None:
    seeded = Drill(dice="seed:1")
    seeded.join("fighter", "Hero", (1, 1))
    seeded.join("paladin", "Friend", (1, 2), reactions={"protection": "ask"})
    seeded.join("goblin", "Foe", (2, 1), side="foes")
    seeded.do("gm", "start")
    while seeded["turn"] != "foe":
        seeded.next_turn()
    seeded.do("foe", "melee_attack", target="hero")
    first = next(play(seeded.fight, PlayLimits(turns=1)))
    assert (first.who, first.what) == ("friend", "uses protection")


def test_one_side_plays_until_somebody_of_the_other_has_to_act() -> None:
    fight = even_fight(2)
    said = [step.who for step in play(fight, PlayLimits(to_end=True), sides=["foes"])]
    assert all(who.startswith("foes") for who in said)
    turn = fight.battle.clock.turn
    assert turn is not None
    assert turn.startswith("heroes")


def test_it_plays_as_many_turns_as_it_is_told() -> None:
    fight = even_fight(1)
    turns = [step for step in play(fight, PlayLimits(turns=3)) if step.ends_turn]
    assert len(turns) == 3
    assert not fight.battle.clock.closed


def test_it_plays_as_many_rounds_as_it_is_told() -> None:
    fight = even_fight(1)
    list(play(fight, PlayLimits(rounds=1)))
    assert fight.battle.clock.round == 2
    assert not fight.battle.clock.closed


def test_every_choice_says_why() -> None:
    fight = even_fight(1)
    for step in play(fight, PlayLimits(turns=2)):
        assert step.why
        assert step.ends_turn or isinstance(step.events[0], Declared)


def test_a_side_that_nobody_fights_for_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        list(play(even_fight(1), PlayLimits(turns=1), sides=["pirates"]))
    assert refused.value.code == "auto/unknown-side"


def test_a_ruleset_that_cannot_play_says_so() -> None:
    rulesets.use(Tiny())
    drill = Drill(ruleset="tiny", dice="seed:1")
    with pytest.raises(Refusal) as refused:
        list(play(drill.fight, PlayLimits(turns=1)))
    assert refused.value.code == "auto/cannot"
