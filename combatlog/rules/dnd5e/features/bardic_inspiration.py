from __future__ import annotations

from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.durations import MINUTE
from combatlog.rules.dnd5e.economy import BONUS_ACTION
from combatlog.rules.dnd5e.inspiration import INSPIRATION, inspiration_die, inspirations, rest_for_inspiration
from combatlog.rules.dnd5e.pieces import ActiveFeature, piece
from combatlog.rules.dnd5e.sheet import Sheet
from combatlog.rules.dnd5e.state import afflict, can_hear, is_dead, is_hostile
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import RestKind
from combatlog.rules.engine.table import Table
from ledger.events import Declared, Until, UntilMoment
from projections.combatant import Combatant

RANGE = 60
MINUTES = 10
INSPIRED = "dnd5e:condition:inspired"


@piece
class BardicInspiration(ActiveFeature):
    """Spend the bonus action to give an ally within 60 feet a die for one of its attacks, saves or checks."""

    name = "bardic_inspiration"
    cost = {BONUS_ACTION: 1, INSPIRATION: 1}
    tags = ("support",)
    parts = frozenset({Part.TARGET})

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {INSPIRATION: inspirations(sheet)}

    def rest_needed(self, sheet: Sheet) -> RestKind | None:
        return rest_for_inspiration(sheet)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if len(declared.targets) != 1:
            raise Refusal(
                "bardic-inspiration/one-target",
                "Bardic Inspiration takes one target: an ally.",
                who=actor.id,
                needed=1,
                found=list(declared.targets),
            )
        ally = table.combatant(declared.targets[0])
        why = _why_not(actor, ally)
        if why is not None:
            code, problem = why
            raise Refusal(f"bardic-inspiration/{code}", f"{problem}; name an ally.", who=actor.id, target=ally.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        ally = table.combatant(declared.targets[0])
        until = Until(moment=UntilMoment.TURN_START, whose=actor.id, round=table.battle.clock.round + MINUTES * MINUTE)
        data = {"die": inspiration_die(actor)}
        afflict(table, ally, INSPIRED, source=self.ref, owner=actor.id, until=until, data=data)


def _why_not(bard: Combatant, ally: Combatant) -> tuple[str, str] | None:
    if ally is bard or is_hostile(bard, ally) or is_dead(ally):
        return "not-an-ally", f"{bard.name} can inspire only a living ally, not {ally.name}"
    if feet_between(bard, ally) > RANGE:
        return "too-far", f"{ally.name} is more than {RANGE} feet away from {bard.name}"
    if not can_hear(ally):
        return "deaf", f"{ally.name} cannot hear {bard.name}"
    return ("already", f"{ally.name} is inspired already") if ally.has(INSPIRED) else None
