"""What a hit or a failed save leads to in later turns, with numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.testing import Drill, all_of, only
from ledger.events import CheckResolved, Damaged, Healed, SaveResolved

HP = 40
HIT = (18,)
"""Snig has +4 and Rurik AC 16; the die of damage comes next, and Snig adds 2."""


def duel(then: dict[str, Any], at: tuple[int, int] = (2, 1), **overrides: Any) -> Drill:
    """Snig the goblin, whose hits have a consequence, beside Rurik the fighter (con save +4). It is Snig's turn."""
    bite = {"name": "bite", "archetype": "on_hit", "then": then}
    drill = Drill()
    drill.join("goblin", "Snig", at, side="foes", overrides={"features": [bite], **overrides})
    drill.join("fighter", "Rurik", (1, 1), overrides={"hp": HP}, reactions={"*": "never"})
    drill.start(dice=[20, 10])
    drill.do("snig", "attack")
    return drill


FLAMES = {"ongoing": {"damage": "1d10", "damage_type": "fire", "put_out": True}}


def test_suffering_hurts_at_the_start_of_each_turn_until_it_is_put_out() -> None:
    drill = duel(FLAMES)
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4])  # 4 + 2
    assert (drill["rurik.hp"], drill["rurik.conditions"]) == (34, ["suffering"])
    drill.next_turn(dice=[7])
    assert drill["rurik.hp"] == 27
    drill.do("rurik", "put_out")
    assert drill["rurik.conditions"] == []


def test_suffering_can_end_with_a_medicine_check() -> None:
    wound = {"ongoing": {"damage": "1d10", "damage_type": "slashing", "put_out": True, "difficulty": 12}}
    drill = duel(wound)
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4])
    drill.next_turn(dice=[1])
    check = only(drill.do("rurik", "put_out", dice=[11]), CheckResolved)
    assert (check.against, check.success) == (12, check.total >= 12)


@pytest.mark.parametrize(
    ("target", "code"), [("snig", "put-out/not-suffering"), (["rurik", "snig"], "put-out/one-target")]
)
def test_put_out_only_what_burns(target: Any, code: str) -> None:
    drill = duel(FLAMES)
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4])
    drill.next_turn(dice=[1])
    assert drill.refusal("rurik", "put_out", target=target).code == code


def test_put_out_nothing() -> None:
    drill = duel(FLAMES)
    assert drill.refusal("snig", "put_out").code == "put-out/nobody"


def test_suffering_once_is_over_after_the_next_turn() -> None:
    acid = {"ongoing": {"damage": "2d4", "damage_type": "acid", "at": "turn_end", "once": True}}
    drill = duel(acid)
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4])
    drill.next_turn()
    assert drill["rurik.hp"] == 34
    drill.next_turn(dice=[2, 3])
    assert (drill["rurik.hp"], drill["rurik.conditions"]) == (29, [])


def test_drained_lowers_the_maximum_until_a_long_rest() -> None:
    drill = duel({"save": "con", "dc": 10, "drain": {}})
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4, 3])  # 3 + 4 fails against 10
    assert drill["rurik.conditions"] == ["drained"]
    drill.do("gm", "heal", target="rurik", options={"amount": 30, "reason": "a test"})
    assert drill["rurik.hp"] == 34  # 40 less the 6 of the hit


def test_drained_to_nothing_dies() -> None:
    claw = {"name": "claw", "to_hit": 4, "damage": "40", "damage_type": "necrotic"}  # as much as Rurik's maximum
    drill = duel({"drain": {}}, weapons=[claw])
    drill.do("snig", "strike", target="rurik", dice=HIT)
    assert "dead" in drill["rurik.conditions"]


def test_drained_life_can_heal() -> None:
    drill = duel({"drain": {"heals": True}}, hp=20)
    drill.do("gm", "rule", target="snig", options={"set": {"hp": 10}, "reason": "a test"})
    events = drill.do("snig", "strike", target="rurik", dice=[*HIT, 4])
    assert (only(events, Healed).amount, drill["snig.hp"]) == (6, 16)


def test_only_one_type_of_damage_drains() -> None:
    drill = duel({"drain": {"damage_type": "necrotic"}})
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4])
    assert drill["rurik.conditions"] == []


