"""What cards do to hands, decks and discard piles."""

from __future__ import annotations

from tests.cases import each
from tests.rules.skirmish.arena import Arena, Case, of, run_property

PILE = ["Blitz", "Focus", "Bladestorm"]
PAIR = ["Force Rush", "Parry"]


def round_ends(arena: Arena) -> None:
    arena.end("hero")
    arena.do("foe", "activate")
    arena.end("foe")


def foe_cannot_play(arena: Arena) -> None:
    arena.end("hero")
    arena.do("foe", "activate")
    assert arena.refusal("foe", "play", options={"card": "Force Rush"}).code == "card/forbidden"
    arena.end("foe")
    arena.do("foe", "activate")
    arena.play("foe", "Force Rush")  # in the next round it can


def foe_plays_in_vain(arena: Arena) -> None:
    """The first card has no effect, the second one has."""
    arena.do("foe", "activate")
    arena.play("foe", "Force Rush")
    assert arena["foe.mp"] == 0
    arena.play("foe", "Fleet Footed")


CASES: dict[str, list[Case]] = {
    "returnDiscardToHand": [
        Case(  # strain puts Blitz on the discard pile, and the card takes it back
            {"rebels.pile.hand": ["Blitz"], "rebels.pile.deck": ["Focus", "Bladestorm"]},
            {"selfStrain": 1, "returnDiscardToHand": True},
            pile=PILE,
            then=["discard_top_card"],
        ),
        Case({"rebels.pile.hand": []}, {"returnDiscardToHand": True}),  # there is nothing to take back
    ],
    "shuffleOneFromDiscardIntoDeck": [
        Case(  # Focus, Bladestorm, Blitz in the order that two dice say: the second, then the first
            {"rebels.pile.deck": ["Bladestorm", "Focus", "Blitz"]},
            {"selfStrain": 1, "shuffleOneFromDiscardIntoDeck": True},
            how="roll",
            dice=[2, 1],
            pile=PILE,
            then=["discard_top_card"],
        )
    ],
    "shuffleHandIntoDeckThenDraw": [
        Case(  # the opponent's two cards, in the order of the die, and both drawn again
            {"empire.pile.hand": ["Parry", "Force Rush"], "empire.pile.deck": []},
            {"shuffleHandIntoDeckThenDraw": 2},
            how="roll",
            dice=[2],
            foe_hand=PAIR,
            then=["player:empire"],
        ),
        Case(
            {"rebels.pile.hand": ["Blitz"], "rebels.pile.deck": []},
            {"shuffleHandIntoDeckThenDraw": 2},
            pile=["Blitz"],
        ),
    ],
    "discardRandomFromHand": [
        Case(  # a die says which of the two; the opponent has only one
            {"rebels.pile.hand": ["Blitz"], "rebels.pile.discard": ["Tested", "Focus"], "empire.pile.hand": []},
            {"draw": 2, "discardRandomFromHand": 1, "opponentDiscardRandomFromHand": 1},
            how="roll",
            dice=[2],
            pile=["Blitz", "Focus"],
            foe_hand=["Parry"],
        )
    ],
    "opponentDiscardRandomFromHand": [
        Case(
            {"empire.pile.hand": ["Parry"], "empire.pile.discard": ["Force Rush"]},
            {"opponentDiscardRandomFromHand": 1},
            how="roll",
            dice=[1],
            foe_hand=PAIR,
        ),
        Case({"empire.pile.hand": []}, {"opponentDiscardRandomFromHand": 2}, foe_hand=["Parry"]),
    ],
    "opponentHandRandomToDeckTop": [
        Case(  # and drawn again when the round ends is the one that was put there
            {"empire.pile.hand": ["Parry"], "empire.pile.deck": ["Force Rush"]},
            {"timing": "duringActivation", "opponentHandRandomToDeckTop": 1},
            how="roll",
            dice=[1],
            foe_hand=PAIR,
        )
    ],
    "opponentDiscardDeckTop": [
        Case(
            {"rebels.pile.deck": [], "empire.pile.deck": [], "empire.pile.discard": []},
            {"opponentDiscardDeckTop": 3},
        ),
    ],
    "elseGainVp": [Case({"rebels.vp": 3}, {"opponentDiscardDeckTop": 2, "elseGainVp": 3})],
    "opponentDiscardFromHandChoice": [
        Case(
            {"empire.pile.hand": ["Force Rush"], "empire.pile.discard": ["Parry"]},
            {"opponentDiscardFromHandChoice": True},
            foe_hand=PAIR,
            then=["card:Parry"],
        )
    ],
    "selfStrainFromDiscardedCost": [
        Case(  # Bladestorm costs 2
            {"empire.pile.discard": ["Bladestorm"], "hero.health": 8},
            {"opponentDiscardFromHandChoice": True, "selfStrainFromDiscardedCost": True},
            foe_hand=["Bladestorm"],
            then=["card:Bladestorm"],
        )
    ],
    "noCommandDrawThisRound": [
        Case(
            {"round": 2, "rebels.pile.hand": [], "rebels.pile.deck": PILE, "rebels.conditions": []},
            {"timing": "duringActivation", "noCommandDrawThisRound": True},
            pile=PILE,
            after=round_ends,
        )
    ],
    "opponentCannotPlayCCsThisRound": [
        Case(
            {"foe.mp": 2, "round": 2},
            {"opponentCannotPlayCCsThisRound": True},
            foe_hand=["Force Rush"],
            after=foe_cannot_play,
        )
    ],
    "signalJammer": [
        Case(
            {"foe.mp": 1, "rebels.conditions": []},
            {"signalJammer": True},
            how="start of round",
            foe_hand=["Force Rush", "Fleet Footed"],
            pile=[],
            after=foe_plays_in_vain,
        )
    ],
    "negateCostZeroCc": [
        Case({"foe.mp": 0}, {"negateCostZeroCc": True}, how="foe plays", foe_hand=["Force Rush"]),
        Case(  # that one costs 1
            {"foe.conditions": ["focused"]}, {"negateCostZeroCc": True}, how="foe plays", foe_hand=["Focus"]
        ),
    ],
}


@each("case", of(CASES))
def test_property(case: Case) -> None:
    run_property(case)
