"""Attachments: cards that stay in play, are exhausted and readied, depleted, and discarded with their group."""

from __future__ import annotations

from typing import Any

from combatlog.rules.content.scenario import look_up
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.corrections.rebase import Impossible, Remedies
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import all_of, only
from ledger.events import CardsMoved, Damaged
from tests.cases import each
from tests.rules.skirmish.arena import Arena, Case, library, of, ruled, run_property
from tests.rules.skirmish.fights import declaration

HIT_2, HIT_3, NO_BLOCK = "0/2/0", "0/3/0", "0/0"
OTHER = ("Other", "empire", (9, 9), {})


def hero_attacks(arena: Arena) -> None:
    arena.do("hero", "attack", target="foe", dice=[HIT_2, NO_BLOCK])


def hero_attacks_with_exhausting(arena: Arena) -> None:
    replies = {"rebels": ["exhaust:Tested"]}
    arena.do("hero", "attack", target="foe", dice=[HIT_2, NO_BLOCK], replies=replies)


def exhaust_in_each_round(arena: Arena) -> None:
    arena.do("hero", "exhaust")
    assert arena["hero.mp"] == 1
    assert arena.refusal("hero", "exhaust").code == "attachment/exhausted"
    arena.end("hero")
    for who in ("foe", "foe"):
        arena.do(who, "activate")
        arena.end(who)
    arena.do("hero", "activate")
    arena.do("hero", "exhaust", options={"card": "Tested"})


def deplete_once(arena: Arena) -> None:
    arena.do("hero", "deplete")
    assert arena.refusal("hero", "deplete").code == "attachment/none"


def foe_attacks(arena: Arena) -> None:
    arena.end("hero")
    arena.do("foe", "activate")
    arena.do("foe", "attack", target="hero", dice=[HIT_3, NO_BLOCK])


def round_ends(arena: Arena) -> None:
    arena.end("hero")
    arena.do("foe", "activate")
    arena.end("foe")


def activation_ends(arena: Arena) -> None:
    arena.end("hero")


CASES: dict[str, list[Case]] = {
    "attach": [
        Case({"rebels.pile.attached": ["Tested"], "rebels.pile.discard": []}, {"attach": "self"}, lies_in="attached"),
        Case(
            {"rebels.pile.attached": ["Tested"]},
            {"attach": "hostile"},
            others=[OTHER],
            then=["other"],
            lies_in="attached",
        ),
        Case({"rebels.pile.attached": ["Tested"]}, {"attach": "player"}, lies_in="attached"),
        Case(
            {"rebels.pile.attached": ["Tested"]},
            {"attach": "friendly", "timing": "startOfRound"},
            how="start of round",
            lies_in="attached",
        ),
    ],
    "whileAttached": [
        Case(  # one more hit in the hero's attacks
            {"foe.health": 7},
            {"attach": "self", "whileAttached": {"attackBonusHits": 1}},
            after=hero_attacks,
            lies_in="attached",
        ),
        Case(  # on a hostile card: for whoever attacks that group
            {"foe.health": 7},
            {"attach": "hostile", "whileAttached": {"attackBonusHits": 1}},
            others=[OTHER],
            then=["foe"],
            after=hero_attacks,
            lies_in="attached",
        ),
        Case(  # on another group: nothing
            {"foe.health": 8},
            {"attach": "hostile", "whileAttached": {"attackBonusHits": 1}},
            others=[OTHER],
            then=["other"],
            after=hero_attacks,
            lies_in="attached",
        ),
        Case(
            {"hero.health": 9},
            {"attach": "self", "whileAttached": {"applyDefenseBonusBlock": 2}},
            after=foe_attacks,
            lies_in="attached",
        ),
    ],
    "exhaustTo": [
        Case(
            {"hero.mp": 1, "round": 2},
            {"attach": "player", "exhaustTo": {"mpBonus": 1}},
            after=exhaust_in_each_round,
            lies_in="attached",
        ),
        Case(  # in an attack, when a window asks
            {"foe.health": 6},
            {"attach": "self", "exhaustTo": {"attackBonusHits": 2}},
            after=hero_attacks_with_exhausting,
            lies_in="attached",
        ),
    ],
    "depleteTo": [
        Case(
            {"hero.health": 8, "rebels.pile.attached": [], "rebels.conditions": []},
            {"attach": "self", "depleteTo": {"timing": "duringActivation", "recoverDamage": 3}},
            before=ruled(hero={"set": {"health": 5}}),
            after=deplete_once,
            lies_in="depleted",
        )
    ],
    "detachAt": [
        Case({"rebels.conditions": []}, {"attach": "self", "detachAt": ["endOfActivation"]}, after=activation_ends),
        Case(
            {"foe.health": 7},
            {"attach": "self", "whileAttached": {"attackBonusHits": 1}, "detachAt": ["afterAttack"]},
            after=hero_attacks,
        ),
        Case({"round": 2, "rebels.conditions": []}, {"attach": "self", "detachAt": ["endOfRound"]}, after=round_ends),
    ],
}


