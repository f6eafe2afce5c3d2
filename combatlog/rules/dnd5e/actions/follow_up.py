from __future__ import annotations

from combatlog.rules.dnd5e.economy import BONUS_ACTION
from combatlog.rules.dnd5e.granted_strikes import GrantedStrike
from combatlog.rules.dnd5e.pieces import piece
from combatlog.rules.dnd5e.targeting import one_target
from combatlog.rules.dnd5e.vitality import PRONE
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant


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
