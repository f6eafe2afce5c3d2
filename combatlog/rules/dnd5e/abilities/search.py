from __future__ import annotations

from combatlog.rules.dnd5e.abilities.hide import HIDDEN
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.pieces import Ability, piece
from combatlog.rules.dnd5e.saves import check_total, passive_score
from combatlog.rules.dnd5e.state import end_condition, is_hostile
from combatlog.rules.dnd5e.words import Skill
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


@piece
class Search(Ability):
    """Spend the action to look for hidden enemies: Perception against 10 plus the Stealth of each."""

    name = "search"
    cost = {ACTION: 1}
    tags = ("support",)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not _hidden(battle, actor):
            raise Refusal("search/nobody", f"No enemy of {actor.name} is hidden.", who=actor.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        hidden = _hidden(table.battle, actor)
        stealth = {enemy.id: passive_score(table.battle, enemy, Skill.STEALTH) for enemy in hidden}
        found = check_total(table, actor, Skill.PERCEPTION, min(stealth.values()))
        for enemy in hidden:
            if stealth[enemy.id] <= found:
                end_condition(table, enemy, HIDDEN, f"{actor.name} found it")


def _hidden(battle: Battle, actor: Combatant) -> list[Combatant]:
    return [other for other in battle.present() if is_hostile(actor, other) and other.has(HIDDEN)]
