"""Sneak Attack: eligibility is decided in the chain before the roll, its dice are added after the hit."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from combatlog.testing import Drill, all_of, only
from ledger.events import AttackResolved, ChainModified, Damaged, Event, ResourceChanged, Rolled

SNEAK_ATTACK = "dnd5e:feature:sneak_attack"


def ambush(ally_at: tuple[int, int] = (3, 2), weapons: Sequence[str] = ("rapier", "shortbow", "mace")) -> Drill:
    """Vex the rogue (level 5: +7, 1d8+4, 3d6) next to an orc of AC 13; Rurik stands beside the orc, or elsewhere."""
    drill = Drill()
    drill.join("rogue", "Vex", (1, 1), overrides={"weapons": list(weapons)})
    drill.join("fighter", "Rurik", ally_at)
    drill.join("orc", "Ugh", (2, 1), side="foes", reactions={"*": "never"}, overrides={"hp": 90})
    drill.start(dice=[20, 10, 1])
    drill.do("vex", "attack")
    return drill


def strike(drill: Drill, *dice: int, weapon: str | None = None) -> Sequence[Event]:
    return drill.do("vex", "strike", target="ugh", dice=dice, weapon=weapon)


def contributions(events: Sequence[Event]) -> list[tuple[str, str]]:
    return [(e.chain, e.change.op.value) for e in all_of(events, ChainModified) if e.source == SNEAK_ATTACK]


def give(drill: Drill, combatant: str, condition: str) -> None:
    drill.do("gm", "rule", target=combatant, options={"add": [condition], "reason": "the test says so"})


def test_sneak_attack_with_an_ally_beside_the_target() -> None:
    drill = ambush()
    events = strike(drill, 10, 5, 2, 3, 4)
    assert contributions(events) == [("attack", "flag"), ("damage", "dice")]
    assert only(events, Damaged).amount == 5 + 4 + 9
    assert drill["vex.sneak_attack"] == 0


def test_sneak_attack_is_eligible_before_the_roll_and_adds_nothing_to_a_miss() -> None:
    drill = ambush()
    events = strike(drill, 2)
    flag = next(e for e in all_of(events, ChainModified) if e.source == SNEAK_ATTACK)
    assert flag.seq < only(events, Rolled).seq
    assert only(events, AttackResolved).hit is False
    assert drill["vex.sneak_attack"] == 1


def test_sneak_attack_without_ally_or_advantage_is_not_eligible() -> None:
    drill = ambush(ally_at=(9, 9))
    events = strike(drill, 10, 5)
    assert contributions(events) == []
    assert only(events, Damaged).amount == 9


@pytest.mark.parametrize(("side", "helps"), [("neutral", False), ("rivals", True)])
def test_sneak_attack_needs_an_enemy_of_the_target_beside_it(side: str, helps: bool) -> None:
    """A bystander is no enemy of the orc; a third party at war with it is, though it is no friend of Vex."""
    drill = Drill()
    drill.join("rogue", "Vex", (1, 1))
    drill.join("fighter", "Rurik", (3, 2), side=side)
    drill.join("orc", "Ugh", (2, 1), side="foes", reactions={"*": "never"}, overrides={"hp": 90})
    drill.start(dice=[20, 10, 1])
    drill.do("vex", "attack")
    assert bool(contributions(strike(drill, 10, 5, *([2, 3, 4] if helps else [])))) is helps


def test_sneak_attack_with_advantage_needs_no_ally() -> None:
    drill = ambush(ally_at=(9, 9))
    give(drill, "ugh", "restrained")
    events = strike(drill, 3, 10, 5, 1, 1, 1)
    assert only(events, Damaged).amount == 12


def test_sneak_attack_with_disadvantage_does_not_count_the_ally() -> None:
    drill = ambush()
    give(drill, "vex", "poisoned")
    assert contributions(strike(drill, 10, 12, 5)) == []


def test_sneak_attack_counts_the_ally_where_advantage_and_disadvantage_cancel() -> None:
    drill = ambush()
    give(drill, "vex", "poisoned")
    give(drill, "ugh", "restrained")
    assert contributions(strike(drill, 12, 5, 1, 1, 1)) != []


def test_sneak_attack_needs_a_finesse_or_ranged_weapon() -> None:
    drill = ambush()
    assert contributions(strike(drill, 15, 5, weapon="mace")) == []


def test_sneak_attack_is_doubled_on_a_critical() -> None:
    drill = ambush()
    events = strike(drill, 20, 5, 1, 1, 1, 6, 2, 2, 2)
    dice = [e.change.dice for e in all_of(events, ChainModified) if e.chain == "damage" and e.change.dice]
    assert dice == ["1d8", "3d6", "1d8", "3d6"]
    assert only(events, Damaged).amount == 5 + 3 + 6 + 6 + 4


def test_sneak_attack_comes_once_a_turn_and_again_in_the_next() -> None:
    drill = ambush()
    drill.do("gm", "rule", target="vex", options={"set": {"attacks": 2}, "reason": "haste"})
    strike(drill, 10, 5, 2, 3, 4)
    assert contributions(strike(drill, 10, 5)) == []
    events = drill.next_turn()
    renewed = [e for e in all_of(events, ResourceChanged) if e.resource == "sneak_attack"]
    assert [(e.before, e.after) for e in renewed] == [(0, 1)]


@pytest.mark.parametrize(("level", "dice"), [(1, "1d6"), (2, "1d6"), (3, "2d6"), (20, "10d6")])
def test_sneak_attack_grows_with_the_level(level: int, dice: str) -> None:
    drill = Drill()
    drill.join("rogue", "Vex", (1, 1), overrides={"level": level})
    drill.join("fighter", "Rurik", (3, 2))
    drill.join("orc", "Ugh", (2, 1), side="foes", reactions={"*": "never"}, overrides={"hp": 90})
    drill.start(dice=[20, 10, 1])
    drill.do("vex", "attack")
    events = strike(drill, 19, 5, *[1] * int(dice.partition("d")[0]))
    assert [e.change.dice for e in all_of(events, ChainModified) if e.source == SNEAK_ATTACK][-1] == dice