@each("case", of(CASES))
def test_property(case: Case) -> None:
    run_property(case)


def attached(entry: dict[str, Any], **more: Any) -> Arena:
    arena = Arena(hand=["Tested"], library=library({"attach": "self", **entry}), **more)
    arena.do("hero", "activate")
    arena.play("hero", "Tested")
    return arena


def test_the_card_is_discarded_with_the_last_figure_of_its_group() -> None:
    twin = ("Twin", "rebels", (5, 6), {"group": "Heroes"})
    rest = ("Rest", "rebels", (1, 1), {})
    arena = attached({"whileAttached": {"attackBonusHits": 1}}, hero={"group": "Heroes"}, others=[twin, rest, OTHER])
    arena.rule("hero", set={"health": 1})
    arena.rule("twin", set={"health": 1})
    arena.interrupt("foe", "hero", [HIT_2, NO_BLOCK], {})
    assert arena["rebels.pile.attached"] == ("Tested",)  # its twin is still there
    arena.interrupt("foe", "twin", [HIT_2, NO_BLOCK], {})
    assert (arena["rebels.pile.attached"], arena["rebels.pile.discard"]) == ((), ("Tested",))
    assert arena["rebels.conditions"] == []


def test_attaching_can_be_taken_back_with_what_followed_from_it() -> None:
    arena = attached({"exhaustTo": {"mpBonus": 1}, "whileAttached": {"attackBonusHits": 1}})
    arena.do("hero", "exhaust")
    hero_attacks(arena)
    assert (arena["hero.mp"], arena["foe.health"]) == (1, 7)
    played = undo.one(arena.fight, declaration(arena, "hero", "play"))
    remedies = Remedies(impossible=Impossible.DROP)
    plan = undo.plan_undo(arena.fight, played, by="gm", reason="another card was meant", remedies=remedies)
    corrected = FightEngine([*arena.fight.events, *plan.new])
    assert list(check_declarations(corrected.events)) == []
    paths = ("hero.mp", "foe.health", "rebels.pile.hand", "rebels.pile.attached")
    assert [look_up(corrected.battle, path) for path in paths] == [0, 8, ("Tested",), ()]


def test_what_an_attachment_adds_is_explained_by_its_card() -> None:
    arena = attached({"whileAttached": {"attackBonusHits": 1}})
    hero_attacks(arena)
    parts = {part.source: part.amount for part in only(arena.fight.events, Damaged).parts}
    assert parts == {"skirmish:die:red": 2, "skirmish:card:tested": 1}


def test_the_menu_shows_what_is_attached_and_why_it_cannot_be_used() -> None:
    arena = attached({"exhaustTo": {"mpBonus": 1}})
    assert _shown(arena) == [("Tested", "exhaust", None)]
    arena.do("hero", "exhaust")
    assert _shown(arena) == [("Tested", "exhaust", "Tested is exhausted until the round ends.")]


def _shown(arena: Arena) -> list[tuple[str, str, str | None]]:
    menu = arena.ruleset.menu(arena.fight.battle, arena.fight.battle.combatants["hero"])
    found = [section for section in menu if section.title == "attachments"]
    return [(choice.name, choice.cost, choice.why_not) for section in found for choice in section.choices]


def test_a_glance_shows_what_is_attached() -> None:
    arena = attached({"exhaustTo": {"mpBonus": 1}})
    arena.do("hero", "exhaust")
    battle = arena.fight.battle
    assert "Tested attached, exhausted" in arena.ruleset.glance(battle, battle.combatants["hero"]).resources


def test_the_cards_way_is_recorded() -> None:
    arena = attached({})
    moves = [(move.origin, move.to) for move in all_of(arena.fight.events, CardsMoved) if move.cards == ("Tested",)]
    assert moves[-2:] == [("hand", "discard"), ("discard", "attached")]


def test_an_attachment_that_is_used_in_attacks_is_not_used_otherwise() -> None:
    arena = attached({"exhaustTo": {"attackBonusHits": 2}})
    assert arena.refusal("hero", "exhaust").code == "attachment/timing"


def test_which_attachment_is_meant_has_to_be_said() -> None:
    two = {
        "abilities": {
            name: {"type": "ccEffect", "label": name, "attach": "self", "exhaustTo": {"mpBonus": amount}}
            for name, amount in (("One", 1), ("Two", 2))
        }
    }
    arena = Arena(hand=["One", "Two"], library=two)
    arena.do("hero", "activate")
    arena.play("hero", "One")
    arena.play("hero", "Two")
    problem = arena.refusal("hero", "exhaust")
    assert (problem.code, problem.facts["available"]) == ("attachment/which", ["One", "Two"])
    arena.do("hero", "exhaust", options={"card": "two"})
    assert arena["hero.mp"] == 2
