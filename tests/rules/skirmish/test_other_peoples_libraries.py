"""Libraries that other people write: ids with colons, types and shapes nobody here knows, and parts left to people."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.skirmish import RULESET
from combatlog.testing import all_of
from ledger.events import ManualResolutionNeeded
from tests.rules.skirmish.arena import Arena


def library(**abilities: dict[str, Any]) -> dict[str, Any]:
    return {"library": {"abilities": {name.replace("__", ":"): entry for name, entry in abilities.items()}}}


def card(**properties: Any) -> dict[str, Any]:
    return {"type": "ccEffect", "label": "a card", **properties}


ADRENALINE = library(cc__adrenaline=card(timing="duringActivation", mpBonus=2))
LUNGE = library(cc__lunge=card(attackBonusHits=1))


@pytest.mark.parametrize("written", ["cc:adrenaline", "cc_adrenaline", "CC:Adrenaline"])
def test_a_card_whose_id_has_a_colon_is_played_by_its_id(written: str) -> None:
    arena = Arena(hand=["cc:adrenaline"], **ADRENALINE)
    arena.do("hero", "activate")
    arena.play("hero", written)
    assert (arena["hero.mp"], arena["rebels.pile.discard"]) == (2, ("cc:adrenaline",))


@pytest.mark.parametrize("answer", ["cc:lunge", "card:cc:lunge", "skirmish:card:cc_lunge", "cc_lunge"])
def test_a_card_whose_id_has_a_colon_is_chosen_in_a_window(answer: str) -> None:
    arena = Arena(hand=["cc:lunge"], **LUNGE)
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/2/0", "1/0"], replies={"rebels": [answer]})
    assert arena["foe.health"] == 10 - (2 + 1 - 1)


def test_a_special_action_is_named_in_any_spelling() -> None:
    arena = Arena(hero={"abilities": ["dc_special:Field Medic:0", "dc_special:Field Captain:0"]})
    arena.do("hero", "activate")
    arena.do("hero", "special", options={"ability": "DC_Special:field captain:0"})
    assert arena["hero.actions"] == 1


def asked(events: Any) -> list[str]:
    return [question.effect for question in all_of(events, ManualResolutionNeeded)]


def test_an_ability_of_an_unknown_type_is_used_as_a_special_action_and_carried_out_by_the_gm() -> None:
    entry = {"type": "dcSpecial", "label": "Prowl: become Hidden", "applyHide": True}
    arena = Arena(hero={"abilities": ["prowl"]}, **library(prowl=entry))
    arena.do("hero", "activate")
    events = arena.do("hero", "special")
    assert asked(events) == ["Prowl: become Hidden (applyHide: true)"]
    assert (arena["hero.actions"], arena["hero.conditions"]) == (1, ["used_specials"])  # not hidden


def test_an_effect_with_a_condition_of_an_unknown_shape_is_carried_out_by_the_gm() -> None:
    entry = card(draw=1, timing="duringActivation", focusGainToUpToNFigures=2, vpCondition={"selfHasAtMost": 8})
    arena = Arena(hand=["Odd"], pile=["Blitz"], **library(Odd=entry))
    arena.do("hero", "activate")
    assert asked(arena.play("hero", "Odd")) == [
        "a card (focusGainToUpToNFigures: 2)",
        'a card (vpCondition: {"selfHasAtMost": 8})',
    ]
    assert (arena["hero.conditions"], arena["rebels.pile.hand"]) == ([], ("Blitz",))


@pytest.mark.parametrize(
    "entry",
    [
        {"label": "Gain 2 MP (melee attack manual)"},
        {"label": "Interrupt: move (2 MP honor)"},
        {"label": "Gain 2 MP and more", "wiredStatus": "partial"},
    ],
)
def test_the_part_that_a_label_or_a_file_calls_manual_is_asked_of_the_gm(entry: dict[str, Any]) -> None:
    arena = Arena(hand=["Charge"], **library(Charge={"type": "ccEffect", "mpBonus": 2, **entry}))
    arena.do("hero", "activate")
    assert asked(arena.play("hero", "Charge")) == [entry["label"]]
    assert arena["hero.mp"] == 2


def test_a_part_that_is_already_asked_about_is_asked_about_once() -> None:
    entry = card(label="2 MP; push manually", mpBonus=2, logMessage="Push a figure.", wiredStatus="partial")
    arena = Arena(hand=["Shove"], **library(Shove=entry))
    arena.do("hero", "activate")
    assert asked(arena.play("hero", "Shove")) == ["Push a figure."]


def test_speed_plus_nothing_is_the_speed() -> None:
    arena = Arena(hand=["Slip"], **library(Slip=card(mpBonusFromSpeed=0)))
    arena.do("hero", "activate")
    arena.play("hero", "Slip")
    assert arena["hero.mp"] == 4


def test_an_attack_without_a_bonus_is_still_an_attack() -> None:
    entry = card(timing="specialAction", nextAttacksBonusHits={"count": 1, "bonus": 0})
    arena = Arena(hand=["Draw!"], library={"abilities": {"Draw!": entry}})
    arena.do("hero", "activate")
    arena.play("hero", "Draw!", target="foe", dice=["0/2/0", "0/0"])
    assert arena["foe.health"] == 8


def test_an_entry_with_a_colon_is_shown_by_its_id() -> None:
    text = '{"abilities": {"cc:adrenaline": {"type": "ccEffect", "mpBonus": 2}}}'
    assert RULESET.library.entry("cc:adrenaline", text).id == "cc:adrenaline"
