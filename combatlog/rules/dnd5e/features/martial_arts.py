from __future__ import annotations

from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.durations import until_end_of_turn
from combatlog.rules.dnd5e.economy import BONUS_ACTION, took_attack_action
from combatlog.rules.dnd5e.martial_arts import is_monk_weapon
from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.weapons import UNARMED
from combatlog.rules.dnd5e.words import Armor
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant

MARTIAL_STRIKE = "dnd5e:action:martial_strike"


@piece
class MartialArts(Feature):
    """Dexterity and a better die with fists and simple weapons; the Attack action grants a MartialStrike.

    The sheet's weapons are what `combatlog.rules.dnd5e.martial_arts` makes of them.
    """

    name = "martial_arts"

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if not _counts(attack, owner) or not took_attack_action(table.battle, owner):
            return
        if owner.economy.left(BONUS_ACTION) and not owner.granted_actions(MARTIAL_STRIKE):
            until = until_end_of_turn(owner)
            table.grant(owner, MARTIAL_STRIKE, source=self.ref, until=until, weapon=UNARMED)


def _counts(attack: Attack, owner: Combatant) -> bool:
    """Whether it is an attack of the owner's turn with its fists or a monk weapon, without armour and shield."""
    sheet, weapon = sheet_of(owner), attack.weapon
    if attack.attacker is not owner or attack.spell is not None or attack.battle.clock.turn != owner.id:
        return False
    return sheet.armor is Armor.NONE and not sheet.shield and (weapon.is_unarmed or is_monk_weapon(weapon))
