from __future__ import annotations

from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.durations import until_end_of_turn
from combatlog.rules.dnd5e.economy import BONUS_ACTION
from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.words import WeaponProperty
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant

OFF_HAND_STRIKE = "dnd5e:action:off_hand_strike"


@piece
class DualWielding(Feature):
    """With a light weapon in each hand, a strike with the main hand grants an OffHandStrike."""

    name = "dual_wielding"

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if _is_main_hand_strike(attack, owner) and _has_use_for_another(table, owner):
            table.grant(
                owner,
                OFF_HAND_STRIKE,
                source=self.ref,
                until=until_end_of_turn(owner),
                weapon=sheet_of(owner).off_hand,
            )


def _is_main_hand_strike(attack: Attack, owner: Combatant) -> bool:
    sheet = sheet_of(owner)
    return (
        attack.attacker is owner
        and not attack.off_hand
        and sheet.off_hand is not None
        and (sheet.off_hand != attack.weapon.name or sheet.has_two(sheet.off_hand))
        and attack.battle.clock.turn == owner.id
        and attack.melee
        and WeaponProperty.LIGHT in attack.weapon.properties
    )


def _has_use_for_another(table: Table, owner: Combatant) -> bool:
    return owner.economy.left(BONUS_ACTION) > 0 and not owner.granted_actions(OFF_HAND_STRIKE)
