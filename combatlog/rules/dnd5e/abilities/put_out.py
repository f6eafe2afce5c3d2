from __future__ import annotations

from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.instances import Instance, instances_of
from combatlog.rules.dnd5e.pieces import Ability, piece
from combatlog.rules.dnd5e.saves import resolve_check
from combatlog.rules.dnd5e.state import end_instance
from combatlog.rules.dnd5e.words import Skill
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant

SUFFERING = "dnd5e:condition:suffering"
REACH = 5


@piece
class PutOut(Ability):
    """Spend the action to put out flames or to stanch a wound: one's own, or somebody's within 5 feet."""

    name = "put_out"
    cost = {ACTION: 1}
    tags = ("support",)
    parts = frozenset({Part.TARGET})

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        near = [other for other in battle.present() if feet_between(actor, other) <= REACH]
        if not any(curable(other) for other in near):
            raise Refusal(
                "put-out/nobody", f"Nobody within {REACH} feet of {actor.name} burns or bleeds.", who=actor.id
            )

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = _patient(table, actor, declared)
        feet = feet_between(actor, target)
        if feet > REACH:
            raise Refusal(
                "put-out/out-of-reach",
                f"{target.name} is {feet} feet away and {actor.name} can help only within {REACH} feet; move closer.",
                who=actor.id,
                target=target.id,
                distance=feet,
                reach=REACH,
            )
        if not curable(target):
            raise Refusal(
                "put-out/not-suffering",
                f"{target.name} suffers from nothing that an action ends.",
                who=actor.id,
                target=target.id,
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = _patient(table, actor, declared)
        instance = curable(target)[0]
        difficulty = instance.data.get("difficulty")
        if difficulty is None or resolve_check(table, actor, Skill.MEDICINE, difficulty):
            end_instance(table, target, SUFFERING, instance, f"put out by {actor.name}")


def curable(combatant: Combatant) -> list[Instance]:
    """What an action can end."""
    held = combatant.conditions.get(SUFFERING)
    return [one for one in instances_of(held) if one.data.get("put_out")] if held is not None else []


def _patient(table: Table, actor: Combatant, declared: Declared) -> Combatant:
    """Whoever is named, or else the actor itself."""
    if len(declared.targets) > 1:
        raise Refusal(
            "put-out/one-target",
            "Only one at a time can be helped; name one target, or none for oneself.",
            who=actor.id,
            needed=1,
            found=list(declared.targets),
        )
    return table.combatant(declared.targets[0]) if declared.targets else actor
