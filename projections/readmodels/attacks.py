"""An attack and its sources: the result that it would have had without each of them.

A number that a source added is subtracted. The second die of advantage or disadvantage is ignored, so that the first
one counts, unless another source gives the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ledger.events import AttackResolved, ChainModified, ChangeOp, Damaged, Event, Rolled
from projections.chains import modifiers_of

_MODES = (ChangeOp.ADVANTAGE, ChangeOp.DISADVANTAGE)

Fact = tuple[str, tuple[Any, ...]]


def attack_facts(attack: AttackResolved, group: Sequence[Event]) -> Iterator[Fact]:
    """`group` holds the events of the declaration, the latest first."""
    rolls = (event for event in group if isinstance(event, Rolled))
    roll = next((roll for roll in rolls if roll.roller == attack.attacker and roll.total == attack.total), None)
    came = (attack.hit, attack.critical, attack.roll, attack.total, attack.against)
    yield "attacks", (attack.attacker, attack.target, attack.weapon, *came, roll.seq if roll else None)
    if roll is not None:
        about = (attack.attacker, attack.weapon, attack.hit, attack.total, attack.against)
        for place, without in enumerate(_without_each_source(attack, roll, group), 1):
            yield "attack_sources", (place, *about, *without)


def attack_behind(damaged: Damaged, group: Iterable[Event]) -> AttackResolved | None:
    """The attack that damage came from. `group` holds the events of its declaration, the latest first."""
    attacks = (event for event in group if isinstance(event, AttackResolved) and event.seq < damaged.seq)
    return next((attack for attack in attacks if attack.hit and attack.target == damaged.target), None)


def _without_each_source(attack: AttackResolved, roll: Rolled, group: Sequence[Event]) -> Iterator[tuple[Any, ...]]:
    """Each source, with the natural roll and the total without it."""
    for modifier in roll.modifiers:
        yield modifier.source, attack.roll, attack.total - modifier.amount
    modes = _mode_modifiers(attack, roll, group)
    for modified in modes:
        alone = sum(other.change.op is modified.change.op for other in modes) == 1
        first = roll.faces[0] if roll.faces else None
        if alone and modified.change.op.value == roll.mode.value and isinstance(first, int):
            yield modified.source, first, attack.total - attack.roll + first
        else:
            yield modified.source, attack.roll, attack.total


def _mode_modifiers(attack: AttackResolved, roll: Rolled, group: Sequence[Event]) -> list[ChainModified]:
    """What gave the roll advantage or disadvantage, since the attack before it in the same declaration."""
    found = []
    for event in group:
        if isinstance(event, AttackResolved) and event.seq < attack.seq:
            break
        if isinstance(event, ChainModified) and event.change.op in _MODES:
            found.append(event)
    return modifiers_of(roll, found[::-1])