@pytest.mark.parametrize(("die", "held"), [(8, ["poisoned"]), (7, ["poisoned"]), (6, ["asleep", "poisoned", "prone"])])
def test_a_save_that_fails_badly(die: int, held: list[str]) -> None:
    """Against 15: 8 + 4 fails by 3, 7 + 4 by 4, and 6 + 4 by 5."""
    drill = duel({"save": "con", "dc": 15, "condition": "poisoned", "badly": "asleep"})
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4, die])
    assert drill["rurik.conditions"] == held


def test_asleep_wakes_when_hurt() -> None:
    drill = duel({"save": "con", "dc": 15, "condition": "poisoned", "badly": "asleep"})
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4, 6])
    drill.do("gm", "hurt", target="rurik", options={"amount": 1, "reason": "a test"})
    assert "asleep" not in drill["rurik.conditions"]


def test_wake_somebody_beside() -> None:
    drill = duel({"condition": "asleep"})
    drill.join("fighter", "Osric", (1, 2), dice=[1])
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4])
    drill.next_turn()
    drill.next_turn()
    assert drill.refusal("osric", "wake", target="snig").code == "wake/not-asleep"
    drill.do("osric", "wake", target="rurik")
    assert drill["rurik.conditions"] == ["prone"]


def test_wake_nobody() -> None:
    assert duel({"condition": "asleep"}).refusal("snig", "wake", target="rurik").code == "wake/nobody"


STONE = {"save": "con", "dc": 11, "condition": "restrained", "lasts": "until_ended", "worse": "petrified"}


@pytest.mark.parametrize(("die", "held"), [(6, ["petrified"]), (7, [])])
def test_what_gets_worse(die: int, held: list[str]) -> None:
    """6 + 4 fails against 11 and 7 + 4 succeeds, at the end of Rurik's turn."""
    drill = duel(STONE)
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4, 1])
    assert drill["rurik.conditions"] == ["restrained"]
    drill.next_turn()
    drill.next_turn(dice=[die])
    assert drill["rurik.conditions"] == held


def test_one_save_ends_all_that_one_cause_brought() -> None:
    poison = {"condition": "poisoned", "also": ["unhealing"], "save": "con", "dc": 12, "save_again": True}
    drill = duel({**poison, "ongoing": {"damage": "1d6", "damage_type": "poison"}})
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4, 1])
    assert drill["rurik.conditions"] == ["poisoned", "suffering", "unhealing"]
    drill.next_turn(dice=[3])
    events = drill.next_turn(dice=[8])  # 8 + 4 saves
    assert (len(all_of(events, SaveResolved)), drill["rurik.conditions"]) == (1, [])


def test_unhealing_regains_nothing() -> None:
    drill = duel({"condition": "unhealing"})
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4])
    drill.do("gm", "heal", target="rurik", options={"amount": 3, "reason": "a test"})
    assert drill["rurik.hp"] == 34


def test_a_pull_ends_beside_whoever_pulls() -> None:
    drill = duel(
        {"pull": 25}, at=(5, 1), weapons=[{"name": "whip", "damage": "1d6", "damage_type": "fire", "reach": 20}]
    )
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4])
    assert drill["rurik.position"] == (4, 1)  # 15 of the 25 feet


def test_poison_that_does_not_kill() -> None:
    drill = duel({"downed": ["poisoned", "paralyzed"]})
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": 3}, "reason": "a test"})
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4])
    assert drill["rurik.conditions"] == ["paralyzed", "poisoned", "prone", "stable", "unconscious"]


def test_rattled_misses_once() -> None:
    drill = duel({"condition": "rattled", "lasts": "end_of_next_turn"})
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4])
    drill.next_turn()
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="snig", dice=[20, 2])  # the lower of the two
    assert drill["rurik.conditions"] == []


def test_what_a_hold_brings_ends_with_it() -> None:
    chain = {"condition": "grappled", "also": ["restrained"], "escape_dc": 5, "lasts": "until_ended"}
    drill = duel({**chain, "ongoing": {"damage": "2d6", "damage_type": "piercing"}})
    drill.do("snig", "strike", target="rurik", dice=[*HIT, 4])
    events = drill.next_turn(dice=[2, 3])
    assert sum(hurt.amount for hurt in all_of(events, Damaged)) == 5
    drill.do("rurik", "escape", dice=[15])
    assert drill["rurik.conditions"] == []
