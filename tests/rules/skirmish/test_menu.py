"""The menu: what a figure can do, what it costs, and why not now."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.engine.ruleset_types import Choice
from ledger.errors import Problem
from tests.rules.skirmish.arena import Arena


def menu(arena: Arena, who: str) -> dict[str, dict[str, Choice]]:
    actor = arena.fight.battle.combatants[who]
    sections = arena.ruleset.menu(arena.fight.battle, actor)
    return {section.title: {choice.name: choice for choice in section.choices} for section in sections}


def _refused(arena: Arena, who: str, action: str, **said: Any) -> str:
    """The sentence with which somebody is refused an action."""
    with pytest.raises(Problem) as refused:
        arena.do(who, action, **said)
    return refused.value.sentence


def test_before_its_activation_a_figure_can_only_be_activated() -> None:
    arena = Arena()
    actions = menu(arena, "hero")["actions"]
    assert [name for name, choice in actions.items() if choice.why_not is None] == ["activate", "interrupt"]
    assert menu(arena, "foe")["actions"]["activate"].why_not == _refused(arena, "foe", "activate")


def test_what_an_active_figure_can_do_and_what_it_costs() -> None:
    arena = Arena(hand=["Blitz", "Focus", "Rally"], hero={"surges": ["damage 4"]})
    arena.rule("hero", set={"hit_token": 1})
    arena.do("hero", "activate")
    shown = menu(arena, "hero")
    assert shown["actions"]["attack"].cost == "1 action, 1 attack"
    assert [one.who for one in shown["actions"]["attack"].effects[0].in_reach or ()] == ["foe"]
    assert shown["actions"]["walk"].why_not == _refused(arena, "hero", "walk", to=(4, 4))
    assert (shown["cards"]["Focus"].cost, shown["cards"]["Focus"].why_not) == ("1 action", None)
    assert shown["cards"]["Blitz"].why_not == _refused(arena, "hero", "play", options={"card": "Blitz"})
    assert shown["surges"]["damage 4"].cost == "2 surges"
    assert list(shown["power tokens"]) == ["hit token"]


def test_the_menu_says_what_a_declaration_would_be_refused_with() -> None:
    arena = Arena(hand=["Rally"])
    arena.do("hero", "activate")
    arena.do("hero", "move")
    assert menu(arena, "hero")["cards"]["Rally"].why_not is not None
    assert arena.refusal("hero", "play", options={"card": "Rally"}).code == "card/timing"


def test_a_player_sees_its_hand() -> None:
    arena = Arena(hand=["Blitz"])
    assert list(menu(arena, "rebels")["hand"]) == ["Blitz"]


def test_a_figure_without_a_player_has_a_menu_too() -> None:
    arena = Arena()
    arena.join({"name": "Stray", "cost": 1, "health": 1, "speed": 1, "attack": ["red"]}, "Stray", (1, 1), side="third")
    assert menu(arena, "stray")["actions"]["activate"].why_not is not None


def test_abilities_that_are_not_declared_are_shown_too() -> None:
    arena = Arena(hero={"abilities": ["dc_passive:Bulwark:0", "dc_special:Field Medic:0"]})
    arena.do("hero", "activate")
    shown = menu(arena, "hero")
    assert shown["other abilities"]["dc_passive:Bulwark:0"].why_not == "it applies to every attack automatically"
    assert shown["special actions"]["dc_special:Field Medic:0"].why_not is None
