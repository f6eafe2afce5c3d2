"""Rolling the d20 of an attack, save or check as its chain says."""

from __future__ import annotations

from ledger.events import ChangeOp, Rolled, RollModifier
from projections.combatant import Combatant
from rules.dnd5e.modifiers import as_roll_modifiers
from rules.engine.chain import Chain
from rules.engine.dice import d20, mode_of
from rules.engine.table import Table


def roll_d20(table: Table, purpose: str, roller: Combatant, chain: Chain) -> Rolled:
    mode = mode_of(len(chain.of(ChangeOp.ADVANTAGE)), len(chain.of(ChangeOp.DISADVANTAGE)))
    modifiers = as_roll_modifiers(chain) + _roll_dice_of(table, purpose, roller, chain)
    return table.roll(purpose, roller.id, d20(mode), mode=mode, modifiers=modifiers, chain=chain.name)


def _roll_dice_of(table: Table, purpose: str, roller: Combatant, chain: Chain) -> list[RollModifier]:
    """Roll the dice that a chain adds to a d20 (or subtracts, with amount -1), each as a roll of its own."""
    added = []
    for modifier in chain.of(ChangeOp.DICE):
        name = modifier.source.rsplit(":", 1)[1]
        rolled = table.roll(f"{name} on {purpose}", roller.id, modifier.change.dice or "")
        sign = -1 if modifier.change.amount == -1 else 1
        added.append(RollModifier(source=modifier.source, amount=sign * rolled.total))
    return added
