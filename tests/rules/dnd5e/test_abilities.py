"""Help, Hide and Ready: abilities that spend the action on somebody's later advantage."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.testing import Drill, all_of, only
from ledger.events import AttackResolved, CheckResolved, Moved, ReactionUsed, Rolled


def two_on_one() -> Drill:
    drill = Drill()
    drill.join("rogue", "Vex", (1, 1), overrides={"weapons": ["mace"], "features": []})
    drill.join("fighter", "Rurik", (3, 1))
    drill.join("orc", "Ugh", (2, 1), side="foes", reactions={"*": "never"}, overrides={"hp": 60})
    drill.start(dice=[20, 10, 1])
    return drill


def test_help_gives_an_ally_advantage_on_its_next_attack() -> None:
    drill = two_on_one()
    drill.do("vex", "help", target=("rurik", "ugh"))
    assert (drill["vex.action"], drill["rurik.conditions"]) == (0, ["helped"])
    drill.next_turn()
    drill.do("rurik", "attack")
    events = drill.do("rurik", "strike", target="ugh", dice=(3, 12, 1))
    assert (all_of(events, Rolled)[0].faces, only(events, AttackResolved).roll) == ((3, 12), 12)
    assert drill["rurik.conditions"] == []


def test_help_that_is_not_used_ends_at_the_helpers_next_turn() -> None:
    drill = two_on_one()
    drill.do("vex", "help", target=("rurik", "ugh"))
    for _ in range(3):
        drill.next_turn()
    assert (drill["turn"], drill["rurik.conditions"]) == ("vex", [])


@pytest.mark.parametrize(
    ("targets", "code"),
    [
        (("rurik",), "help/two-targets"),
        (("ugh", "rurik"), "help/not-an-ally"),
        (("vex", "ugh"), "help/not-an-ally"),
        (("rurik", "rurik"), "help/not-an-enemy"),
    ],
)
def test_help_names_an_ally_and_then_an_enemy(targets: tuple[str, ...], code: str) -> None:
    assert two_on_one().refusal("vex", "help", target=targets).code == code


HALL = """
......
.###..
......
"""


def hall(at: tuple[int, int]) -> Drill:
    drill = Drill(map=HALL)
    drill.join("rogue", "Vex", at)
    drill.join("orc", "Ugh", (2, 0), side="foes")  # wisdom 11: passive Perception 10
    drill.start(dice=[20, 1])
    return drill


@pytest.mark.parametrize(("die", "conditions"), [(3, ["hidden"]), (2, [])])
def test_hide_is_stealth_against_passive_perception(die: int, conditions: list[str]) -> None:
    drill = hall((2, 2))
    check = only(drill.do("vex", "hide", dice=(die,)), CheckResolved)  # dexterity 18 and proficient: +7
    assert (check.check, check.total, check.against) == ("stealth", die + 7, 10)
    assert (drill["vex.conditions"], drill["vex.action"]) == (conditions, 0)


def test_hide_in_plain_sight_is_refused() -> None:
    assert hall((5, 0)).refusal("vex", "hide").code == "hide/in-plain-sight"


def test_hidden_ends_when_an_enemy_gets_a_clear_look() -> None:
    drill = hall((2, 2))
    drill.do("vex", "hide", dice=(15,))
    drill.do("vex", "move", to=(4, 0))
    assert drill["vex.conditions"] == []


def waiting(trigger: str, action: str = "strike", **more: object) -> Drill:
    """Rurik has readied something; it is the orc's turn, three squares away."""
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("orc", "Ugh", (4, 1), side="foes", overrides={"hp": 60})
    drill.join("goblin", "Snig", (9, 9), side="foes")
    drill.start(dice=[20, 10, 1])
    options = {"trigger": trigger, "action": action}
    drill.do("rurik", "ready", options=options, **more)  # type: ignore[arg-type]
    drill.next_turn()
    return drill


def test_ready_strikes_when_an_enemy_comes_within_reach() -> None:
    drill = waiting("approaches")
    assert drill["rurik.conditions"] == ["readied"]
    events = drill.do("ugh", "move", to=(2, 1))
    assert (drill["waiting"], [moved.to for moved in all_of(events, Moved)]) == ("rurik", [(3, 1), (2, 1)])
    events = drill.react("rurik", "readied", dice=(15, 5))
    assert (drill["ugh.hp"], drill["rurik.reaction"], drill["rurik.conditions"]) == (52, 0, [])
    assert only(events, ReactionUsed).reaction == "dnd5e:condition:readied"


def test_ready_that_is_let_pass_goes_on_waiting() -> None:
    drill = waiting("approaches")
    drill.do("ugh", "move", to=(2, 1))
    drill.react("rurik", None)
    assert (drill["rurik.reaction"], drill["rurik.conditions"]) == (1, ["readied"])


def test_ready_waits_only_for_those_who_are_named() -> None:
    drill = waiting("approaches", target="snig")
    assert all_of(drill.do("ugh", "move", to=(2, 1)), ReactionUsed) == []
    assert drill["waiting"] is None


def test_ready_moves_after_an_attack() -> None:
    drill = waiting("attacks", "move", to=(1, 4))
    drill.do("ugh", "ranged_attack", target="rurik", weapon="javelin", dice=(2,))
    drill.react("rurik", "readied")
    assert (drill["rurik.position"], drill["rurik.movement"], drill["rurik.reaction"]) == ((1, 4), 30, 0)


def test_ready_ends_at_the_own_next_turn() -> None:
    drill = waiting("approaches")
    drill.next_turn()
    drill.next_turn()
    assert (drill["turn"], drill["rurik.conditions"]) == ("rurik", [])


def test_ready_what_cannot_be_readied_is_refused() -> None:
    drill = two_on_one()
    assert drill.refusal("vex", "ready", options={"trigger": "sneezes"}).code == "declaration/invalid-option"
    sing = {"trigger": "attacks", "action": "sing"}
    assert drill.refusal("vex", "ready", options=sing).code == "ready/not-an-action"


def test_ready_without_a_trigger_does_not_spend_the_action() -> None:
    drill = two_on_one()
    assert drill.refusal("vex", "ready").code == "declaration/missing-option"
    assert drill["vex.action"] == 1


@pytest.mark.parametrize(
    ("action", "said", "code"),
    [
        ("strike", {"to": (1, 4)}, "declaration/takes-no-destination"),
        ("move", {"to": (1, 4), "weapon": "mace"}, "declaration/takes-no-weapon"),
        ("strike", {"target": ["ugh", "ugh"]}, "declaration/target-twice"),
    ],
)
def test_ready_takes_nothing_that_would_have_no_effect(action: str, said: dict[str, Any], code: str) -> None:
    drill = two_on_one()
    assert drill.refusal("vex", "ready", options={"trigger": "attacks", "action": action}, **said).code == code


def test_latecomers_have_their_turns_by_their_initiative() -> None:
    drill = two_on_one()
    for name, value in (("Late", 0), ("Later", -1)):
        drill.join("goblin", name, (8, 8 if name == "Late" else 9), side="foes", initiative=value)
    turns = []
    for _ in range(5):
        drill.next_turn()
        turns.append(drill["turn"])
    assert turns == ["rurik", "ugh", "late", "later", "vex"]
    assert drill["round"] == 2


def test_a_ruling_that_says_ready_but_not_for_what_is_no_trap() -> None:
    drill = two_on_one()
    drill.do("gm", "rule", target="ugh", options={"add": ["readied"], "reason": "he looks alert"})
    drill.do("vex", "move", to=(1, 2))
    assert drill["vex.position"] == (1, 2)
