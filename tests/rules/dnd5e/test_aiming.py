"""The preview of an area: the same squares and the same people as when it is declared."""

from __future__ import annotations

import pytest

from combatlog.testing import Drill, only
from ledger.errors import Problem
from ledger.events import AreaAffected


@pytest.fixture
def drill() -> Drill:
    """Snig at 8,1 and Rurik at 8,4 are within 20 feet of 8,3; Grub at 14,1 is not. It is Snig's turn."""
    drill = Drill()
    drill.join("wizard", "Mira", (1, 1))
    drill.join("fighter", "Rurik", (8, 4))
    for name, place in (("Snig", (8, 1)), ("Grub", (14, 1))):
        drill.join("goblin", name, place, side="foes")
    drill.start(dice=[5, 4, 20, 3])
    return drill


def test_it_names_friends_and_foes(drill: Drill) -> None:
    """Fireball has a radius of 20 feet: 4 squares from the centre."""
    before = list(drill.fight.events)
    aim = drill.seen_by().aim("Mira", "fireball", (8, 3))
    assert [(one.who, one.friend) for one in aim.caught] == [("snig", False), ("rurik", True)]
    assert [one.name for one in aim.friends] == ["Rurik"]
    assert (8, 3) in aim.squares
    assert (8, 7) in aim.squares
    assert (8, 8) not in aim.squares
    assert drill.fight.events == before


def test_it_is_what_the_declaration_does(drill: Drill) -> None:
    aim = drill.seen_by().aim("mira", "fireball", (9, 2))
    for turn in ("snig", "rurik") if drill["order"][1] == "rurik" else ("snig",):
        drill.end_turn(turn)
    while drill["turn"] != "mira":
        drill.next_turn()
    events = drill.do("mira", "fireball", to=(9, 2), dice=[*[1] * 8, *[10] * len(aim.caught)])
    area = only(events, AreaAffected)
    assert (list(area.squares), list(area.caught)) == (aim.squares, [one.who for one in aim.caught])


@pytest.mark.parametrize(
    ("action", "place", "code"),
    [
        ("dodge", (8, 3), "aim/no-area"),
        ("fireball", (99, 99), "spell/place"),
        ("burning_hands", (1, 1), "spell/direction"),
        ("fireballs", (8, 3), "declaration/unknown-action"),
    ],
)
def test_what_cannot_be_aimed(drill: Drill, action: str, place: tuple[int, int], code: str) -> None:
    with pytest.raises(Problem) as refused:
        drill.seen_by().aim("mira", action, place)
    assert refused.value.code == code


def test_rules_without_areas() -> None:
    drill = Drill("action_points")
    drill.join("duelist", "Ana", (1, 1))
    drill.start()
    with pytest.raises(Problem) as refused:
        drill.seen_by().aim("ana", "attack", (1, 2))
    assert refused.value.code == "aim/no-area"
