from __future__ import annotations

from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.economy import ACTION
from rules.dnd5e.instances import instances_of
from rules.dnd5e.pieces import Ability, piece
from rules.dnd5e.saves import resolve_contest
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.state import GRAPPLED, end_instance
from rules.dnd5e.words import Skill
from rules.engine.refusal import Refusal
from rules.engine.table import Table


@piece
class Escape(Ability):
    """Spend the action to get free: Athletics or Acrobatics against the Athletics of whoever holds one."""

    name = "escape"
    cost = {ACTION: 1}
    tags = ("movement", "defense")

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not actor.has(GRAPPLED):
            raise Refusal("escape/not-grappled", f"{actor.id} is not grappled.", who=actor.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        skill = max((Skill.ATHLETICS, Skill.ACROBATICS), key=sheet_of(actor).skill_modifier)
        hold = instances_of(actor.conditions[GRAPPLED])[0]
        grappler = table.battle.combatants.get(hold.owner)
        if grappler is None or resolve_contest(table, actor, skill, grappler, (Skill.ATHLETICS,)):
            end_instance(table, actor, GRAPPLED, hold, "escaped")
