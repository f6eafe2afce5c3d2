"""Movement: what steps cost, who is in the way, and who strikes at those who leave."""

from __future__ import annotations

import pytest

from combatlog.testing import Drill, all_of, only
from ledger.events import AttackResolved, Moved, ReactionWindowOpened, ResourceChanged


def beside(mover: str = "goblin", guard: str = "fighter", **more: object) -> Drill:
    """A mover at 2,1 on its turn, with a guard of the other side at 1,1."""
    drill = Drill()
    drill.join(mover, "Snig", (2, 1), side="foes", reactions={"*": "never"})
    drill.join(guard, "Rurik", (1, 1), reactions={"*": "always"}, overrides=more)
    drill.start(dice=[20, 1])
    return drill


def costs(drill: Drill, to: tuple[int, int], actor: str = "snig") -> list[int]:
    return [event.cost for event in all_of(drill.do(actor, "move", to=to), Moved)]


# Opportunity attacks


def test_leaving_reach_opens_the_window_before_the_step() -> None:
    drill = beside()
    events = drill.do("snig", "move", to=(4, 1), dice=(2,))
    window, first_step = only(events, ReactionWindowOpened), all_of(events, Moved)[0]
    assert (window.moment, window.subject) == ("step.leaving", "snig")
    assert window.seq < only(events, AttackResolved).seq < first_step.seq
    assert (drill["rurik.reaction"], drill["snig.position"]) == (0, (4, 1))


def test_opportunity_attack_that_drops_the_mover_ends_the_move_unpaid() -> None:
    drill = beside()
    events = drill.do("snig", "move", to=(4, 1), dice=(15, 5))  # 5 and 3 off 7
    assert all_of(events, Moved) == []
    assert (drill["snig.position"], drill["snig.movement"], drill["snig.conditions"]) == ((2, 1), 30, ["dead"])


def test_opportunity_attack_is_not_offered_when_disengaging() -> None:
    drill = beside()
    drill.do("snig", "disengage")
    assert all_of(drill.do("snig", "move", to=(4, 1)), ReactionWindowOpened) == []


def test_opportunity_attack_is_not_offered_while_reach_is_not_left() -> None:
    drill = beside()
    assert all_of(drill.do("snig", "move", to=(2, 2)), ReactionWindowOpened) == []


def test_a_longer_reach_is_left_later() -> None:
    drill = beside(weapons=["glaive"])
    events = drill.do("snig", "move", to=(5, 1), dice=(2,))
    at_first, *_ = all_of(events, Moved)
    assert at_first.to == (3, 1)
    assert at_first.seq < only(events, ReactionWindowOpened).seq


def test_opportunity_attack_comes_once_a_round() -> None:
    drill = beside()
    drill.do("snig", "move", to=(3, 1), dice=(2,))
    drill.do("snig", "move", to=(2, 1))
    assert all_of(drill.do("snig", "move", to=(3, 1)), AttackResolved) == []


def test_sentinel_stops_whom_it_hits_even_when_disengaging() -> None:
    drill = beside("ogre", features=["sentinel"])
    drill.do("snig", "disengage")
    drill.do("snig", "move", to=(4, 1), dice=(15, 5))
    assert (drill["snig.position"], drill["snig.movement"], drill["snig.hp"]) == ((2, 1), 40, 51)
    assert drill["snig.conditions"] == ["disengaging", "halted"]
    assert drill.refusal("snig", "move", to=(3, 1)).code == "move/speed-0"
    drill.next_turn()
    assert drill["snig.conditions"] == []


def test_forced_movement_and_teleports_are_not_struck_at() -> None:
    drill = Drill()
    drill.join("wizard", "Mila", (2, 1))
    drill.join("orc", "Ugh", (1, 1), side="foes", reactions={"*": "always"})
    drill.start(dice=[20, 1])
    assert all_of(drill.do("mila", "misty_step", to=(7, 1)), ReactionWindowOpened) == []
    assert (drill["mila.position"], drill["mila.movement"], drill["mila.slot_2"]) == ((7, 1), 30, 2)


def test_a_push_is_not_struck_at() -> None:
    drill = Drill()
    drill.join("wizard", "Mila", (1, 1))
    drill.join("fighter", "Rurik", (2, 2), reactions={"*": "always"})
    drill.join("orc", "Ugh", (2, 1), side="foes")
    drill.start(dice=[20, 10, 1])
    # 2d8 of 3 and 4; the orc's 2 + 3 fails and so does Rurik's 4 + 4: both are in the cube
    events = drill.do("mila", "thunderwave", to=(3, 1), dice=(3, 4, 4, 2))
    assert all_of(events, ReactionWindowOpened) == []
    assert drill["ugh.position"] == (4, 1)
    assert all(event.forced and event.cost == 0 for event in all_of(events, Moved))


# Costs


def test_difficult_terrain_costs_double() -> None:
    drill = Drill(map=".~~.")
    drill.join("goblin", "Snig", (0, 0), side="foes")
    drill.start(dice=[20])
    assert costs(drill, (3, 0)) == [10, 10, 5]
    assert drill["snig.movement"] == 5


def test_diagonals_cost_as_straight_steps() -> None:
    drill = Drill()
    drill.join("goblin", "Snig", (0, 0))
    drill.start(dice=[20])
    assert costs(drill, (4, 4)) == [5, 5, 5, 5]


