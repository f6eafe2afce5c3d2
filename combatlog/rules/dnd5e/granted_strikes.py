"""Extra attacks that something grants: each can be made once, with the weapon it was granted for."""

from __future__ import annotations

from typing import ClassVar

from combatlog.rules.dnd5e.attack import make_attack, resolve_attack
from combatlog.rules.dnd5e.pieces import GrantedAction
from combatlog.rules.dnd5e.targeting import check_aim, one_target, weapon_named
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant


class GrantedStrike(GrantedAction):
    """An attack granted for one weapon; it cannot be made with another."""

    parts = frozenset({Part.TARGET})
    off_hand: ClassVar[bool] = False

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        weapon = weapon_named(actor, actor.granted_actions(self.ref)[0].weapon)
        check_aim(table.battle, actor, one_target(table, actor, declared.targets), weapon)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        weapon = weapon_named(actor, self.use_up(table, actor))
        attack = make_attack(table.battle, actor, one_target(table, actor, declared.targets), weapon)
        attack.off_hand = self.off_hand
        resolve_attack(table, attack)
