"""What many conditions do to attacks: hamper those of their owner, or help those against it."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.modifiers import advantage, disadvantage
from combatlog.rules.dnd5e.pieces import Condition
from combatlog.rules.engine.chain import Modifier
from projections.combatant import Combatant


def disadvantage_on_own_attacks(
    condition: Condition, attack: Attack, owner: Combatant, reason: str
) -> Iterator[Modifier]:
    if attack.attacker is owner:
        yield disadvantage(owner.id, condition.ref, reason, stage="conditions")


def advantage_on_attacks_against(
    condition: Condition, attack: Attack, owner: Combatant, reason: str
) -> Iterator[Modifier]:
    if attack.target is owner:
        yield advantage(owner.id, condition.ref, reason, stage="conditions")
