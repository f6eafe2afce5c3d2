"""Concentration, and the conditions that it sustains: Bless, Bane, spells with repeated use, and zones on the map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from combatlog.rules.dnd5e.combatant_state import afflict, end_condition, end_instance
from combatlog.rules.dnd5e.conditions.instances import instances_of
from combatlog.rules.dnd5e.contexts import Attack, Harm, Save
from combatlog.rules.dnd5e.enums import AbilityScore
from combatlog.rules.dnd5e.modifiers import dice, minus_dice
from combatlog.rules.dnd5e.pieces import Dnd5eCondition, piece
from combatlog.rules.dnd5e.saves_and_checks import resolve_save
from combatlog.rules.engine.grid.squares import grid_of
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Data, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


class Enchanted(Dnd5eCondition):
    """A die added to or subtracted from attack rolls and saves."""

    spell: ClassVar[str]
    maker: ClassVar[staticmethod[[str, str, str, str, str], Modifier]]

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner:
            yield self._die(owner)

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        yield self._die(owner)

    def _die(self, owner: Combatant) -> Modifier:
        return self.maker("conditions", f"dnd5e:spell:{self.spell}", owner.id, self.spell.title(), "1d4")


@piece
class Blessed(Enchanted):
    """Adds 1d4 to attack rolls and saves."""

    name, spell = "blessed", "bless"
    maker = staticmethod(dice)


@piece
class Baned(Enchanted):
    """Subtracts 1d4 from attack rolls and saves."""

    name, spell = "baned", "bane"
    maker = staticmethod(minus_dice)


@piece
class Concentrating(Dnd5eCondition):
    """Sustains a spell, whose effects end with the concentration. Damage forces a Constitution save."""

    name = "concentrating"
    ends_when_incapacitated = True
    is_single = True

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        if harm.amount == 0:
            return
        against = max(10, harm.amount // 2)
        if not resolve_save(table, owner, AbilityScore.CON, against, self.ref, "concentration save"):
            end_condition(table, owner, self.ref, "concentration broken")

    def at_end(self, table: Table, owner: Combatant) -> None:
        spell = owner.conditions[self.ref].source
        for other in table.battle.combatants.values():
            for held in [held for held in other.conditions.values() if held.ref != self.ref]:
                for instance in instances_of(held):
                    if instance.is_of(spell, owner.id):
                        end_instance(table, other, held.ref, instance, "concentration ended")


@piece
class Sustaining(Dnd5eCondition):
    """Has a spell in effect that it can use again without casting it anew."""

    name = "sustaining"


STEP = 5


@piece
class ZoneCondition(Dnd5eCondition):
    """Maintains an effect on some squares of the map, such as a wall of fire."""

    name = "zone"

    def at_turn_start(self, table: Table, owner: Combatant) -> None:
        for instance in instances_of(owner.conditions[self.ref]):
            if "drifts" in instance.data and owner.position is not None:
                data = drifted(table.battle, owner.position, instance.data)
                source, until = instance.source, instance.until
                afflict(table, owner, self.ref, source=source, owner=owner.id, until=until, data=data)


def drifted(battle: Battle, caster: Position, data: Data) -> Data:
    """The data of a cloud after it has moved away from its caster, clipped to the map."""
    steps, (x, y) = data["drifts"] // STEP, data["at"]
    right, down = (steps * ((at > own) - (at < own)) for at, own in zip((x, y), caster, strict=True))
    grid = grid_of(battle.map)
    squares = [[column + right, row + down] for column, row in data["squares"]]
    return {**data, "at": [x + right, y + down], "squares": [one for one in squares if (one[0], one[1]) in grid]}


@piece
class Scathed(Dnd5eCondition):
    """Affected by a zone this turn; that zone cannot affect it again until the turn is over."""

    name = "scathed"
