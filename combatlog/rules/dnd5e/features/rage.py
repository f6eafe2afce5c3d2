from __future__ import annotations

from combatlog.rules.dnd5e.contexts import Attack, Harm
from combatlog.rules.dnd5e.durations import for_a_minute
from combatlog.rules.dnd5e.economy import BONUS_ACTION, PROVOKED
from combatlog.rules.dnd5e.magic import CONCENTRATING
from combatlog.rules.dnd5e.pieces import ActiveFeature, piece
from combatlog.rules.dnd5e.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.state import afflict, end_condition, is_hostile
from combatlog.rules.dnd5e.words import Armor
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Data, Declared
from projections.battle import Battle
from projections.combatant import Combatant

RAGING = "dnd5e:condition:raging"
BOUNDLESS = 20
"""From this level on, there is no end to the rages of a day."""


@piece
class Rage(ActiveFeature):
    """Spend the bonus action and one of the day's rages to start raging."""

    name = "rage"
    cost = {BONUS_ACTION: 1, "rage": 1}
    tags = ("offense", "defense")

    def pools(self, sheet: Sheet) -> dict[str, int]:
        level = sheet.level
        if level >= BOUNDLESS:
            return {}
        return {self.name: 2 if level < 3 else 3 if level < 6 else 4 if level < 12 else 5 if level < 17 else 6}

    def price(self, actor: Combatant, options: Data) -> dict[str, int]:
        return {BONUS_ACTION: 1} if sheet_of(actor).level >= BOUNDLESS else self.cost

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if actor.has(RAGING):
            raise Refusal("rage/already", f"{actor.name} is already raging.", who=actor.id)
        if sheet_of(actor).armor is Armor.HEAVY:
            raise Refusal("rage/heavy-armor", f"{actor.name} cannot rage in heavy armour.", who=actor.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        end_condition(table, actor, CONCENTRATING, "started raging")
        until, stoked = for_a_minute(table.battle, actor), actor.economy.left(PROVOKED) > 0
        data = {"stoked": True} if stoked else None
        afflict(table, actor, RAGING, source=self.ref, owner=actor.id, until=until, data=data)

    # What happens between its turns counts even if it does not rage yet.

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.attacker is owner and is_hostile(owner, attack.target):
            self._be_provoked(table, owner)

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        if harm.amount > 0:
            self._be_provoked(table, owner)

    def _be_provoked(self, table: Table, owner: Combatant) -> None:
        if not owner.has(RAGING) and not owner.economy.left(PROVOKED):
            table.gain(owner, PROVOKED, 1, "attacked or took damage", self.ref)

    def at_turn_end(self, table: Table, owner: Combatant) -> None:
        if owner.economy.left(PROVOKED):
            table.reset(owner, PROVOKED, 0, "turn end", self.ref)
