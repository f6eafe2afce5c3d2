from __future__ import annotations

from combatlog.rules.dnd5e.attack import make_attack, resolve_attack
from combatlog.rules.dnd5e.economy import BONUS_ACTION
from combatlog.rules.dnd5e.pieces import ActiveFeature, piece
from combatlog.rules.dnd5e.state import afflict
from combatlog.rules.dnd5e.targeting import check_aim, melee_weapons, one_target, weapon_named
from combatlog.rules.dnd5e.weapons import Weapon
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant

RAGING = "dnd5e:condition:raging"
FRENZIED = "dnd5e:condition:frenzied"


@piece
class Frenzy(ActiveFeature):
    """While raging, spend the bonus action on a melee attack; the end of the rage then brings exhaustion."""

    name = "frenzy"
    cost = {BONUS_ACTION: 1}
    tags = ("attack", "weapon", "melee")
    parts = frozenset({Part.TARGET, Part.WEAPON})

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not actor.has(RAGING):
            raise Refusal("frenzy/not-raging", f"{actor.name} is not raging.", who=actor.id, needed="rage")

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        check_aim(table.battle, actor, one_target(table, actor, declared.targets), self._weapon(actor, declared))

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if not actor.has(FRENZIED):
            afflict(table, actor, FRENZIED, source=self.ref, owner=actor.id)
        target = one_target(table, actor, declared.targets)
        resolve_attack(table, make_attack(table.battle, actor, target, self._weapon(actor, declared)))

    def _weapon(self, actor: Combatant, declared: Declared) -> Weapon:
        return weapon_named(actor, declared.weapon) if declared.weapon else melee_weapons(actor)[0]
