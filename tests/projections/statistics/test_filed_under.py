"""Under which action facts are filed, and what was spent: small fights that are counted by hand."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.testing import Drill
from ledger.store.ledger import LedgerStore
from projections.statistics.answers import statistics
from projections.statistics.scope import StatisticScope
from projections.statistics.statistic_names import By, Statistic

Rows = list[tuple[Any, ...]]


def asked(ledger: LedgerStore, drill: Drill, statistic: str, by: str) -> Rows:
    ledger.append(drill.fight.events)
    return statistics(ledger, Statistic(statistic), StatisticScope(), By(by))[0].rows


@pytest.fixture
def chase() -> Drill:
    """Snig runs from Rurik, who strikes at him in passing: 15 + 5 hits, and 4 + 3 is 7 damage."""
    drill = Drill()
    drill.join("fighter", "Rurik", (3, 2), reactions={"*": "always"})
    drill.join("goblin", "Snig", (4, 2), side="foes", overrides={"hp": 20})
    drill.start(dice=[1, 20])
    drill.do("snig", "move", to=(6, 2), dice=[15, 4])
    return drill


@pytest.mark.parametrize(
    ("statistic", "expected"),
    [
        ("hits", [("dnd5e:action:opportunity_attack", 1, 1)]),
        ("damage", [("dnd5e:action:opportunity_attack", 1, 7)]),
        ("reactions", [("dnd5e:action:move", 1, 1)]),
    ],
)
def test_an_opportunity_attack_is_no_part_of_the_move(
    ledger: LedgerStore, chase: Drill, statistic: str, expected: Rows
) -> None:
    assert [row[:3] for row in asked(ledger, chase, statistic, "action")] == expected


def test_its_dice_are_filed_under_the_reaction_too(ledger: LedgerStore, chase: Drill) -> None:
    assert [row[:3] for row in asked(ledger, chase, "rolls", "action")] == [
        ("core:time:start", "d20", 2),
        ("dnd5e:action:opportunity_attack", "d20", 1),
        ("dnd5e:action:opportunity_attack", "d8", 1),
    ]


def test_what_was_spent_counts_once(ledger: LedgerStore) -> None:
    """Two slots of level 3 in rounds 1 and 2; a third turn passes. Two are spent, and 1, 0 and 0 were left."""
    drill = Drill()
    drill.join("wizard", "Mira", (1, 1))
    drill.join("goblin", "Snig", (5, 1), side="foes", overrides={"hp": 99})
    drill.start(dice=[20, 1])
    for dice in ([1, 1, 1, 1, 1], [2, 2, 2, 2, 2], None):
        if dice:
            drill.do("mira", "magic_missile", target="snig", options={"slot": 3}, dice=dice)
        drill.end_turn("mira")
        drill.end_turn("snig")
    rows = asked(ledger, drill, "economy", "actor")
    assert [row for row in rows if row[:2] == ("mira", "slot_3")] == [("mira", "slot_3", 3, 2, 1, 1, 0.33)]
    assert [row for row in rows if row[:2] == ("mira", "action")] == [("mira", "action", 3, 2, 1, 1, 0.33)]


def test_locking_is_not_spending(ledger: LedgerStore) -> None:
    """Whoever rests spends the AP that become healing; the others are locked for the round."""
    drill = Drill("action_points")
    drill.join("duelist", "Vesna")
    drill.start()
    drill.do("vesna", "rest", options={"ap": 1})
    assert drill["vesna.ap"] == 0
    assert [row[3] for row in asked(ledger, drill, "economy", "actor") if row[1] == "ap"] == [1]
