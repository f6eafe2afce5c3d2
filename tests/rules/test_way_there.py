"""The preview of a move, in every ruleset: the way, its price, and who could react; and then the move itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from combatlog.messages.commands import SetReactions
from combatlog.testing import Drill, all_of
from ledger.errors import Problem
from ledger.events import Moved, Position
from tests.rules.action_points.support import duel
from tests.rules.skirmish.arena import Arena
from tests.rules.veils_ruleset import by_every_ruleset, join_unseen


def beside_a_goblin(hidden: bool = False, ruleset: str = "dnd5e") -> Drill:
    """Rurik at 1,1, with difficult ground below. A goblin at 2,1 reaches one square."""
    drill = Drill(ruleset, map=("......", "......", ".~....", "......"))
    drill.join("fighter", "Rurik", (1, 1))
    if hidden:
        join_unseen(drill, "goblin", "Snig", (2, 1))
    else:
        drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    return drill


def activated() -> Arena:
    arena = Arena()
    arena.do("hero", "activate")
    return arena


@pytest.mark.parametrize(
    ("fight", "who", "action", "to", "costs", "used"),
    [
        (beside_a_goblin, "rurik", "move", (1, 3), [5, 5], {"movement": 10}),  # around the difficult ground
        (beside_a_goblin, "rurik", "move", (1, 2), [10], {"movement": 10}),  # difficult ground costs twice
        (duel, "ana", "step", (5, 7), [1, 1], {"free_metres": 2}),
        (activated, "hero", "move", (3, 5), [1, 1], {"actions": 1}),  # which gives 4 points, of which 2 are left
    ],
    ids=["dnd5e", "dnd5e on difficult ground", "action_points", "skirmish"],
)
def test_the_way_is_the_one_that_is_taken(
    fight: Callable[[], Drill], who: str, action: str, to: Position, costs: list[int], used: dict[str, int]
) -> None:
    drill = fight()
    before = list(drill.fight.events)
    found = drill.seen_by().way(who, action, to)
    assert [step.cost for step in found.steps] == costs
    assert found.cost == sum(costs)
    assert found.used == used
    assert found.steps[-1].to == to
    assert drill.fight.events == before
    moved = all_of(drill.do(who, action, to=to, replies={one.who: None for one in found.may_react}), Moved)
    assert [step.to for step in found.steps] == [event.to for event in moved]


def test_it_says_who_could_react_and_where() -> None:
    """To 0,1 it is one step, which leaves the goblin's reach."""
    found = beside_a_goblin().seen_by().way("rurik", "move", (0, 1))
    reactions = ["dnd5e:action:opportunity_attack"]
    assert [(one.name, one.at, one.reactions) for one in found.may_react] == [("Snig", (1, 1), reactions)]


@by_every_ruleset
@pytest.mark.parametrize(("hidden", "told"), [(False, ["snig"]), (True, [])])
def test_players_are_told_only_of_those_whom_they_see(ruleset: str, hidden: bool, told: list[str]) -> None:
    found = beside_a_goblin(hidden, ruleset).seen_by("rurik").way("rurik", "move", (1, 3))
    assert [one.who for one in found.may_react] == told


def test_what_opponents_intend_is_not_told() -> None:
    """A goblin that never reacts looks like any other."""
    drill = beside_a_goblin()
    drill.send(SetReactions("snig", {"*": "never"}))
    assert [one.who for one in drill.seen_by("rurik").way("rurik", "move", (1, 3)).may_react] == ["snig"]


@pytest.mark.parametrize(
    ("action", "to", "code"),
    [
        ("move", (2, 1), "move/occupied"),
        ("move", (1, 1), "move/already-there"),
        ("dodge", (1, 3), "declaration/takes-no-destination"),
    ],
)
def test_what_would_be_refused_is_refused(action: str, to: Position, code: str) -> None:
    for seat in ("gm", "rurik"):
        with pytest.raises(Problem) as refused:
            beside_a_goblin().seen_by(seat).way("rurik", action, to)
        assert refused.value.code == code


def test_options_count() -> None:
    """Past 0,2 and back to 1,3, instead of the shortest way to 2,3."""
    for seat in ("gm", "rurik"):
        found = beside_a_goblin().seen_by(seat).way("rurik", "move", (2, 3), options={"via": "0,2 1,3"})
        assert [step.to for step in found.steps] == [(0, 2), (1, 3), (2, 3)]


def test_others_cannot_ask() -> None:
    with pytest.raises(Problem) as refused:
        beside_a_goblin().seen_by("rurik").way("snig", "move", (1, 3))
    assert refused.value.code == "seat/not-yours"
