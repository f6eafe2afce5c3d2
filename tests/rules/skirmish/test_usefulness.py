"""Cards are offered only if they would do something, and are useful only if that changes anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from combatlog.testing import all_of
from ledger.events import Event, ReactionWindowOpened
from tests.cases import each
from tests.rules.skirmish.arena import Arena

WHEN_USEFUL = {"*": "when useful"}
RANGED = {"ranged": True, "attack": ["blue"]}


def windows(events: Sequence[Event], moment: str) -> list[ReactionWindowOpened]:
    return [window for window in all_of(events, ReactionWindowOpened) if window.moment == moment]


def attack(card: str, dice: Sequence[str], **more: Any) -> Arena:
    """The hero attacks with a card in hand, and its player plays what is useful."""
    arena = Arena(hand=[card], policies=WHEN_USEFUL, **more)
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=dice)
    return arena


def is_played(arena: Arena, card: str) -> bool:
    return card in arena["rebels.pile.discard"]


@each(
    ("card", "hero", "foe", "dice", "played"),
    [
        ("Blitz", {"surges": ["damage 1"]}, {}, ["0/2/0", "0/0"], True),
        ("Blitz", {}, {}, ["0/2/0", "0/0"], False),  # no surge ability to spend it on
        ("Positioning Advantage", {}, {}, ["0/2/0", "0/0"], True),
        ("Deadeye", {}, {}, ["0/2/0", "0/0"], False),  # a melee attack
        ("Deadeye", RANGED, {}, ["2/1/0", "0/0"], True),
        ("Explosive Weaponry", {}, {}, ["0/2/0", "0/0"], True),  # the hero itself is next to the target
        ("Explosive Weaponry", RANGED, {"at": (8, 5)}, ["3/1/1", "0/0"], False),
        ("Wild Fire", {}, {"defense": []}, ["0/2/0"], False),
        ("Honoring the Fallen", {}, {}, ["0/2/0", "0/0"], False),
        ("Spinning Kick", {"surges": ["cleave 1", "cleave 2"]}, {}, ["0/2/0", "0/0"], False),
    ],
)
def test_an_attackers_card_is_played_when_it_changes_something(
    card: str, hero: dict[str, Any], foe: dict[str, Any], dice: list[str], played: bool
) -> None:
    at = foe.get("at", (6, 5))
    sheet = {name: value for name, value in foe.items() if name != "at"}
    assert is_played(attack(card, dice, hero=hero, foe=sheet, foe_at=at), card) is played


@pytest.mark.parametrize(
    ("card", "foe", "dice", "played"),
    [
        ("Parry", {}, ["0/2/0", "0/0"], True),
        ("Camouflage", {}, ["0/2/0", "0/0"], True),
        ("Brace Yourself", {}, ["0/2/0", "0/0"], False),  # only outside the attacker's activation
    ],
)
def test_a_defenders_card_is_played_when_it_changes_something(
    card: str, foe: dict[str, Any], dice: list[str], played: bool
) -> None:
    arena = Arena(hand=[card], first="empire", foe=foe, policies=WHEN_USEFUL)
    arena.do("foe", "activate")
    arena.do("foe", "attack", target="hero", dice=dice)
    assert is_played(arena, card) is played


@pytest.mark.parametrize(
    ("hand", "foe_hand", "colour", "dice", "useful"),
    [
        (["Positioning Advantage"], [], "white", ["0/2/0", "dodge"], []),
        (["Positioning Advantage"], [], "black", ["0/2/0", "3/0"], []),  # 2 hits and 1 more are blocked all the same
        (["Positioning Advantage"], [], "black", ["0/2/0", "2/0"], ["positioning_advantage"]),
        ([], ["Parry"], "black", ["0/1/0", "1/0"], []),  # nothing gets through
        ([], ["Parry"], "black", ["0/2/0", "1/0"], ["parry"]),
    ],
)
def test_a_card_after_the_roll_is_useful_if_it_changes_the_damage(
    hand: list[str], foe_hand: list[str], colour: str, dice: list[str], useful: list[str]
) -> None:
    arena = Arena(hand=hand, foe_hand=foe_hand, foe={"defense": [colour]})
    arena.do("hero", "activate")
    (window,) = windows(arena.do("hero", "attack", target="foe", dice=dice), "attack.rolled")
    assert [card.rsplit(":", 1)[1] for offer in window.offers for card in offer.useful] == useful


def test_a_card_without_effect_in_this_activation_is_not_offered() -> None:
    arena = Arena(hand=["One in a Million"], foe_hand=["Brace Yourself"])
    arena.do("hero", "activate")
    assert windows(arena.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"]), "attack.declared") == []


# Cards that add surges, while surges are spent


def test_a_card_that_adds_surges_is_played_while_surges_are_spent_and_adds_to_what_remains() -> None:
    arena = Arena(hand=["Blitz"], hero={"surges": ["damage 1", "damage 2"]})
    arena.do("hero", "activate")
    replies = {"rebels": [None, None, "damage 2", "Blitz", "damage 1"]}  # twice it passes before the surges
    arena.do("hero", "attack", target="foe", dice=["0/2/1", "0/0"], replies=replies)
    assert arena["foe.health"] == 10 - (2 + 2 + 1)


def test_surges_that_come_after_the_evades_are_not_cancelled() -> None:
    arena = Arena(hand=["Blitz"], hero={"surges": ["damage 1"]}, foe={"defense": ["black", "black", "black"]})
    arena.do("hero", "activate")
    replies = {"rebels": [None, None, "Blitz", "damage 1"]}
    arena.do("hero", "attack", target="foe", dice=["0/2/1", "0/1", "0/1", "0/1"], replies=replies)
    assert arena["foe.health"] == 10 - (2 + 1)


def test_the_same_card_before_the_evades_is_cancelled_with_the_rest() -> None:
    arena = Arena(hand=["Blitz"], hero={"surges": ["damage 1"]}, foe={"defense": ["black", "black"]})
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/2/1", "0/1", "0/1"], replies={"rebels": ["Blitz"]})
    assert arena["foe.health"] == 10 - 2


def test_a_card_that_adds_surges_is_not_offered_if_there_is_nothing_to_spend_them_on() -> None:
    arena = Arena(hand=["Blitz"], hero={"surges": ["damage 1"]})
    arena.do("hero", "activate")
    replies = {"rebels": [None, None, "damage 1"]}
    events = arena.do("hero", "attack", target="foe", dice=["0/2/1", "0/0"], replies=replies)
    (window,) = windows(events, "attack.surge")
    assert window.offers[0].reactions == ("skirmish:surge:damage_1",)
