"""Rolling the d20 of an attack, save or check as its chain says."""

from __future__ import annotations

from combatlog.rules.dnd5e.contexts import Throw
from combatlog.rules.dnd5e.modifiers import as_roll_modifiers, bonus
from combatlog.rules.engine.chain import Chain
from combatlog.rules.engine.dice import d20, mode_of
from combatlog.rules.engine.table import Table
from ledger.events import ChangeOp, Rolled


def roll_d20(table: Table, purpose: str, throw: Throw, chain: Chain) -> None:
    """Roll the d20 first, then the dice that are added to it."""
    mode = mode_of(len(chain.of(ChangeOp.ADVANTAGE)), len(chain.of(ChangeOp.DISADVANTAGE)))
    modifiers, roller = as_roll_modifiers(chain), throw.subject.id
    throw.roll = table.roll(purpose, roller, d20(mode), mode=mode, modifiers=modifiers, chain=chain.name)
    throw.natural = int(throw.roll.kept[0])
    if chain.of(ChangeOp.DICE):
        _add_dice(table, purpose, throw, chain)


def _add_dice(table: Table, purpose: str, throw: Throw, chain: Chain) -> None:
    """Roll the dice that a chain adds to a d20 (or subtracts, with amount -1), each as a roll of its own."""
    with table.because_of(rolled_in(throw)):
        for modifier in chain.of(ChangeOp.DICE):
            name = modifier.source.rsplit(":", 1)[1]
            rolled = table.roll(f"{name} on {purpose}", throw.subject.id, modifier.change.dice or "")
            amount = -rolled.total if modifier.change.amount == -1 else rolled.total
            throw.adjustments.append(bonus(modifier.stage, modifier.source, modifier.owner, modifier.reason, amount))


def rolled_in(throw: Throw) -> Rolled:
    """The d20 of a throw that has been rolled."""
    assert throw.roll is not None
    return throw.roll
