from __future__ import annotations

from combatlog.rules.dnd5e.attack import ROLLED
from combatlog.rules.dnd5e.conditions.stances import MAGIC_MISSILE, SHIELD_BONUS
from combatlog.rules.dnd5e.contexts import Attack, Casting
from combatlog.rules.dnd5e.durations import until_next_turn
from combatlog.rules.dnd5e.magic import AIMED, ReactionSpell
from combatlog.rules.dnd5e.pieces import piece
from combatlog.rules.dnd5e.state import afflict
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant

SHIELDED = "dnd5e:condition:shielded"


@piece
class Shield(ReactionSpell[Attack | Casting]):
    """Gain +5 armour class until one's next turn, also against the attack it responds to."""

    name = "shield"
    level = 1
    range = 0
    moments = (ROLLED, AIMED)
    tags = ("spell", "defense")

    def obstacle(self, context: Attack | Casting, reactor: Combatant) -> str | None:
        if reactor.has(SHIELDED):
            return f"{reactor.name} is already shielded"
        if isinstance(context, Casting):
            return self._obstacle_to_darts(context, reactor)
        return self._obstacle_to_attack(context, reactor)

    def _obstacle_to_darts(self, casting: Casting, reactor: Combatant) -> str | None:
        if casting.spell != MAGIC_MISSILE:
            return "it only stops magic missiles"
        return None if reactor.id in casting.targets else f"{reactor.name} is not a target"

    def _obstacle_to_attack(self, attack: Attack, reactor: Combatant) -> str | None:
        if attack.target is not reactor:
            return f"{reactor.name} is not the target"
        if not attack.hits:
            return "the attack misses anyway"
        if attack.natural == 20 or attack.total >= attack.armor_class + SHIELD_BONUS:
            return "the attack hits anyway"
        return None

    def respond(self, table: Table, context: Attack | Casting, reactor: Combatant, level: int) -> None:
        afflict(table, reactor, SHIELDED, source=self.ref, owner=reactor.id, until=until_next_turn(reactor))
