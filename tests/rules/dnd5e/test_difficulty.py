"""The difficulty of an encounter, with numbers from the tables."""

from __future__ import annotations

import pytest

from combatlog.rules.dnd5e.creatures.bestiary import multiplier
from combatlog.testing import Drill
from ledger.errors import Problem
from tests.cases import each


@each(
    ("foes", "characters", "expected"),
    [
        (1, 4, 1),
        (2, 4, 1.5),
        (3, 4, 2),
        (6, 5, 2),
        (7, 4, 2.5),
        (14, 4, 3),
        (15, 3, 4),
        (1, 2, 1.5),
        (15, 1, 5),
        (1, 6, 0.5),
    ],
)
def test_many_foes_are_worse_than_their_sum(foes: int, characters: int, expected: float) -> None:
    assert multiplier(foes, characters) == expected


def test_four_goblins_are_deadly_for_two_beginners() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", overrides={"level": 1})
    drill.join("cleric", "Mira", overrides={"level": 1})
    drill.join("goblin", "Snig", side="foes", count=4)
    drill.join("ogre", "Guest", side="neutral")  # who fights nobody
    found = drill.seen_by().difficulty()
    assert (found.xp, found.multiplier, found.adjusted, found.rating) == (200, 2.5, 500, "deadly")  # two: a step up
    assert found.thresholds == {"easy": 50, "medium": 100, "hard": 150, "deadly": 200}


def test_foes_without_experience_points_are_named() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", overrides={"level": 5})
    drill.join("wizard", "Evil", side="foes")
    assert (
        drill.seen_by().difficulty().without_xp,
        drill.seen_by().difficulty().rating,
    ) == (("Evil",), "trivial")


def test_somebody_has_to_be_a_character() -> None:
    drill = Drill()
    drill.join("goblin", "Snig", side="foes")
    with pytest.raises(Problem) as refused:
        drill.seen_by().difficulty()
    assert refused.value.code == "difficulty/no-characters"
