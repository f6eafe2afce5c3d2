from __future__ import annotations

from combatlog.rules.dnd5e.contexts import Harm
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.saves import resolve_save
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.state import end_condition
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.table import Table
from ledger.events import Data
from projections.combatant import Combatant

FROM = "from"
"""Data: the side that it fought for before."""


@piece
class Dominated(Condition):
    """Charmed and controlled: it fights for the side of whoever controls it. Damage lets it save again."""

    name = "dominated"
    is_single = True

    def begins_with(self, target: Combatant) -> Data:
        """The side it comes from; if it is dominated already, the one before that."""
        held = target.conditions.get(self.ref)
        return {FROM: held.data.get(FROM, target.home) if held is not None else target.side}

    def at_begin(self, table: Table, owner: Combatant) -> None:
        master = table.battle.combatants.get(owner.conditions[self.ref].owner)
        if master is not None and master.side != owner.side:
            table.change_side(owner, master.side, self.ref)

    def at_end(self, table: Table, owner: Combatant) -> None:
        """It goes back where it came from, unless a ruling has sent it somewhere else meanwhile."""
        held = owner.conditions[self.ref]
        master, before = table.battle.combatants.get(held.owner), held.data.get(FROM, owner.home)
        if owner.side != before and (master is None or owner.side == master.side):
            table.change_side(owner, before, self.ref)

    def forbids_target(self, owner: Combatant, target: Combatant) -> str | None:
        if target.id == owner.conditions[self.ref].owner:
            return f"{owner.name} is controlled by {target.name}"
        return None

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        held = owner.conditions[self.ref]
        master = table.battle.combatants.get(held.owner)
        if not harm.amount or master is None:
            return
        against = sheet_of(master).difficulty_of(held.source.rsplit(":", 1)[1])
        if resolve_save(table, owner, AbilityScore.WIS, against, self.ref, "wis save to be free"):
            end_condition(table, owner, self.ref, "saved")
