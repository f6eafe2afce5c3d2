"""Conditions that attack cantrips and other bolts cause, for a turn or so."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.modifiers import advantage, bonus, disadvantage
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.state import end_condition
from combatlog.rules.engine.chain import Modifier
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant

SLOWER = 10


@piece
class Chilled(Condition):
    """10 feet slower, as by Ray of Frost."""

    name = "chilled"

    def on_speed(self, owner: Combatant) -> Iterator[Modifier]:
        yield bonus("conditions", self.ref, owner.id, f"{owner.name} is chilled", -SLOWER)


@piece
class Shocked(Condition):
    """Shocking Grasp: no reactions until its next turn."""

    name = "shocked"
    forbids_reactions = True

    def at_turn_start(self, table: Table, owner: Combatant) -> None:
        end_condition(table, owner, self.ref, "its turn begins")


@piece
class Withered(Condition):
    """Chill Touch: cannot regain hit points."""

    name = "withered"
    forbids_healing = True


@piece
class Mocked(Condition):
    """Vicious Mockery: disadvantage on its next attack."""

    name = "mocked"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner:
            yield disadvantage(owner.id, self.ref, f"{owner.name} is {self.name}", stage="conditions")

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.attacker is owner:
            end_condition(table, owner, self.ref, "attacked")


@piece
class Rattled(Mocked):
    """Shaken by a blow: disadvantage on its next attack."""

    name = "rattled"


@piece
class Glimmering(Condition):
    """Guiding Bolt: advantage on the next attack against it."""

    name = "glimmering"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.target is owner:
            yield advantage(owner.id, self.ref, f"{owner.name} glimmers", stage="conditions")

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.target is owner and attack.spell != owner.conditions[self.ref].source:
            end_condition(table, owner, self.ref, "attacked")
