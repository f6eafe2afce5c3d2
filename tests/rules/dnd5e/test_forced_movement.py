"""Being pushed or dragged: into what is there, and out of holds. And who is too close to shoot past."""

from __future__ import annotations

import pytest

from combatlog.testing import Drill, all_of, only
from ledger.events import AttackResolved, Damaged
from tests.rules.dnd5e.test_creature_powers import ROOM, beast
from tests.rules.dnd5e.test_lasting_spells import SLOTS

PIT = {"fire": {"squares": ["4,2"], "when": ["enter"], "damage": "1d6"}}


def test_whoever_is_pushed_into_fire_is_burned() -> None:
    drill = Drill(map=ROOM, options={"hazards": PIT})
    drill.join("wizard", "Mila", (1, 2), overrides={"spells": ["thunderwave"], "slots": SLOTS})
    drill.join(beast(), "Cat", (2, 2), side="foes")
    drill.start(dice=[20, 1])
    events = drill.do("mila", "thunderwave", to=(2, 2), dice=[1, 1, 5, 6])  # 2, and 10 feet; then 6 of the fire
    assert (drill["cat.position"], [hurt.amount for hurt in all_of(events, Damaged)]) == ((4, 2), [2, 6])


def test_a_push_ends_a_hold_at_once() -> None:
    drill = Drill(map=ROOM)
    drill.join("wizard", "Mila", (1, 2), overrides={"spells": ["thunderwave"], "slots": SLOTS})
    drill.join(beast(), "Cat", (2, 2), side="foes")
    drill.join("fighter", "Rurik", (1, 3), overrides={"skills": ["athletics"]})
    drill.start(dice=[10, 1, 20])
    drill.do("rurik", "attack")
    drill.do("rurik", "grapple", target="cat", dice=[15, 2])
    drill.next_turn()
    drill.do("mila", "thunderwave", to=(2, 2), dice=[1, 1, 5])
    assert drill["cat.conditions"] == []


@pytest.mark.parametrize(("condition", "roll"), [(None, 3), ("invisible", 18)])
def test_only_those_who_see_an_archer_are_too_close(condition: str | None, roll: int) -> None:
    drill = Drill(map=ROOM)
    drill.join("fighter", "Rurik", (1, 2), overrides={"weapons": ["longbow"], "features": []})
    drill.join(beast(), "Cat", (2, 2), side="foes")
    drill.join(beast(hp=60), "Dog", (8, 2), side="foes")
    drill.start(dice=[20, 1, 1])
    if condition is not None:
        drill.do("gm", "rule", target="rurik", options={"add": [condition], "reason": "a test"})
    faces = [3, 18] if condition is None else [18, 3]
    damage = [] if condition is None else [4]
    shot = only(drill.do("rurik", "ranged_attack", target="dog", weapon="longbow", dice=faces + damage), AttackResolved)
    assert shot.roll == roll  # unseen, it has advantage and nobody is in the way


@pytest.mark.parametrize("who", ["held", "holder"])
def test_teleporting_away_ends_a_hold(who: str) -> None:
    """Misty Step takes Mila out of the reach of the other, whether she is held or holds it."""
    drill = Drill(map=ROOM)
    drill.join(
        "wizard", "Mila", (2, 2), overrides={"spells": ["misty_step"], "slots": {2: 1}}, reactions={"*": "never"}
    )
    drill.join("fighter", "Rurik", (3, 2), side="foes", overrides={"shield": False}, reactions={"*": "never"})
    drill.start(dice=[1, 20] if who == "held" else [20, 1])
    holder, held = ("rurik", "mila") if who == "held" else ("mila", "rurik")
    drill.do(holder, "attack")
    drill.do(holder, "grapple", target=held, dice=[20, 1])
    assert drill[f"{held}.conditions"] == ["grappled"]
    if who == "held":
        drill.next_turn()
    drill.do("mila", "misty_step", to=(2, 6))
    assert drill[f"{held}.conditions"] == []


def test_let_go_releases_whom_one_holds_at_no_cost() -> None:
    drill = Drill(map=ROOM)
    drill.join("fighter", "Rurik", (2, 2), overrides={"shield": False}, reactions={"*": "never"})
    drill.join(beast(), "Cat", (3, 2), side="foes", reactions={"*": "never"})
    drill.join(beast(), "Dog", (2, 3), side="foes", reactions={"*": "never"})
    drill.start(dice=[20, 2, 1])
    assert drill.refusal("rurik", "let_go").code == "let-go/nobody"
    drill.do("gm", "rule", target="rurik", options={"set": {"attacks": 2}, "reason": "a test"})
    drill.do("rurik", "grapple", target="cat", dice=[20, 1])
    drill.do("rurik", "grapple", target="dog", dice=[20, 1])
    assert drill.refusal("rurik", "let_go", target="rurik").code == "let-go/not-held"
    drill.do("rurik", "let_go", target="cat")
    assert (drill["cat.conditions"], drill["dog.conditions"], drill["rurik.action"]) == ([], ["grappled"], 1)
    drill.do("rurik", "let_go")
    assert drill["dog.conditions"] == []
