from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.modifiers import dice
from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.engine.chain import Modifier
from combatlog.rules.engine.dice import parse
from projections.combatant import Combatant


@piece
class BrutalCritical(Feature):
    """More of the weapon's dice on a critical hit in melee: 1, from level 13 on 2, and from level 17 on 3."""

    name = "brutal_critical"

    def on_critical(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        groups = parse(attack.weapon.damage).groups
        if attack.attacker is owner and attack.melee and attack.spell is None and groups:
            notation = f"{more_dice(sheet_of(owner).level)}{groups[0].die.name}"
            yield dice("features", self.ref, owner.id, "Brutal Critical", notation, attack.weapon.damage_type)


def more_dice(level: int) -> int:
    return 1 + (level >= 13) + (level >= 17)
