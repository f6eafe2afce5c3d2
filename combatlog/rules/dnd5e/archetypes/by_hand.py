"""What the rules do not carry out: they charge what it costs, and put the rest to the GM at the moment it matters."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from combatlog.rules.dnd5e.archetype_registry import archetype, options
from combatlog.rules.dnd5e.archetypes.casting import MadeSpell
from combatlog.rules.dnd5e.archetypes.circumstances import When
from combatlog.rules.dnd5e.archetypes.parts import Feet, PieceName
from combatlog.rules.dnd5e.archetypes.powers import MadePower, Text, put_to_gm
from combatlog.rules.dnd5e.archetypes.special_actions import SpecialAction
from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.pieces import Feature
from combatlog.rules.dnd5e.sheet import Sheet
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant


@options
class ByHand(MadePower):
    text: Text
    range: Annotated[Feet, Field(description="its range in feet")] = 0
    parts = frozenset({Part.TARGET, Part.DESTINATION})

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        put_to_gm(table, actor, self.text, self.ref)


@archetype("by_hand", "actions", "features")
@options
class ActionByHand(ByHand, SpecialAction):
    """Pay for an action whose effect the GM decides."""


@archetype("by_hand", "spells")
@options
class SpellByHand(ByHand, MadeSpell):
    """Cast a spell whose effect the GM decides."""

    range: Annotated[Feet, Field(description="its range in feet")] = 0
    tags = ("spell",)


class Moment(StrEnum):
    """When the GM is asked."""

    HIT = "hit"
    STRUCK = "struck"
    TURN_START = "turn_start"


@archetype("question", "features")
@options
class Question(Feature):
    """Ask the GM what happens after a hit, after being hit, or when a turn starts."""

    name: PieceName
    text: Text
    at: Moment
    when: Annotated[When, Field(description="of attacks only")] = When()
    once: Annotated[bool, Field(description="only the first time in a fight, as a reminder")] = False

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {self.name: 1} if self.once else {}

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        asked = {Moment.HIT: attack.attacker, Moment.STRUCK: attack.target}.get(self.at)
        if attack.hit and asked is owner and self.when.holds(owner, attack):
            self._ask(table, owner, attack.target if self.at is Moment.HIT else attack.attacker)

    def at_turn_start(self, table: Table, owner: Combatant) -> None:
        if self.at is Moment.TURN_START:
            self._ask(table, owner, owner)

    def _ask(self, table: Table, owner: Combatant, subject: Combatant) -> None:
        if self.once:
            if not owner.economy.left(self.name):
                return
            table.spend(owner, self.name, 1, "put to the GM", self.ref)
        put_to_gm(table, subject, self.text, self.ref)
