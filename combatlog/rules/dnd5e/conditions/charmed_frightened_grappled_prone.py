"""Conditions that hamper a combatant but let it act: charmed, dominated, exhaustion, frightened, grappled, poisoned,
prone and restrained.
"""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.battlemap.grapples_and_mounts import end_apart
from combatlog.rules.dnd5e.battlemap.movement import STEP
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import can_see
from combatlog.rules.dnd5e.battlemap.space import steps_from
from combatlog.rules.dnd5e.combatant_state import end_condition, end_idle_concentration, end_restraint
from combatlog.rules.dnd5e.conditions.instances import causes_of, instances_of
from combatlog.rules.dnd5e.contexts import Attack, Check, Harm, MovementStep, Save
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.enums import AbilityScore
from combatlog.rules.dnd5e.hit_points import HP, die, maximum_hp
from combatlog.rules.dnd5e.modifiers import (
    advantage_on_attacks_against,
    bonus,
    disadvantage,
    disadvantage_on_own_attacks,
    halved,
    multiplied,
)
from combatlog.rules.dnd5e.pieces import Dnd5eCondition, piece
from combatlog.rules.dnd5e.saves_and_checks import resolve_save
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Data, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


class Rooted(Dnd5eCondition):
    """Speed 0."""

    def on_speed(self, owner: Combatant) -> Iterator[Modifier]:
        yield multiplied("conditions", self.ref, owner.id, f"{owner.name} is {self.title}", 0)


@piece
class Grappled(Rooted):
    """Held by another creature: speed 0, until it escapes or the two are no longer within reach."""

    name = "grappled"

    def after_step(self, table: Table, step: MovementStep, owner: Combatant) -> None:
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
    """Speed 0; disadvantage on attacks and Dexterity saves; advantage on attacks against it."""

    name = "restrained"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield from disadvantage_on_own_attacks(self, attack, owner, f"{owner.name} is restrained")
        yield from advantage_on_attacks_against(self, attack, owner, f"{owner.name} is restrained")

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        if save.ability is AbilityScore.DEX:
            yield disadvantage(owner.id, self.ref, f"{owner.name} is restrained", stage="conditions")


@piece
class Prone(Dnd5eCondition):
    """Disadvantage on attacks; attacks against it: advantage within 5 feet, else disadvantage; can only crawl."""

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
class Poisoned(Dnd5eCondition):
    """Disadvantage on attacks and ability checks."""

    name = "poisoned"
    lasts = True

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield from disadvantage_on_own_attacks(self, attack, owner, f"{owner.name} is poisoned")

    def on_check(self, check: Check, owner: Combatant) -> Iterator[Modifier]:
        yield disadvantage(owner.id, self.ref, f"{owner.name} is poisoned", stage="conditions")


@piece
class Charmed(Dnd5eCondition):
    """Cannot attack the charmer."""

    name = "charmed"

    def forbids_target(self, owner: Combatant, target: Combatant) -> str | None:
        if target.id in causes_of(owner, self.ref):
            return f"{owner.name} is charmed by {target.name}"
        return None


@piece
class Frightened(Dnd5eCondition):
    """Disadvantage on attacks and checks while the source of fear is in sight; it cannot move closer to it.

    If the source is not a combatant in the fight, it always counts as in sight.
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
        return any(feared is None or can_see(battle, owner, feared) for feared in self._feared(battle, owner))

    def _feared(self, battle: Battle, owner: Combatant) -> list[Combatant | None]:
        return [battle.combatants.get(name) for name in causes_of(owner, self.ref)]


@piece
class Exhaustion(Dnd5eCondition):
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


FROM = "from"
"""Data: the side that it fought for before."""


@piece
class Dominated(Dnd5eCondition):
    """Charmed and controlled: it fights on its controller's side. Damage lets it save again."""

    name = "dominated"
    is_single = True

    def begins_with(self, target: Combatant) -> Data:
        """The side it fought for; if it is already dominated, the side before that."""
        held = target.conditions.get(self.ref)
        return {FROM: held.data.get(FROM, target.home) if held is not None else target.side}

    def at_begin(self, table: Table, owner: Combatant) -> None:
        master = table.battle.combatants.get(owner.conditions[self.ref].owner)
        if master is not None and master.side != owner.side:
            table.change_side(owner, master.side, self.ref)

    def at_end(self, table: Table, owner: Combatant) -> None:
        """Return it to its former side, unless a ruling has moved it to another side since."""
        held = owner.conditions[self.ref]
        master, before = table.battle.combatants.get(held.owner), held.data.get(FROM, owner.home)
        if owner.side != before and (master is None or owner.side == master.side):
            table.change_side(owner, before, self.ref)

    def forbids_target(self, owner: Combatant, target: Combatant) -> str | None:
        if target.id == owner.conditions[self.ref].owner:
            return f"{owner.name} is controlled by {target.name}"
        return None

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        held = owner.conditions[self.ref]
        master = table.battle.combatants.get(held.owner)
        if not harm.amount or master is None:
            return
        against = sheet_of(master).difficulty_of(held.source.rsplit(":", 1)[1])
        if resolve_save(table, owner, AbilityScore.WIS, against, self.ref, "wis save to be free"):
            end_condition(table, owner, self.ref, "saved")
            end_idle_concentration(table, held.source, held.owner)
