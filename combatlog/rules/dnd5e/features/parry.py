from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.attack import ROLLED
from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.modifiers import bonus
from combatlog.rules.dnd5e.pieces import Feature, Reaction, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.sight import can_see
from combatlog.rules.engine.chain import Modifier
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant


@piece
class Parry(Feature, Reaction[Attack]):
    """Add one's proficiency bonus to the armour class against a melee attack that would hit."""

    name = "parry"
    moments = (ROLLED,)

    def obstacle(self, context: Attack, reactor: Combatant) -> str | None:
        if context.target is not reactor:
            return f"{reactor.name} is not the target"
        if not context.melee:
            return "it only parries melee attacks"
        if not context.hits:
            return "the attack misses anyway"
        if not any(not weapon.is_ranged and not weapon.is_unarmed for weapon in sheet_of(reactor).weapons):
            return f"{reactor.name} has no melee weapon"
        if not can_see(context.battle, reactor, context.attacker):
            return f"{reactor.name} cannot see {context.attacker.name}"
        return None

    def is_useful(self, context: Attack, reactor: Combatant) -> bool:
        return context.natural != 20 and context.total < context.armor_class + _added(reactor)

    def react(self, table: Table, context: Attack, reactor: Combatant, paid: dict[str, int]) -> None:
        context.chosen[reactor.id] = self.ref

    def on_armor_class(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.chosen.get(owner.id) == self.ref:
            yield bonus("features", self.ref, owner.id, "Parry", _added(owner))


def _added(owner: Combatant) -> int:
    """Every creature that parries adds as much as its proficiency bonus."""
    return sheet_of(owner).proficiency_bonus
