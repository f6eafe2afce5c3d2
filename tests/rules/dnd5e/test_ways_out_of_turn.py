"""Ways that are found when it is not the mover's turn: what a player readied, and legendary moves.

They are the same wherever somebody unseen stands off them. What a GM moves is led around everybody, as ever.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatlog.rules.engine.commands import Declaration, Reply
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of
from ledger.errors import Problem
from ledger.events import Moved, Position, ReactionChosen, ReactionWindowOpened
from tests.effort import examples
from tests.rules.dnd5e.test_creature_powers import beast
from tests.rules.engine.test_seen_ways import MAP, received

START, GOAL = (1, 3), (5, 3)
TRIGGER = (8, 0), (7, 0)
"""From where to where Snig comes closer."""
SQUARES = {(x, y) for x in range(9) for y in range(7)} - {START, *TRIGGER}
RUN = {"name": "run", "archetype": "stride", "takes": "action"}
every_response = pytest.mark.parametrize("response", ["move", "run"])


def opened(hidden: Position | None, **sheet: Any) -> Drill:
    drill = Drill(map=MAP)
    policies = {"*": "never", "readied": "ask", "legendary_action": "ask"}
    drill.join(beast(speed=40, **sheet), "Rurik", START, reactions=policies)
    drill.join("goblin", "Snig", TRIGGER[0], side="foes", reactions={"*": "never"})
    if hidden is not None:
        drill.join("goblin", "Grimjaw", hidden, side="foes", hidden=True, reactions={"*": "never"})
    drill.start(dice=[20, 10] + [1] * (hidden is not None))
    return drill


def way_of(drill: Drill) -> list[Position]:
    return [step.to for step in all_of(drill.history(), Moved) if step.mover == "rurik"]


def is_offered(drill: Drill) -> bool:
    windows = all_of(drill.history(), ReactionWindowOpened)
    return any(offer.reactor == "rurik" for window in windows for offer in window.offers)


def is_verified(drill: Drill) -> bool:
    return list(check_declarations(drill.history())) == []


# Readied


def readied(hidden: Position | None, response: str = "move", *, as_seen: bool = True) -> Drill:
    """Rurik goes to a square once Snig comes closer, and is asked about it."""
    drill = opened(hidden, actions=[RUN])
    options = {"trigger": "approaches", "action": response}
    drill.declare(
        Declaration(actor="rurik", action="ready", destination=GOAL, options=options, as_seen=as_seen or None)
    )
    drill.end_turn("rurik")
    drill.move(TRIGGER[1], who="snig")
    return drill


def set_off(drill: Drill) -> list[Position]:
    drill.react("rurik", "readied")
    return way_of(drill)


@every_response
@examples(30)
@given(data=st.data())
def test_what_is_readied_is_not_led_around_somebody_unseen(response: str, data: st.DataObject) -> None:
    alone = readied(None, response)
    way = set_off(alone)
    here, there = (readied(data.draw(st.sampled_from(sorted(SQUARES - {*way}))), response) for _ in range(2))
    assert set_off(here) == set_off(there) == way
    assert received(here) == received(there)
    assert all(map(is_verified, (alone, here, there)))


@every_response
def test_what_is_readied_is_not_offered_if_somebody_unseen_is_in_the_way(response: str) -> None:
    for square in set_off(readied(None, response)):
        drill = readied(square, response)
        assert not is_offered(drill)
        assert is_verified(drill)


@every_response
def test_what_a_gm_readies_is_led_around_everybody(response: str) -> None:
    way = set_off(readied(None, response, as_seen=False))
    around = set_off(readied(way[1], response, as_seen=False))
    assert (around[-1], around != way) == (GOAL, True)


# Legendary


ACTIONS = {
    "a move that is part of it": ([{"name": "claw", "stride": {"share": "full", "when": "after"}}], {"move": "5,3"}),
    "a move of its own": (["run"], {"action": "run", "to": "5,3"}),
}
every_legend = pytest.mark.parametrize(("moves", "said"), ACTIONS.values(), ids=ACTIONS)


def legend(hidden: Position | None, moves: list[Any]) -> Drill:
    drill = opened(hidden, actions=[RUN], legendary=moves, legendary_actions=3)
    drill.end_turn("rurik")
    drill.end_turn("snig")
    return drill


def act(drill: Drill, said: dict[str, Any], *, as_seen: bool = True) -> list[Position]:
    drill.answer(Reply(reactor="rurik", reaction="legendary_action", options=said, as_seen=as_seen or None))
    return way_of(drill)


@every_legend
@examples(30)
@given(data=st.data())
def test_a_legendary_move_is_not_led_around_somebody_unseen(
    moves: list[Any], said: dict[str, Any], data: st.DataObject
) -> None:
    alone = legend(None, moves)
    way = act(alone, said)
    here, there = (legend(data.draw(st.sampled_from(sorted(SQUARES - {*way}))), moves) for _ in range(2))
    assert act(here, said) == act(there, said) == way
    assert all(map(is_verified, (alone, here, there)))
    assert all_of(here.history(), ReactionChosen)[-1].as_seen is True


@every_legend
def test_a_legendary_move_into_somebody_unseen_is_refused(moves: list[Any], said: dict[str, Any]) -> None:
    for square in act(legend(None, moves), said):
        with pytest.raises(Problem) as refused:
            act(legend(square, moves), said)
        assert refused.value.code == "move/occupied"


def test_a_place_too_far_away_does_not_tell_who_is_on_the_way() -> None:
    moves, said = [{"name": "claw", "stride": {"share": "half"}}], {"move": "8,6"}
    for hidden in [None, (4, 6), (8, 6)]:
        with pytest.raises(Problem) as refused:
            act(legend(hidden, moves), said)
        assert refused.value.code == "stride/too-far"


@every_legend
def test_a_legendary_move_of_a_gm_is_led_around_everybody(moves: list[Any], said: dict[str, Any]) -> None:
    way = act(legend(None, moves), said)
    around = act(legend(way[1], moves), said, as_seen=False)
    assert (around[-1], around != way) == (GOAL, True)
