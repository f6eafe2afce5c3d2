"""Taking one's turn later in the round. Rulesets say when that is possible."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.table import Table
from ledger.events import Declared, InitiativeSet
from projections.combatant import Combatant


def require_later(actor: Combatant, later: Sequence[Combatant]) -> None:
    if not later:
        raise Refusal("delay/last", f"Nobody acts after {actor.name} in this round; it cannot wait.", who=actor.id)


def waits_for(actor: Combatant, later: Sequence[Combatant], declared: Declared) -> str:
    """Whose turn comes before the delayed one: that of the target, or else of the last combatant."""
    names = [other.id for other in later]
    if not declared.targets:
        return names[-1]
    if len(declared.targets) == 1 and declared.targets[0] in names:
        return declared.targets[0]
    raise Refusal(
        "delay/not-later",
        f"{actor.name} can wait for one combatant that acts later in this round: {choices(names)}.",
        who=actor.id,
        found=list(declared.targets),
        available=names,
    )


def act_after(table: Table, actor: Combatant, other: str) -> None:
    """Put somebody right behind somebody else in the order of turns."""
    entries = {entry.combatant: entry for entry in table.battle.clock.order}
    order = [name for name in entries if name != actor.id]
    order.insert(order.index(other) + 1, actor.id)
    table.record(InitiativeSet, order=tuple(entries[name] for name in order))
