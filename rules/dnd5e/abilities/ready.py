from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.durations import until_next_turn
from rules.dnd5e.economy import ACTION
from rules.dnd5e.movement import find_path
from rules.dnd5e.pieces import Ability, piece
from rules.dnd5e.state import afflict
from rules.dnd5e.targeting import check_named_once, weapon_named
from rules.engine.options import Options, Part, Said
from rules.engine.refusal import Refusal
from rules.engine.table import Table

READIED = "dnd5e:condition:readied"


class Trigger(StrEnum):
    """What a readied action waits for an enemy to do."""

    APPROACHES = "approaches"
    ATTACKS = "attacks"
    CASTS = "casts"


class Response(StrEnum):
    """What to do when the trigger comes."""

    STRIKE = "strike"
    MOVE = "move"


class ReadyOptions(Options):
    trigger: Trigger = Field(description="what an enemy has to do to set it off")
    action: Response = Field(default=Response.STRIKE, description="what to do then")


@piece
class Ready(Ability):
    """Spend the action to strike or move later, as a reaction to an enemy that approaches, attacks or casts."""

    name = "ready"
    cost = {ACTION: 1}
    tags = ("support",)
    options = ReadyOptions
    parts = frozenset(Part)

    def check_said(self, said: Said) -> None:
        """A readied strike takes a weapon but no destination; a readied move takes a destination but no weapon."""
        check_named_once(self.name, said)
        strikes = ReadyOptions.read(said.options).action is Response.STRIKE
        if strikes and said.destination is not None:
            raise _in_vain(Response.STRIKE, Part.DESTINATION, said.destination, instead=Response.MOVE)
        if not strikes and said.weapon is not None:
            raise _in_vain(Response.MOVE, Part.WEAPON, said.weapon, instead=Response.STRIKE)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        for target in declared.targets:
            table.combatant(target)
        if _said(declared).action is Response.STRIKE:
            weapon_named(actor, declared.weapon)
        else:
            find_path(table.battle, actor, declared.destination)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        said = _said(declared)
        data = {
            "trigger": said.trigger.value,
            "action": said.action.value,
            "of": list(declared.targets),
            "weapon": declared.weapon,
            "to": list(declared.destination) if declared.destination else None,
        }
        afflict(table, actor, READIED, source=self.ref, owner=actor.id, until=until_next_turn(actor), data=data)


def _in_vain(response: Response, part: Part, found: object, instead: Response) -> Refusal:
    return Refusal(
        f"declaration/takes-no-{part}",
        f"A readied {response} takes no {part}; leave it out, or ready a {instead}.",
        what="ready",
        part=part.value,
        found=found,
    )


def _said(declared: Declared) -> ReadyOptions:
    """The trigger used to be optional, and `approaches` if omitted; older fights are still read that way."""
    return ReadyOptions.read({"trigger": Trigger.APPROACHES, **declared.options})
