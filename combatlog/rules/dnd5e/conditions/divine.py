"""Conditions that the gods send: hallowed weapons, and the undead turned."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.contexts import Attack, Harm
from combatlog.rules.dnd5e.instances import causes_of
from combatlog.rules.dnd5e.modifiers import bonus
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.state import end_condition
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.chain import Modifier
from combatlog.rules.engine.grid import distance
from combatlog.rules.engine.table import Table
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant


@piece
class Hallowed(Condition):
    """Sacred Weapon: the charisma modifier, at least 1, counts for weapon attacks."""

    name = "hallowed"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner and attack.spell is None:
            amount = max(1, sheet_of(owner).modifier(AbilityScore.CHA))
            yield bonus("conditions", self.ref, owner.id, "Sacred Weapon", amount)


@piece
class Turned(Condition):
    """Turn Undead: no actions and no reactions, and no step closer to whoever turned it; damage ends it."""

    name = "turned"
    incapacitates = True

    def forbids_step(self, battle: Battle, owner: Combatant, origin: Position, to: Position) -> str | None:
        for cause in causes_of(owner, self.ref):
            other = battle.combatants.get(cause)
            place = other.position if other is not None else None
            if place is not None and distance(place, to) < distance(place, origin):
                return f"{owner.name} is turned and cannot come closer to {cause}"
        return None

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        if harm.amount:
            end_condition(table, owner, self.ref, "took damage")
