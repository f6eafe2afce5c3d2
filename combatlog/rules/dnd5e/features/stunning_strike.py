from __future__ import annotations

from combatlog.rules.dnd5e.attack import RESOLVED
from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.durations import until_end_of_next_turn
from combatlog.rules.dnd5e.features.monk import KI
from combatlog.rules.dnd5e.pieces import Feature, Reaction, piece
from combatlog.rules.dnd5e.saves import resolve_save
from combatlog.rules.dnd5e.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.state import afflict, is_dead
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.ruleset import RestKind
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant

STUNNED = "dnd5e:condition:stunned"


@piece
class StunningStrike(Feature, Reaction[Attack]):
    """Spend 1 ki after a hit in melee: the target is stunned until the end of one's next turn unless it saves.

    It takes no reaction.
    """

    name = "stunning_strike"
    moments = (RESOLVED,)

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {KI: sheet.level}

    def rest_needed(self, sheet: Sheet) -> RestKind | None:
        return RestKind.SHORT

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {KI: 1}

    def obstacle(self, context: Attack, reactor: Combatant) -> str | None:
        if context.attacker is not reactor:
            return f"{reactor.name} is not the attacker"
        if not context.hit or not context.melee or context.spell is not None:
            return "it takes a hit with a melee weapon"
        if is_dead(context.target) or context.target.has(STUNNED):
            return f"there is no use in stunning {context.target.name}"
        return None

    def react(self, table: Table, context: Attack, reactor: Combatant, paid: dict[str, int]) -> None:
        against, purpose = ki_difficulty(reactor), f"{AbilityScore.CON} save against {self.key}"
        if resolve_save(table, context.target, AbilityScore.CON, against, self.ref, purpose):
            return
        until = until_end_of_next_turn(table.battle, reactor)
        afflict(table, context.target, STUNNED, source=self.ref, owner=reactor.id, until=until)


def ki_difficulty(monk: Combatant) -> int:
    sheet = sheet_of(monk)
    return 8 + sheet.proficiency_bonus + sheet.modifier(AbilityScore.WIS)
