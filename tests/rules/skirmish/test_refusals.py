"""What a refusal says as data: a program can tell who lacks what without reading the sentence."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.engine.resolution.fight_engine import Declaration
from combatlog.testing import Drill
from ledger.errors import Problem
from ledger.events import Data
from tests.cases import each
from tests.rules.skirmish.arena import Arena

SPECIALS = ["dc_special:Field Medic:0", "dc_special:Field Captain:0"]


def arena(*conditions: str, **options: Any) -> Arena:
    """The hero is active, in these conditions."""
    active = Arena(**options)
    active.do("hero", "activate")
    if conditions:
        active.rule("hero", add=list(conditions))
    return active


def facts_of(problem: Problem) -> tuple[str, Data]:
    return problem.code, problem.facts


@each(
    ("who", "action", "said", "code", "facts"),
    [
        (
            "hero",
            "walk",
            {"to": (4, 4)},
            "economy/no-mp-left",
            {"who": "hero", "resource": "mp", "needed": 1, "available": 0},
        ),
        (
            "hero",
            "move",
            {"to": (5, 12)},
            "economy/no-mp-left",
            {"who": "hero", "resource": "mp", "position": (5, 12), "needed": 7, "available": 4},
        ),
        (
            "hero",
            "attack",
            {},
            "attack/one-target",
            {"who": "hero", "needed": 1, "found": [], "available": ["foe"]},
        ),
        (
            "hero",
            "attack",
            {"target": "feo"},
            "declaration/unknown-combatant",
            {"who": "hero", "target": "feo", "available": ["foe"], "suggestions": ["foe"]},
        ),
        (
            "hero",
            "attack",
            {"target": "rebels"},
            "attack/target",
            {"who": "hero", "target": "rebels", "available": ["foe"]},
        ),
        ("hero", "shake_off", {}, "shake-off/nothing", {"who": "hero"}),
        ("hero", "special", {}, "special/none", {"who": "hero"}),
        ("foe", "activate", {}, "turn/other", {"who": "foe", "turn": "hero"}),
        ("rebels", "activate", {}, "figure/player", {"who": "rebels"}),
        ("hero", "end_round", {}, "round/goes-on", {"available": ["foe"]}),
        (
            "hero",
            "play",
            {"options": {"card": "Blitzz"}},
            "card/unknown",
            {"card": "Blitzz", "suggestions": ["Blitz"]},
        ),
        ("hero", "play", {"options": {"card": "Rally"}}, "card/not-in-hand", {"who": "rebels", "card": "Rally"}),
        (
            "hero",
            "play",
            {"options": {"card": "Hour of Need"}},
            "card/trait",
            {"who": "rebels", "card": "Hour of Need", "needed": "REBEL"},
        ),
    ],
)
def test_the_facts_of_a_refusal(who: str, action: str, said: dict[str, Any], code: str, facts: Data) -> None:
    with pytest.raises(Problem) as refused:
        arena(hand=["Blitz", "Hour of Need"]).do(who, action, **said)
    assert facts_of(refused.value) == (code, facts)


def test_a_card_is_refused_with_the_moment_that_it_is_for() -> None:
    with pytest.raises(Problem) as refused:
        arena(hand=["Blitz"]).play("hero", "Blitz")
    assert facts_of(refused.value) == (
        "card/timing",
        {
            "who": "rebels",
            "card": "Blitz",
            "needed": "attacking",
            "found": ["startOfActivation", "duringActivation", "specialAction", "doubleAction"],
        },
    )


def test_what_an_action_costs_is_in_the_facts() -> None:
    active = arena()
    active.do("hero", "move")
    active.do("hero", "move")
    with pytest.raises(Problem) as refused:
        active.do("hero", "attack", target="foe")
    assert facts_of(refused.value) == (
        "economy/no-actions-left",
        {"who": "hero", "resource": "actions", "needed": 1, "available": 0},
    )


def test_whoever_is_stunned_is_refused_with_the_condition() -> None:
    with pytest.raises(Problem) as refused:
        arena("stunned").do("hero", "attack", target="foe")
    assert facts_of(refused.value) == ("figure/stunned", {"who": "hero", "condition": "skirmish:condition:stunned"})


def test_which_condition_to_shake_off() -> None:
    with pytest.raises(Problem) as refused:
        arena("stunned", "bleeding").do("hero", "shake_off", options={"condition": "weakened"})
    assert facts_of(refused.value) == (
        "shake-off/which",
        {"who": "hero", "condition": "weakened", "available": ["stunned", "bleeding"]},
    )


def test_which_special_action_to_use() -> None:
    with pytest.raises(Problem) as refused:
        arena(hero={"abilities": SPECIALS}).do("hero", "special", options={"ability": "dc_special:Field Medic"})
    assert facts_of(refused.value) == (
        "special/which",
        {
            "who": "hero",
            "ability": "dc_special:Field Medic",
            "available": SPECIALS,
            "suggestions": [SPECIALS[0], SPECIALS[1]],
        },
    )


def test_who_can_be_activated_instead() -> None:
    waiting = Arena()
    with pytest.raises(Problem) as refused:
        waiting.do("foe", "activate")
    assert facts_of(refused.value) == ("turn/other-player", {"who": "foe", "available": ["hero"]})


def test_only_the_gm_can_let_a_figure_interrupt() -> None:
    declaration = Declaration(actor="foe", action="interrupt", targets=("hero",), by="bob")
    with pytest.raises(Problem) as refused:
        arena().fight.declare(declaration, dice=[])
    assert facts_of(refused.value) == ("attack/not-allowed", {"who": "foe", "needed": "gm", "found": "bob"})


def test_an_answer_that_does_not_exist_comes_with_suggestions() -> None:
    with pytest.raises(Problem) as refused:
        arena(hand=["Blitz"]).do("hero", "attack", target="foe", dice=[], replies={"rebels": "blits"})
    assert refused.value.code == "declaration/unknown-reaction"
    assert (refused.value.facts["reaction"], refused.value.facts["suggestions"][0]) == ("blits", "blitz")


def test_a_skirmish_starts_with_two_players_who_have_figures() -> None:
    drill = Drill(ruleset="skirmish")
    drill.join("rebel-player", "Ana", side="rebels")
    with pytest.raises(Problem) as refused:
        drill.start()
    assert facts_of(refused.value) == ("start/players", {"needed": 2, "found": ["ana"]})
    drill.join("imperial-player", "Bo", side="empire")
    with pytest.raises(Problem) as refused:
        drill.start()
    assert facts_of(refused.value) == ("start/no-figures", {"side": "rebels"})


def test_a_skirmish_does_not_go_on_without_the_opponent() -> None:
    """Whatever needs the other player is refused; the hero can still be looked at, and the fight can be closed."""
    arena = Arena()
    arena.do("hero", "activate")
    arena.do("empire", "leave")
    problem = arena.refusal("hero", "end-turn")
    assert facts_of(problem) == ("skirmish/no-opponent", {"who": "rebels", "side": "rebels"})
    assert arena.seen_by().actions("hero")
    arena.do("gm", "close")


def test_a_round_does_not_end_with_a_third_player() -> None:
    arena = Arena()
    arena.join({"kind": "player", "name": "Others", "deck": []}, "Others", side="others")
    for figure in ("hero", "foe"):
        arena.do(figure, "activate")
        if figure == "hero":
            arena.end(figure)
    problem = arena.refusal("foe", "end-turn")
    assert facts_of(problem) == ("skirmish/players", {"needed": 2, "found": ["rebels", "empire", "others"]})
    arena.do("others", "leave")
    arena.end("foe")
    assert arena["round"] == 2


def test_conditions_by_a_ruling_that_gives_no_amount() -> None:
    """A ruling cannot say how much faster, how many dice or which reward: such a condition changes nothing."""
    arena = Arena()
    conditions = ("quickened", "fewer_dice", "overrunning", "next_activation", "worth", "out_of_sight", "on_the_hunt")
    for condition in conditions:
        arena.rule("hero", add=[condition])
    arena.rule("rebels", add=["overdrive"])
    arena.do("hero", "activate")
    assert arena["hero.mp"] == 0
    arena.do("hero", "move", to=(5, 9))
    assert arena["hero.mp"] == 0
    arena.do("hero", "move", to=(5, 5))
    arena.do("gm", "hurt", target="foe", options={"amount": 10})
    assert arena["rebels.vp"] == 3
