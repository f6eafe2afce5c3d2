"""The seven test cases of the attack chain: it fires before the roll and decides how the roll is made."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from combatlog.rules.dnd5e.attack.phases import Attack, attack_ability, attack_chain
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.testing import Drill, all_of, only
from ledger.events import (
    AttackResolved,
    ChainModified,
    ChangeOp,
    Event,
    ReactionUsed,
    ResourceChanged,
    Rolled,
    RollMode,
)
from tests.support import protected_duel

PROTECTION = "dnd5e:feature:protection"


@pytest.fixture
def drill() -> Drill:
    """A goblin next to a fighter whose ally, a paladin with a shield, stands beside."""
    drill = protected_duel()
    drill.do("snig", "attack")
    return drill


def strike(drill: Drill, *dice: int, osric: str | None = None) -> Sequence[Event]:
    return drill.do("snig", "strike", target="rurik", dice=dice, replies={"osric": osric})


def give(drill: Drill, combatant: str, condition: str) -> None:
    drill.do("gm", "rule", target=combatant, options={"add": [condition], "reason": "the test says so"})


def test_chain_fires_before_roll(drill: Drill) -> None:
    events = strike(drill, 3)
    roll = only(events, Rolled)
    chain = [event for event in all_of(events, ChainModified) if event.chain == "attack"]
    assert [event.change.amount for event in chain] == [2, 2]  # dexterity 14, proficiency at level 1
    assert all(event.seq < roll.seq for event in chain)


def test_advantage_source_makes_roll_take_higher_of_two(drill: Drill) -> None:
    give(drill, "rurik", "unconscious")
    events = strike(drill, 8, 15, 4, 4)  # from within 5 feet it is critical: two dice of damage
    roll = next(iter(all_of(events, Rolled)))
    assert (roll.mode, roll.faces, roll.kept, roll.total) == (RollMode.ADVANTAGE, (8, 15), (15,), 19)


def test_disadvantage_source_makes_roll_take_lower_of_two(drill: Drill) -> None:
    events = strike(drill, 15, 8, osric="protection")
    roll = only(events, Rolled)
    assert (roll.mode, roll.faces, roll.kept, roll.total) == (RollMode.DISADVANTAGE, (15, 8), (8,), 12)
    assert only(events, AttackResolved).hit is False  # 12 against 16; the 15 would have hit


def test_advantage_and_disadvantage_cancel_to_normal_roll(drill: Drill) -> None:
    give(drill, "rurik", "unconscious")
    events = strike(drill, 9, osric="protection")
    roll = only(events, Rolled)
    assert (roll.mode, roll.faces, roll.kept) == (RollMode.NORMAL, (9,), (9,))


def test_multiple_sources_of_disadvantage_do_not_stack(drill: Drill) -> None:
    give(drill, "rurik", "dodging")
    events = strike(drill, 15, 8, osric="protection")
    sources = [e.source for e in all_of(events, ChainModified) if e.change.op is ChangeOp.DISADVANTAGE]
    assert sources == [PROTECTION, "dnd5e:condition:dodging"]
    assert only(events, Rolled).faces == (15, 8)


def test_multiple_advantage_sources_still_roll_two_dice(drill: Drill) -> None:
    give(drill, "rurik", "unconscious")
    give(drill, "rurik", "dodging")  # does nothing for somebody who cannot act
    assert only(strike(drill, 2, 3), Rolled).faces == (2, 3)


def test_reactions_consumed_populated_when_reaction_used(drill: Drill) -> None:
    battle = drill.fight.battle
    snig, rurik = battle.combatants["snig"], battle.combatants["rurik"]
    weapon = sheet_of(snig).weapons[0]
    attack = Attack(battle, snig, rurik, weapon, attack_ability(snig, weapon), melee=True)
    assert attack_chain(attack).reactions_consumed == []
    attack.chosen["osric"] = PROTECTION
    (consumed,) = attack_chain(attack).reactions_consumed
    assert (consumed.reactor, consumed.reaction) == ("osric", PROTECTION)


def test_reaction_used_recorded_after_chain_execution(drill: Drill) -> None:
    events = strike(drill, 15, 8, osric="protection")
    used = only(events, ReactionUsed)
    chain = [event.seq for event in all_of(events, ChainModified)]
    assert max(chain) < used.seq < only(events, Rolled).seq
    spent = next(e for e in all_of(events, ResourceChanged) if e.owner == "osric")
    assert (spent.resource, spent.before, spent.after, spent.cause) == ("reaction", 1, 0, used.seq)
