"""Nothing is offered, and no roll is worse, because of somebody whom nobody on that side has noticed.

Otherwise a player would learn that somebody is there. Once the same combatant is revealed, the rules are as ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from combatlog.testing import Drill, all_of, only
from ledger.events import Event, Rolled, RollMode
from tests.rules.dnd5e.test_reactions import offered

ORC = {"hp": 60, "weapons": ["greataxe", "javelin"]}


def scene(where: tuple[int, int], hidden: bool, **sheet: Any) -> Drill:
    """Rurik with Mila beside him, and an orc that nobody has noticed, or that everybody sees."""
    drill = Drill()
    drill.join("fighter", "Rurik", (2, 2), reactions={"*": "ask"}, overrides=sheet or None)
    drill.join("wizard", "Mila", (1, 1), reactions={"*": "never"})
    drill.join("orc", "Ugh", where, side="foes", hidden=hidden, overrides=ORC)
    drill.start(dice=[20, 15, 10])
    return drill


def orcs_turn(drill: Drill) -> Drill:
    drill.next_turn()
    drill.next_turn()
    return drill


def leaves(hidden: bool) -> list[Event]:
    return orcs_turn(scene((3, 2), hidden)).do("ugh", "move", to=(5, 2))


def comes(hidden: bool) -> list[Event]:
    drill = scene((6, 2), hidden)
    drill.do("rurik", "ready", options={"trigger": "approaches", "action": "strike"})
    return orcs_turn(drill).do("ugh", "move", to=(3, 2))


def throws(hidden: bool) -> list[Event]:
    drill = scene((6, 2), hidden)
    drill.do("rurik", "ready", options={"trigger": "attacks", "action": "move"}, to=(2, 5))
    return orcs_turn(drill).do("ugh", "ranged_attack", target="mila", weapon="javelin", dice=(2,))


def strikes(target: str, dice: tuple[int, ...], asked_after: int, **sheet: Any) -> Callable[[bool], list[Event]]:
    """The orc strikes somebody. If Rurik is asked, it is after some of the dice."""

    def strike(hidden: bool) -> list[Event]:
        drill = orcs_turn(scene((2, 1), hidden, **sheet))
        drill.do("ugh", "attack")
        rolled = dice if hidden else dice[:asked_after]
        return drill.do("ugh", "strike", target=target, weapon="greataxe", dice=rolled)

    return strike


OCCASIONS: dict[str, Callable[[bool], list[Event]]] = {
    "opportunity_attack": leaves,
    "readied for an approach": comes,
    "readied for an attack": throws,
    "sentinel": strikes("mila", (2,), 0, features=["sentinel"]),
    "protection": strikes("mila", (2,), 0, features=["protection"], shield=True),
    "uncanny_dodge": strikes("rurik", (19, 4), 1, features=["uncanny_dodge"]),
}
occasions = pytest.mark.parametrize("occasion", OCCASIONS.values(), ids=OCCASIONS)


@occasions
def test_no_reaction_is_offered_because_of_somebody_unnoticed(occasion: Callable[[bool], list[Event]]) -> None:
    assert offered(occasion(True)) == {}


@occasions
def test_the_same_is_offered_because_of_somebody_who_is_seen(occasion: Callable[[bool], list[Event]]) -> None:
    assert list(offered(occasion(False))) == ["rurik"]


@pytest.mark.parametrize(("hidden", "mode"), [(True, RollMode.NORMAL), (False, RollMode.DISADVANTAGE)])
def test_a_foe_that_nobody_has_noticed_does_not_hamper_an_archer(hidden: bool, mode: RollMode) -> None:
    drill = scene((3, 2), hidden, weapons=["longbow"])
    drill.join("goblin", "Snig", (9, 2), side="foes", dice=(5,))
    drill.do("rurik", "attack")
    events = drill.do("rurik", "strike", target="snig", dice=(2,) if hidden else (2, 3))
    assert only([roll for roll in all_of(events, Rolled) if roll.purpose == "attack"], Rolled).mode == mode