def test_every_second_diagonal_costs_double_with_the_option() -> None:
    drill = Drill(options={"diagonals": "5-10-5"})
    drill.join("goblin", "Snig", (0, 0))
    drill.start(dice=[20])
    assert costs(drill, (1, 1)) == [5]
    assert costs(drill, (3, 3)) == [10, 5]  # counted through the turn, not from each move anew
    assert (drill["snig.movement"], drill["snig.diagonals"]) == (10, 3)


def test_standing_up_costs_half_the_speed() -> None:
    drill = Drill()
    drill.join("barbarian", "Korg", (0, 0))
    drill.start(dice=[20])
    drill.do("korg", "drop_prone")
    events = drill.do("korg", "stand_up")
    assert [(e.resource, e.before, e.after) for e in all_of(events, ResourceChanged)] == [("movement", 40, 20)]
    assert drill.refusal("korg", "stand_up").code == "stand-up/not-prone"


def test_a_way_that_is_too_long_is_refused() -> None:
    drill = Drill()
    drill.join("goblin", "Snig", (0, 0))
    drill.start(dice=[20])
    assert drill.refusal("snig", "move", to=(7, 0)).code == "economy/no-movement-left"
    drill.do("snig", "dash")
    assert costs(drill, (7, 0)) == [5] * 7


# Others in the way


@pytest.mark.parametrize(
    ("other", "rows", "to", "cost"),
    [
        ("fighter", 1, (2, 0), 15),  # an ally is crossed like difficult terrain
        ("ogre", 2, (3, 0), 25),  # two squares of an ogre
    ],
)
def test_allies_may_be_crossed_but_not_stopped_upon(other: str, rows: int, to: tuple[int, int], cost: int) -> None:
    drill = Drill(map=".....\n" * rows)
    drill.join("goblin", "Snig", (0, 0), side="foes")
    drill.join(other, "Other", (1, 0), side="foes")
    drill.start(dice=[20, 1])
    assert drill.refusal("snig", "move", to=(1, 0)).code == "move/occupied"
    assert sum(costs(drill, to)) == cost


@pytest.mark.parametrize(
    ("size", "wide", "cost"), [("small", 1, None), ("medium", 1, None), ("large", 2, 25), ("huge", 3, 35)]
)
def test_enemies_block_unless_two_sizes_apart(size: str, wide: int, cost: int | None) -> None:
    drill = Drill(map="......\n" * wide)
    drill.join("goblin", "Snig", (0, 0), side="foes", overrides={"speed": 40})  # small
    drill.join("fighter", "Rurik", (1, 0), reactions={"*": "never"}, overrides={"size": size})
    drill.start(dice=[20, 1])
    beyond = (1 + wide, 0)
    if cost is None:
        assert drill.refusal("snig", "move", to=beyond).code == "move/no-way"
    else:
        assert sum(costs(drill, beyond)) == cost


def test_who_is_dropped_while_crossing_an_ally_does_not_stay_on_its_square() -> None:
    drill = Drill(map="...\n...\n#.#")
    drill.join("goblin", "Snig", (0, 0), side="foes")
    drill.join("goblin", "Snag", (1, 0), side="foes")
    drill.join("fighter", "Rurik", (0, 1), reactions={"*": "always"})
    drill.join("orc", "Wall", (1, 1), side="foes")
    drill.start(dice=[20, 10, 5, 1])
    events = drill.do("snig", "move", to=(2, 0), dice=(15, 5))
    assert (drill["snig.conditions"], drill["snig.position"]) == (["dead"], (0, 0))
    assert all_of(events, Moved)[-1].forced is True


def test_walls_are_walked_around() -> None:
    drill = Drill(map="...\n.#.\n...")
    drill.join("goblin", "Snig", (0, 1))
    drill.start(dice=[20])
    assert len(costs(drill, (2, 1))) == 4  # no corner is cut
    assert drill.refusal("snig", "move", to=(1, 1)).code == "move/not-open"


def test_the_second_of_two_guards_does_not_strike_at_the_fallen() -> None:
    drill = Drill()
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.join("fighter", "Rurik", (1, 1), reactions={"*": "always"})
    drill.join("fighter", "Osric", (1, 2), reactions={"*": "always"})
    drill.start(dice=[20, 10, 5])
    events = drill.do("snig", "move", to=(5, 1), dice=(15, 5))
    assert only(events, AttackResolved).attacker == "rurik"
    assert (drill["rurik.reaction"], drill["osric.reaction"]) == (0, 1)


def test_the_dead_take_up_no_square() -> None:
    """Snig lies at 2,1: Rurik walks over him at 5 feet a step, and stops there; and others can join or be put there."""
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.join("goblin", "Grub", (9, 9), side="foes")
    drill.start(dice=[20, 2, 1])
    drill.hurt("snig", 7)
    assert drill["snig.conditions"] == ["dead"]
    drill.do("rurik", "move", to=(4, 1))
    assert drill["rurik.movement"] == 15  # 30 - 3 x 5
    drill.do("rurik", "move", to=(2, 1))
    assert (drill["rurik.position"], drill["rurik.movement"]) == ((2, 1), 5)
    drill.hurt("grub", 7)
    drill.join("goblin", "Late", (9, 9), side="foes", initiative=1)
    assert drill["late.position"] == (9, 9)
    drill.rule("late", to=(2, 2), reason="the test says so")
    assert drill.refusal("gm", "rule", target="late", options={"to": (2, 1), "reason": "x"}).code == "place/occupied"


def test_somebody_who_is_dying_still_does() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("fighter", "Osk", (2, 1))
    drill.start(dice=[20, 2])
    drill.hurt("osk", 12)
    assert drill["osk.conditions"] != ["dead"]
    assert drill.refusal("rurik", "move", to=(2, 1)).code == "move/occupied"
