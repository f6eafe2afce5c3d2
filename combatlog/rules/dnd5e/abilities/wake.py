from __future__ import annotations

from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.pieces import Ability, piece
from combatlog.rules.dnd5e.state import end_condition
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant

ASLEEP = "dnd5e:condition:asleep"
REACH = 5


@piece
class Wake(Ability):
    """Spend the action to shake somebody awake within 5 feet."""

    name = "wake"
    cost = {ACTION: 1}
    tags = ("support",)
    parts = frozenset({Part.TARGET})

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        near = (other for other in battle.present() if other is not actor and feet_between(actor, other) <= REACH)
        if not any(other.has(ASLEEP) for other in near):
            raise Refusal("wake/nobody", f"Nobody within {REACH} feet of {actor.name} is asleep.", who=actor.id)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = _sleeper(table, declared)
        if not target.has(ASLEEP):
            raise Refusal("wake/not-asleep", f"{target.name} is not asleep.", who=actor.id, target=target.id)
        feet = feet_between(actor, target)
        if feet > REACH:
            raise Refusal(
                "wake/out-of-reach",
                f"{target.name} is {feet} feet away and {actor.name} can wake only within {REACH} feet; move closer.",
                who=actor.id,
                target=target.id,
                distance=feet,
                reach=REACH,
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        end_condition(table, _sleeper(table, declared), ASLEEP, f"woken by {actor.name}")


def _sleeper(table: Table, declared: Declared) -> Combatant:
    if len(declared.targets) != 1:
        raise Refusal(
            "wake/one-target",
            "Only one sleeper at a time can be woken; name one target.",
            who=declared.actor,
            needed=1,
            found=list(declared.targets),
        )
    return table.combatant(declared.targets[0])
