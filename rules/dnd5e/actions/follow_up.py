from __future__ import annotations

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.economy import BONUS_ACTION
from rules.dnd5e.granted_strikes import GrantedStrike
from rules.dnd5e.pieces import piece
from rules.dnd5e.targeting import one_target
from rules.dnd5e.vitality import PRONE
from rules.engine.refusal import Refusal
from rules.engine.table import Table


@piece
class FollowUp(GrantedStrike):
    """Spend the bonus action to attack an enemy that a charge has knocked down."""

    name = "follow_up"
    cost = {BONUS_ACTION: 1}
    tags = ("attack", "weapon", "melee")
    granted_by = "knocking somebody down with a charge"

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = one_target(table, actor, declared.targets)
        if not target.has(PRONE):
            raise Refusal(
                "follow-up/not-prone",
                f"{target.name} is not prone; choose an enemy that is.",
                who=actor.id,
                target=target.id,
            )
        super().check(table, actor, declared)
