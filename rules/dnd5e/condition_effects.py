"""What many conditions do to attacks: their owner strikes badly, or is easily struck."""

from __future__ import annotations

from collections.abc import Iterator

from projections.combatant import Combatant
from rules.dnd5e.contexts import Attack
from rules.dnd5e.modifiers import advantage, disadvantage
from rules.dnd5e.pieces import Condition
from rules.engine.chain import Modifier


def strikes_badly(condition: Condition, attack: Attack, owner: Combatant, reason: str) -> Iterator[Modifier]:
    if attack.attacker is owner:
        yield disadvantage(owner.id, condition.ref, reason, stage="conditions")


def is_easily_struck(condition: Condition, attack: Attack, owner: Combatant, reason: str) -> Iterator[Modifier]:
    if attack.target is owner:
        yield advantage(owner.id, condition.ref, reason, stage="conditions")
