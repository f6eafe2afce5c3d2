"""What a person decides: asked in a window, carried on after a pause, and ruled where the engine stops."""

from __future__ import annotations

import pytest

from combatlog.testing import all_of, only
from ledger.events import ManualResolutionNeeded, ReactionChosen, Ruled
from projections.battle.fold import fold
from tests.rules.skirmish.arena import Arena


def test_an_attack_waits_for_both_players_and_goes_on_over_its_tape() -> None:
    arena = Arena(
        hand=["Blitz"], foe_hand=["Brace for Impact"], hero={"surges": ["damage 1", "pierce 1"]}, policies={"*": "ask"}
    )
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe")
    assert arena["waiting"] == "rebels"
    arena.react("rebels", "Blitz")
    assert arena["waiting"] == "empire"
    arena.react("empire", "brace_for_impact", dice=["0/2/0", "0/0", "1/0"])
    assert arena["waiting"] == "rebels"  # one surge, two ways to spend it
    events = arena.react("rebels", "pierce 1")
    assert arena["foe.health"] == 8
    assert only(events, ReactionChosen).reaction == "skirmish:surge:pierce_1"


def test_a_player_is_asked_which_figures_when_there_are_more_than_allowed() -> None:
    others = [("Ally", "rebels", (5, 6), {}), ("Second", "rebels", (4, 5), {}), ("Third", "rebels", (4, 4), {})]
    arena = Arena(hand=["Inspiring Speech"], others=others, policies={"*": "ask"})
    arena.do("hero", "activate")
    arena.play("hero", "Inspiring Speech")
    assert arena["waiting"] == "rebels"
    arena.react("rebels", "second")
    arena.react("rebels", None)  # up to two: one is enough
    focused = [name for name in ("ally", "second", "third") if arena[f"{name}.conditions"] == ["focused"]]
    assert focused == ["second"]


def test_nobody_is_asked_where_there_is_no_choice() -> None:
    arena = Arena(hand=["Inspiring Speech"], others=[("Ally", "rebels", (5, 6), {})], policies={"*": "ask"})
    arena.do("hero", "activate")
    arena.play("hero", "Inspiring Speech")
    assert (arena["waiting"], arena["ally.conditions"]) == (None, ["focused"])


def test_cards_at_the_end_of_a_round_are_asked_for() -> None:
    arena = Arena(hand=["Against the Odds"], policies={"*": "ask"})
    arena.rule("empire", set={"vp": 9})
    for who in ("hero", "foe"):
        arena.do(who, "activate")
        arena.end(who)
    assert (arena["waiting"], arena["round"]) == ("rebels", 1)
    arena.react("rebels", "Against the Odds")
    assert (arena["round"], arena["hero.conditions"]) == (2, ["focused"])


def test_a_setting_answers_for_the_player() -> None:
    arena = Arena(hand=["Positioning Advantage"], policies={"positioning_advantage": "always", "*": "never"})
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"])
    assert arena["foe.health"] == 7


@pytest.mark.parametrize("name", ["blitz", "Blitz", "card:Blitz", "skirmish:card:blitz"])
def test_a_card_is_named_as_people_write_it(name: str) -> None:
    arena = Arena(hand=["Blitz"])
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"], replies={"rebels": name})
    assert arena["rebels.pile.discard"] == ("Blitz",)


def test_an_answer_that_is_not_offered_is_refused() -> None:
    arena = Arena(hand=["Blitz"])
    arena.do("hero", "activate")
    attack = {"target": "foe", "dice": ["0/2/0", "0/0"]}
    assert arena.refusal("hero", "attack", **attack, replies={"rebels": "Deadeye"}).code == "reaction/not-offered"
    assert (
        arena.refusal("hero", "attack", **attack, replies={"rebels": "nonsense"}).code == "declaration/unknown-reaction"
    )


def test_what_the_engine_leaves_is_a_question_until_a_ruling_answers_it() -> None:
    arena = Arena(hand=["Heavy Ordnance"])
    arena.do("hero", "activate")
    events = arena.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"], replies={"rebels": "Heavy Ordnance"})
    question = only(events, ManualResolutionNeeded)
    assert (question.subject, question.source) == ("hero", "skirmish:card:heavy_ordnance")
    assert list(arena.fight.battle.questions) == [question.seq]
    arena.rule("foe", set={"health": 6}, answers=question.seq)
    assert (arena["foe.health"], arena.fight.battle.questions) == (6, {})
    assert all_of(arena.fight.events, Ruled)[-1].answers == question.seq
    assert fold(arena.fight.events).questions == {}


def test_a_ruling_answers_only_what_was_asked() -> None:
    arena = Arena()
    options = {"reason": "because", "note": "so be it", "answers": 3}
    assert arena.refusal("gm", "rule", options=options).code == "rule/no-question"


def test_a_player_who_is_left_to_the_gm_does_what_is_useful() -> None:
    """It plays the card, spends the token and the surge, and prevents a strain only where that saves a figure."""
    useful = {"*": "when useful"}
    arena = Arena(hand=["Positioning Advantage"], pile=["Focus"], hero={"surges": ["damage 1"]}, policies=useful)
    arena.rule("hero", set={"hit_token": 1, "health": 1}, add=["bleeding"])
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/2/1", "0/0"])
    assert (arena["foe.health"], arena["hero.health"], arena["hero.hit_token"]) == (5, 1, 0)
    assert arena["rebels.pile.discard"] == ("Positioning Advantage", "Focus")
