from __future__ import annotations

from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.instances import BY_STRENGTH, ESCAPE, Instance, instances_of
from combatlog.rules.dnd5e.pieces import Ability, piece
from combatlog.rules.dnd5e.saves import resolve_ability_check, resolve_check, resolve_contest
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.state import GRAPPLED, RESTRAINED, end_hold, end_instance
from combatlog.rules.dnd5e.words import AbilityScore, Skill
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


@piece
class Escape(Ability):
    """Spend the action to get free: Athletics or Acrobatics against the Athletics of whoever holds one."""

    name = "escape"
    cost = {ACTION: 1}
    tags = ("movement", "defense")

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not actor.has(GRAPPLED) and not _snares(actor):
            raise Refusal("escape/not-grappled", f"{actor.name} is not grappled.", who=actor.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if not actor.has(GRAPPLED):
            snare = _snares(actor)[0]
            if resolve_ability_check(table, actor, AbilityScore.STR, snare.data[ESCAPE]):
                end_instance(table, actor, RESTRAINED, snare, "escaped")
            return
        skill = max((Skill.ATHLETICS, Skill.ACROBATICS), key=sheet_of(actor).skill_modifier)
        hold = instances_of(actor.conditions[GRAPPLED])[0]
        if _breaks_free(table, actor, skill, hold):
            end_hold(table, actor, hold, "escaped")


def _snares(actor: Combatant) -> list[Instance]:
    """Webs and the like, which a Strength check breaks."""
    held = actor.conditions.get(RESTRAINED)
    return [one for one in instances_of(held) if BY_STRENGTH in one.data] if held is not None else []


def _breaks_free(table: Table, actor: Combatant, skill: Skill, hold: Instance) -> bool:
    """A monster's hold has a number to reach; anybody else's is a contest."""
    if ESCAPE in hold.data:
        return resolve_check(table, actor, skill, hold.data[ESCAPE])
    grappler = table.battle.combatants.get(hold.owner)
    return grappler is None or resolve_contest(table, actor, skill, grappler, (Skill.ATHLETICS,))
