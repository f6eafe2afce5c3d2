"""Army limits: every reason at once, and none if the encounter does not ask for them."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.testing import Drill
from ledger.errors import Problem
from tests.rules.skirmish.arena import FOE, HERO

LIBRARY = {
    "abilities": {
        f"Card {number}": {"type": "ccEffect", "label": "Draw 1", "draw": 1, "cost": cost}
        for number, cost in enumerate([1] * 15 + [5])
    }
}
DECK = [f"Card {number}" for number in range(15)]
"""15 cards for 15 points."""


def fielded(deck: list[str], *figures: dict[str, Any], **options: Any) -> Drill:
    drill = Drill("skirmish", options={"hand": 0, "library": LIBRARY, **options})
    drill.join({"kind": "player", "name": "Rebels", "deck": deck}, "Rebels", side="rebels")
    drill.join({"kind": "player", "name": "Empire", "deck": DECK}, "Empire", side="empire")
    drill.join(FOE, "Foe", (20, 20), side="empire")
    for number, sheet in enumerate(figures):
        drill.join({**HERO, **sheet}, f"Figure {number}", (number, 1), side="rebels")
    return drill


def reasons(deck: list[str], *figures: dict[str, Any], points: int = 40) -> list[str]:
    drill = fielded(deck, *figures, army=points)
    before = list(drill.fight.events)
    with pytest.raises(Problem) as refused:
        drill.start()
    assert refused.value.code == "army/invalid"
    assert drill.fight.events == before
    assert all(problem["who"] == "rebels" for problem in refused.value.facts["problems"])
    return [problem["problem"] for problem in refused.value.facts["problems"]]


ONE: dict[str, Any] = {"cost": 5}


@pytest.mark.parametrize(
    ("figures", "reason"),
    [
        ([{"cost": 20}, {"cost": 21}], "fields deployment cards for 41 points, but the limit is 40"),
        ([{"name": "Leia", "unique": True}] * 2, "fields 2 deployment cards named Leia, but the limit is 1"),
        ([{"name": "Guard", "elite": True}] * 3, "fields 3 deployment cards named Guard, but the limit is 2"),
        ([{"name": "Scout", "cost": 1}] * 5, "fields 5 deployment cards named Scout, but the limit is 4"),
        (
            [{"name": "Boba", "affiliation": "Mercenary"}, {"name": "Leia", "affiliation": "Rebel"}],
            "mixes the affiliations mercenary and rebel, but an army has one",
        ),
    ],
)
def test_what_a_side_may_field(figures: list[dict[str, Any]], reason: str) -> None:
    assert reasons(DECK, *figures) == [reason]


@pytest.mark.parametrize(
    ("deck", "reason"),
    [
        (DECK[:-1], ["has 14 Command cards, but a deck has exactly 15"]),
        ([*DECK[:-1], "Card 15"], ["has Command cards for 19 points, but the limit is 15"]),
        ([*DECK[:-1], "Card 0"], ["has 2 copies of Card 0, but the limit is 1"]),
        ([*DECK[:-1], "Nothing"], ["has cards that the library does not have: Nothing"]),
    ],
)
def test_what_a_deck_may_have(deck: list[str], reason: list[str]) -> None:
    assert reasons(deck, ONE) == reason


def test_all_reasons_come_at_once() -> None:
    found = reasons(["Card 15"] * 4, {"cost": 30, "unique": True}, {"cost": 30, "unique": True})
    assert found == [
        "fields deployment cards for 60 points, but the limit is 40",
        "fields 2 deployment cards named Hero, but the limit is 1",
        "has 4 Command cards, but a deck has exactly 15",
        "has Command cards for 20 points, but the limit is 15",
        "has 4 copies of Card 15, but the limit is 1",
    ]


def test_the_figures_of_a_group_share_a_deployment_card() -> None:
    """Six figures of two groups are two cards; their cards cost what they say, or what the figures cost together."""
    group = {"name": "Trooper", "cost": 3, "group": "First"}
    stated = {"name": "Trooper", "cost": 3, "group": "Second", "deployment_cost": 8}
    assert reasons(DECK, *[group] * 3, *[stated] * 3, points=16) == [
        "fields deployment cards for 17 points, but the limit is 16"
    ]


def test_an_army_at_all_limits_is_fielded() -> None:
    elite = [{"name": "Guard", "elite": True, "cost": 10, "affiliation": "Rebel"}] * 2
    neutral = [{"name": "Stray", "cost": 20, "affiliation": "Neutral", "unique": True}]
    drill = fielded(DECK, *elite, *neutral, army=40)
    drill.start(dice=[1, *[1] * 28])
    assert drill["round"] == 1


def test_armies_are_checked_only_if_the_encounter_says_so() -> None:
    drill = fielded(["Card 15"] * 4, {"cost": 30, "unique": True}, {"cost": 30, "unique": True})
    drill.start(dice=[1, *[1] * 17])
    assert drill["round"] == 1
