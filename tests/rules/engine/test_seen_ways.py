"""A way as its mover's side sees it: the same wherever somebody unseen stands off it, and refused where one is on it.

What a GM moves is led around everybody, as ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatlog import Amend
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of
from ledger.errors import Problem
from ledger.events import Declared, Moved, Position
from projections.views import Seat, SeatView
from tests.effort import examples
from tests.rules.skirmish.arena import FOE, HERO, PASSES
from tests.rules.veils_ruleset import VeiledDnd5e, join_unseen, reveal

GOAL = (6, 3)
MAP = ("." * 9,) * 7
DIFFERENT_ANYWAY = {"encounter", "command", "recorded_at"}
Fight = Callable[[Position | None], Drill]


def dnd5e(hidden: Position | None, ruleset: str = "dnd5e") -> Drill:
    drill = Drill(ruleset, map=MAP)
    drill.join("fighter", "Rurik", (1, 3), reactions={"*": "never"})
    drill.join("goblin", "Snig", (3, 3), side="foes", reactions={"*": "never"})
    _hide(drill, hidden, "goblin")
    drill.start(dice=[20, 1] + [1] * (hidden is not None))
    return drill


def veiled(hidden: Position | None) -> Drill:
    return dnd5e(hidden, VeiledDnd5e.name)


def action_points(hidden: Position | None) -> Drill:
    drill = Drill("action_points", map=MAP)
    drill.join("duelist", "Rurik", (1, 3), reactions=PASSES)
    drill.join("brigand", "Snig", (3, 3), side="foes", reactions=PASSES)
    _hide(drill, hidden, "brigand")
    drill.start()
    return drill


def skirmish(hidden: Position | None, **hero: Any) -> Drill:
    drill = Drill("skirmish", map=MAP, options={"hand": 0})
    drill.join({"kind": "player", "name": "Rebels"}, "Rebels", reactions=PASSES)
    drill.join({"kind": "player", "name": "Empire"}, "Empire", side="foes", reactions=PASSES)
    drill.join({**HERO, "speed": 8, **hero}, "Rurik", (1, 3))
    drill.join(FOE, "Snig", (3, 3), side="foes")
    _hide(drill, hidden, FOE)
    drill.start(dice=[1])
    drill.do("rurik", "activate")
    return drill


def large_figure(hidden: Position | None) -> Drill:
    return skirmish(hidden, size="2x2")


def _hide(drill: Drill, at: Position | None, sheet: Any) -> None:
    if at is not None:
        join_unseen(drill, sheet, "Grimjaw", at, reactions=PASSES)


def squares(drill: Drill) -> list[Position]:
    return [step.to for step in all_of(drill.history(), Moved)]


def move(drill: Drill, *, as_seen: bool = True) -> list[Position]:
    drill.declare(drill.seen_by().way_to_move(GOAL, actor="rurik", as_seen=as_seen))
    return squares(drill)


def received(drill: Drill) -> list[dict[str, Any]]:
    """What a player is told of the fight."""
    seen = SeatView(Seat.read("player:rurik"), drill.history()).seen
    return [event.model_dump(mode="json", exclude=DIFFERENT_ANYWAY) for event in seen]


FIGHTS = [dnd5e, veiled, action_points, skirmish, large_figure]
every_ruleset = pytest.mark.parametrize("fight", FIGHTS, ids=[fight.__name__ for fight in FIGHTS])


def bodies(drill: Drill, way: list[Position]) -> set[Position]:
    """The squares that Rurik takes up on a way."""
    wide = 2 if drill.battle.combatants["rurik"].sheet.get("size") == "2x2" else 1
    return {(x + across, y + down) for x, y in way for across in range(wide) for down in range(wide)}


@every_ruleset
@examples(40)
@given(data=st.data())
def test_where_somebody_unseen_stands_off_the_way_makes_no_difference(fight: Fight, data: st.DataObject) -> None:
    """Two fights that differ only in that: the player's move is the same, to the last event and number."""
    alone = fight(None)
    way = move(alone)
    taken = bodies(alone, [(1, 3), *way]) | {(3, 3)}
    free = sorted({(x, y) for x in range(9) for y in range(7)} - taken)
    here, there = (fight(data.draw(st.sampled_from(free))) for _ in range(2))
    assert received(here) == received(there)
    assert move(here) == move(there) == way
    assert received(here) == received(there)
    for drill in (alone, here, there):
        assert list(check_declarations(drill.history())) == []


@every_ruleset
def test_somebody_unseen_on_the_way_stops_it(fight: Fight) -> None:
    """As if the last square were taken; it leaves no trace."""
    alone = fight(None)
    for square in bodies(alone, move(alone)) - bodies(alone, [(1, 3)]) - {(3, 3)}:
        drill = fight(square)
        before = received(drill)
        with pytest.raises(Problem) as refused:
            move(drill)
        assert (refused.value.code, refused.value.facts["occupant"]) == ("move/occupied", "grimjaw")
        assert received(drill) == before


@every_ruleset
def test_a_gm_leads_a_piece_around_everybody(fight: Fight) -> None:
    way = move(fight(None), as_seen=False)
    drill = fight(way[len(way) // 2])
    around = move(drill, as_seen=False)
    assert (around[-1], around != way) == (GOAL, True)
    assert all(declared.as_seen is None for declared in all_of(drill.history(), Declared))


@every_ruleset
def test_those_who_are_revealed_are_walked_around(fight: Fight) -> None:
    drill = fight(None)
    way = move(drill)
    drill = fight(way[len(way) // 2])
    reveal(drill, "grimjaw")
    assert move(drill)[-1] == GOAL


def test_it_is_recorded_and_a_correction_finds_the_way_in_the_same_manner() -> None:
    """The way is not recorded by itself: made again, the declaration finds it by what is seen then."""
    drill = dnd5e((8, 6))
    way = move(drill)
    declared = all_of(drill.history(), Declared)[-1]
    assert declared.as_seen is True
    drill.rule("grimjaw", to=(5, 5), reason="it sneaks")
    drill.apply(drill.plan(Amend(declared.seq, to=(6, 4), reason="misheard")))
    assert list(check_declarations(drill.history())) == []
    assert squares(drill)[-1] == (6, 4)
    assert way[-1] == GOAL


def test_nobody_is_aggressive_towards_somebody_unseen() -> None:
    """Grak has to come closer to an enemy in sight. In the east there is one that nobody has noticed."""
    drill = Drill(map=MAP)
    drill.join("orc", "Grak", (4, 3), reactions={"*": "never"})
    drill.join("goblin", "Snig", (0, 3), side="foes", reactions={"*": "never"})
    _hide(drill, (8, 3), "goblin")
    drill.start(dice=[20, 1, 1])
    east = Declaration(actor="grak", action="aggressive", destination=GOAL)
    for whose_eyes in (True, None):
        with pytest.raises(Problem, match="closer to an enemy") as refused:
            drill.declare(east.model_copy(update={"as_seen": whose_eyes}))
        assert refused.value.code == "aggressive/not-nearer"
    reveal(drill, "grimjaw")
    drill.declare(east)
    assert squares(drill)[-1] == GOAL
