from __future__ import annotations

from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.pieces import Ability, piece
from combatlog.rules.dnd5e.saves import resolve_check
from combatlog.rules.dnd5e.vitality import DYING, become_stable
from combatlog.rules.dnd5e.words import Skill
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant

DIFFICULTY = 10
REACH = 5


@piece
class Stabilize(Ability):
    """Spend the action to stabilize somebody who is dying within 5 feet: Medicine against 10."""

    name = "stabilize"
    cost = {ACTION: 1}
    tags = ("support", "healing")
    parts = frozenset({Part.TARGET})

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = _patient(table, declared)
        feet = feet_between(actor, target)
        if feet > REACH:
            raise Refusal(
                "stabilize/out-of-reach",
                f"{target.name} is {feet} feet away and {actor.name} can help only within {REACH} feet; move closer.",
                who=actor.id,
                target=target.id,
                distance=feet,
                reach=REACH,
            )
        if not target.has(DYING):
            raise Refusal("stabilize/not-dying", f"{target.name} is not dying.", who=actor.id, target=target.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if resolve_check(table, actor, Skill.MEDICINE, DIFFICULTY):
            become_stable(table, _patient(table, declared), f"stabilized by {actor.name}", actor.id)


def _patient(table: Table, declared: Declared) -> Combatant:
    if len(declared.targets) != 1:
        raise Refusal(
            "stabilize/one-target",
            "Stabilize takes one target: somebody who is dying.",
            who=declared.actor,
            needed=1,
            found=list(declared.targets),
        )
    return table.combatant(declared.targets[0])
