from __future__ import annotations

from enum import StrEnum

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.durations import until_next_turn
from rules.dnd5e.economy import ACTION
from rules.dnd5e.movement import find_path
from rules.dnd5e.pieces import Ability, piece
from rules.dnd5e.state import afflict
from rules.dnd5e.targeting import weapon_named
from rules.engine.refusal import Refusal, choices
from rules.engine.table import Table

READIED = "dnd5e:condition:readied"


class Trigger(StrEnum):
    """What a readied action waits for: an enemy's doing."""

    APPROACHES = "approaches"
    ATTACKS = "attacks"
    CASTS = "casts"


class Response(StrEnum):
    """What is done when the trigger comes."""

    STRIKE = "strike"
    MOVE = "move"


@piece
class Ready(Ability):
    """Spend the action to strike or move later, as a reaction, when an enemy approaches, attacks or casts."""

    name = "ready"
    cost = {ACTION: 1}
    tags = ("support",)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        _one_of(Trigger, "trigger", declared)
        response = _one_of(Response, "action", declared)
        for target in declared.targets:
            table.combatant(target)
        if response == Response.STRIKE:
            weapon_named(actor, declared.weapon)
        else:
            find_path(table.battle, actor, declared.destination)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        data = {
            "trigger": _one_of(Trigger, "trigger", declared),
            "action": _one_of(Response, "action", declared),
            "of": list(declared.targets),
            "weapon": declared.weapon,
            "to": list(declared.destination) if declared.destination else None,
        }
        afflict(table, actor, READIED, source=self.ref, owner=actor.id, until=until_next_turn(actor), data=data)


def _one_of(kind: type[StrEnum], option: str, declared: Declared) -> str:
    first: str = next(iter(kind)).value
    wanted = str(declared.options.get(option, first))
    if wanted not in list(kind):
        raise Refusal(f"ready/{option}", f"{wanted!r} cannot be readied as {option}; it is {choices(list(kind))}.")
    return wanted
