from __future__ import annotations

from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.attack import resolve_attack
from rules.dnd5e.magic import Spell, check_harmful, chosen_targets
from rules.dnd5e.occasions import Attack
from rules.dnd5e.pieces import piece
from rules.dnd5e.sheet import Weapon, sheet_of
from rules.dnd5e.words import DamageType
from rules.refusal import Refusal
from rules.table import Table


@piece
class FireBolt(Spell):
    """A spell attack with fire; more dice at levels 5, 11 and 17."""

    name = "fire_bolt"
    level = 0
    range = 120
    tags = ("spell", "attack", "ranged", "harm")

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        (target,) = chosen_targets(table, actor, self, declared, most=1)
        if target is actor:
            raise Refusal("spell/self", f"{actor.id} cannot aim {self.title} at itself; name another target.")
        check_harmful(actor, [target])

    def cast(self, table: Table, actor: Combatant, declared: Declared, level: int) -> None:
        resolve_attack(table, self.attack(table.battle, actor, table.combatant(declared.targets[0])))

    def attack(self, battle: Battle, actor: Combatant, target: Combatant) -> Attack:
        """The spell attack, as it is before anybody has had a say in it."""
        sheet = sheet_of(actor)
        assert sheet.spellcasting is not None
        notation = f"{cantrip_dice(sheet.level)}d10"
        bolt = Weapon(name=self.title, damage=notation, damage_type=DamageType.FIRE, range=(self.range, self.range))
        return Attack(battle, actor, target, bolt, sheet.spellcasting, melee=False, spell=self.ref)


def cantrip_dice(level: int) -> int:
    return 1 + (level >= 5) + (level >= 11) + (level >= 17)
