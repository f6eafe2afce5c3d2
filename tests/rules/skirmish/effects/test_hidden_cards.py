"""Cards that let a player look at the opponent's cards, or play them."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.events import ReactionChosen, ReactionWindowOpened
from tests.rules.skirmish.arena import Arena, Case, library, of, run_property

PAIR = ["Force Rush", "Parry"]
THREE = ["Blitz", "Focus", "Parry"]


def foe_discarded(arena: Arena) -> None:
    arena.do("foe", "activate")
    arena.play("foe", "Force Rush")
    arena.end("foe")


def played_at_once(arena: Arena) -> None:
    """It counts as the player's own card, and is back where it was once the round has ended."""
    assert arena["rebels.pile.hand"] == ("Force Rush",)
    arena.play("hero", "Force Rush")
    assert arena["hero.mp"] == 2
    arena.end("hero")


CASES: dict[str, list[Case]] = {
    "revealsOpponentHand": [
        Case({"empire.pile.hand": PAIR}, {"revealsOpponentHand": True}, foe_hand=PAIR),
    ],
    "revealsOpponentDeckTop": [
        Case(  # of the top three the player puts the last on top, then the first
            {"empire.pile.deck": ["Parry", "Blitz", "Focus", "Bladestorm"]},
            {"revealsOpponentDeckTop": 3},
            foe_hand=["Force Rush"],
            foe_pile=[*THREE, "Bladestorm"],
            then=["secret:Parry", "secret:Blitz"],
        ),
        Case(  # passing leaves the deck as it is
            {"empire.pile.deck": THREE}, {"revealsOpponentDeckTop": 3}, foe_hand=["Force Rush"], foe_pile=THREE
        ),
        Case({"empire.pile.deck": []}, {"revealsOpponentDeckTop": 3}),  # there is nothing to see
    ],
    "stealsFromOpponentDiscard": [
        Case(
            {"empire.pile.discard": ["Force Rush"], "rebels.pile.discard": ["Tested"], "rebels.conditions": []},
            {"stealsFromOpponentDiscard": True},
            foe_hand=["Force Rush"],
            first="empire",
            before=foe_discarded,
            after=played_at_once,
        ),
        Case(  # not played: it goes back all the same
            {"empire.pile.discard": ["Force Rush"], "rebels.pile.hand": []},
            {"stealsFromOpponentDiscard": True},
            foe_hand=["Force Rush"],
            first="empire",
            before=foe_discarded,
            after=lambda arena: arena.end("hero") and None,
        ),
    ],
}


@pytest.mark.parametrize("case", of(CASES))
def test_property(case: Case) -> None:
    run_property(case)


def windows(events: Any) -> list[tuple[str, ...]]:
    return [offer.reactions for event in events if isinstance(event, ReactionWindowOpened) for offer in event.offers]


def test_whoever_looks_at_a_hand_is_shown_the_cards_and_nobody_else_is() -> None:
    arena = Arena(hand=["Tested"], foe_hand=PAIR, library=library({"revealsOpponentHand": True}))
    arena.do("hero", "activate")
    arena.play("hero", "Tested")
    shown = ("skirmish:card:force_rush", "skirmish:card:parry")
    assert shown in windows(arena.seen_by("players:rebels").seen)
    assert shown not in windows(arena.seen_by("players:empire").seen)


def test_the_order_of_a_deck_is_chosen_in_secret() -> None:
    entry = library({"revealsOpponentDeckTop": 3})
    arena = Arena(hand=["Tested"], foe_hand=["Force Rush"], foe_pile=THREE, library=entry)
    arena.do("hero", "activate")
    arena.play("hero", "Tested", replies={"rebels": ["secret:Parry", "secret:Blitz"]})
    own = ["skirmish:secret:parry", "skirmish:secret:blitz"]
    assert choices(arena.seen_by("players:rebels").seen) == choices(arena.seen_by("gm").seen) == own
    assert choices(arena.seen_by("players:empire").seen) == ["skirmish:secret:unknown"] * 2


def choices(events: Any) -> list[str]:
    return [event.reaction for event in events if isinstance(event, ReactionChosen)]
