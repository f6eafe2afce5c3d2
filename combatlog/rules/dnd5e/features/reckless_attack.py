from __future__ import annotations

from combatlog.rules.dnd5e.durations import until_next_turn
from combatlog.rules.dnd5e.economy import ATTACKS, changes_this_turn
from combatlog.rules.dnd5e.pieces import ActiveFeature, piece
from combatlog.rules.dnd5e.state import afflict
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant

RECKLESS = "dnd5e:condition:reckless"


@piece
class RecklessAttack(ActiveFeature):
    """Gain advantage on this turn's strength attacks in melee, and grant it to attackers until one's next turn."""

    name = "reckless_attack"
    tags = ("offense",)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if actor.has(RECKLESS):
            raise Refusal("reckless-attack/already", f"{actor.name} is already reckless.", who=actor.id)
        if any(change.after < change.before for change in changes_this_turn(battle, actor, ATTACKS)):
            raise Refusal(
                "reckless-attack/too-late",
                f"{actor.name} has already attacked this turn; reckless attack comes before the first attack.",
                who=actor.id,
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        afflict(table, actor, RECKLESS, source=self.ref, owner=actor.id, until=until_next_turn(actor))
