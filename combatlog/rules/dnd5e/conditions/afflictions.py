"""Conditions that hamper a combatant but let it act."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.condition_effects import advantage_on_attacks_against, disadvantage_on_own_attacks
from combatlog.rules.dnd5e.contexts import Attack, Check, Save, Step
from combatlog.rules.dnd5e.holds import end_apart
from combatlog.rules.dnd5e.instances import causes_of, instances_of
from combatlog.rules.dnd5e.modifiers import bonus, disadvantage, halved, multiplied
from combatlog.rules.dnd5e.movement import STEP
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.sight import has_line
from combatlog.rules.dnd5e.space import steps_from
from combatlog.rules.dnd5e.state import end_restraint
from combatlog.rules.dnd5e.vitality import HP, die, maximum_hp
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.chain import Modifier
from combatlog.rules.engine.table import Table
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant


class Rooted(Condition):
    """Speed 0."""

    def on_speed(self, owner: Combatant) -> Iterator[Modifier]:
        yield multiplied("conditions", self.ref, owner.id, f"{owner.name} is {self.title}", 0)


@piece
class Grappled(Rooted):
    """Held by somebody: speed 0, until it escapes or the two are apart."""

    name = "grappled"

    def after_step(self, table: Table, step: Step, owner: Combatant) -> None:
        end_apart(table, owner)

    def at_any_turn_start(self, table: Table, owner: Combatant) -> None:
        end_apart(table, owner)

    def at_end(self, table: Table, owner: Combatant) -> None:
        for hold in instances_of(owner.conditions[self.ref]):
            end_restraint(table, owner, hold, "no longer held")


@piece
class Halted(Rooted):
    """Stopped until the end of the turn: speed 0."""

    name = "halted"


@piece
class Transfixed(Rooted):
    """Speed 0 for a moment, as after a word of power."""

    name = "transfixed"


@piece
class Restrained(Rooted):
    """Speed 0; disadvantage on attacks and dexterity saves; advantage on attacks against it."""

    name = "restrained"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield from disadvantage_on_own_attacks(self, attack, owner, f"{owner.name} is restrained")
        yield from advantage_on_attacks_against(self, attack, owner, f"{owner.name} is restrained")

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        if save.ability is AbilityScore.DEX:
            yield disadvantage(owner.id, self.ref, f"{owner.name} is restrained", stage="conditions")


@piece
class Prone(Condition):
    """Disadvantage on attacks; attacks against it have advantage within 5 feet, else disadvantage; it crawls."""

    name = "prone"
    is_single = True

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield from disadvantage_on_own_attacks(self, attack, owner, f"{owner.name} is prone")
        if attack.range <= 5:
            yield from advantage_on_attacks_against(self, attack, owner, f"{owner.name} is prone and within 5 feet")
        elif attack.target is owner:
            yield disadvantage(
                owner.id, self.ref, f"{owner.name} is prone and more than 5 feet away", stage="conditions"
            )

    def on_step_cost(self, owner: Combatant) -> Iterator[Modifier]:
        yield bonus("conditions", self.ref, owner.id, f"{owner.name} crawls", STEP)


@piece
class Poisoned(Condition):
    """Disadvantage on attacks and ability checks."""

    name = "poisoned"
    lasts = True

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield from disadvantage_on_own_attacks(self, attack, owner, f"{owner.name} is poisoned")

    def on_check(self, check: Check, owner: Combatant) -> Iterator[Modifier]:
        yield disadvantage(owner.id, self.ref, f"{owner.name} is poisoned", stage="conditions")


@piece
class Charmed(Condition):
    """Cannot attack the charmer."""

    name = "charmed"

    def forbids_target(self, owner: Combatant, target: Combatant) -> str | None:
        if target.id in causes_of(owner, self.ref):
            return f"{owner.name} is charmed by {target.name}"
        return None


@piece
class Frightened(Condition):
    """Disadvantage on attacks and checks while the source of fear is in sight; it cannot move closer to it.

    If the condition names nobody in the fight as its source, the fear is always in sight.
    """

    name = "frightened"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if self._sees_source(attack.battle, owner):
            yield from disadvantage_on_own_attacks(self, attack, owner, f"{owner.name} is frightened")

    def on_check(self, check: Check, owner: Combatant) -> Iterator[Modifier]:
        if self._sees_source(check.battle, owner):
            yield disadvantage(owner.id, self.ref, f"{owner.name} is frightened", stage="conditions")

    def forbids_step(self, battle: Battle, owner: Combatant, origin: Position, to: Position) -> str | None:
        for feared in self._feared(battle, owner):
            if feared is None or feared.position is None:
                continue
            if steps_from(to, owner, feared) < steps_from(origin, owner, feared):
                return f"{owner.name} is frightened of {feared.name} and cannot move closer to it"
        return None

    def _sees_source(self, battle: Battle, owner: Combatant) -> bool:
        return any(feared is None or has_line(battle, owner, feared) for feared in self._feared(battle, owner))

    def _feared(self, battle: Battle, owner: Combatant) -> list[Combatant | None]:
        return [battle.combatants.get(name) for name in causes_of(owner, self.ref)]


@piece
class Exhaustion(Condition):
    """Six cumulative levels: checks, speed, attacks and saves, hit points, speed 0, death."""

    name = "exhaustion"
    lasts = True
    levels = 6
    is_single = True

    def on_check(self, check: Check, owner: Combatant) -> Iterator[Modifier]:
        yield disadvantage(owner.id, self.ref, self._reason(owner), stage="conditions")

    def on_speed(self, owner: Combatant) -> Iterator[Modifier]:
        if self._level(owner) >= 5:
            yield multiplied("conditions", self.ref, owner.id, self._reason(owner), 0)
        elif self._level(owner) >= 2:
            yield halved("conditions", self.ref, owner.id, self._reason(owner))

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if self._level(owner) >= 3:
            yield from disadvantage_on_own_attacks(self, attack, owner, self._reason(owner))

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        if self._level(owner) >= 3:
            yield disadvantage(owner.id, self.ref, self._reason(owner), stage="conditions")

    def on_maximum_hp(self, owner: Combatant) -> Iterator[Modifier]:
        if self._level(owner) >= 4:
            yield halved("conditions", self.ref, owner.id, self._reason(owner))

    def at_begin(self, table: Table, owner: Combatant) -> None:
        if self._level(owner) >= 6:
            die(table, owner, owner.conditions[self.ref].owner)
        elif (excess := owner.vitals[HP].current - maximum_hp(owner)) > 0:
            table.spend_vital(owner, HP, excess, self._reason(owner), self.ref)

    def _level(self, owner: Combatant) -> int:
        return owner.conditions[self.ref].level or 1

    def _reason(self, owner: Combatant) -> str:
        return f"{owner.name} is exhausted (level {self._level(owner)})"
